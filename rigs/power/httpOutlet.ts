// An outlet that HTTP requests operate.
// Tried with: an HTTP server of Node.js on loopback in power.test.ts. No hardware.
import Type, { type Static } from "typebox";
import { Agent } from "undici";
import { answerWithinMs, type DrivenSwitch, reports, strict } from "./driver.ts";

const Request = Type.Object(
  {
    url: Type.String({ pattern: "^https?://" }),
    method: Type.Optional(Type.Enum(["GET", "POST", "PUT"])),
    body: Type.Optional(Type.String()),
  },
  strict,
);

export const HttpOutletSettings = Type.Object(
  {
    driver: Type.Literal("http"),
    on: Request,
    off: Request,
    read: Type.Optional(Request),
    /** Text in the answer while the power is on; default `on`. */
    isOn: Type.Optional(Type.String()),
  },
  strict,
);

export function httpSwitch({ on, off, read, isOn = "on" }: Static<typeof HttpOutletSettings>): DrivenSwitch {
  const ask = async ({ url, method = "POST", body }: Static<typeof Request>): Promise<string> => {
    await using stack = new AsyncDisposableStack();
    const agent = new Agent({ headersTimeout: answerWithinMs, connect: { timeout: answerWithinMs } });
    stack.defer(() => agent.destroy());
    const { origin, pathname, search } = new URL(url);
    const answer = await agent.request({ origin, path: pathname + search, method, body: body ?? null });
    const text = await answer.body.text();
    if (answer.statusCode >= 400) throw new Error(`${url} answered ${answer.statusCode}`);
    return text;
  };
  return {
    name: `outlet ${new URL(on.url).host}`,
    wire: `switch ${on.method ?? "POST"} ${on.url} ${on.body ?? ""}`.trim(),
    set: async (wanted) => void (await ask(wanted ? on : off)),
    ...(read === undefined ? {} : { read: async () => reports(await ask({ method: "GET", ...read }), isOn) }),
  };
}
