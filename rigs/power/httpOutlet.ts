// An outlet that HTTP requests of the rack file operate.
// Tried with: an HTTP server of Node.js on loopback in power.test.ts. No hardware.
import Type, { type Static } from "typebox";
import { type BenchAccess, type DrivenSwitch, reports, SecretName, secretIn, strict } from "./driver.ts";
import { askOutlet } from "./httpRequest.ts";

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
    /** Signs in where the outlet demands it, by Basic or Digest; default admin. */
    user: Type.Optional(Type.String()),
    passwordEnvironment: Type.Optional(SecretName),
  },
  strict,
);

export function httpSwitch(settings: Static<typeof HttpOutletSettings>, bench: BenchAccess): DrivenSwitch {
  const { on, off, read, isOn = "on", user = "admin", passwordEnvironment } = settings;
  const ask = ({ method = "POST", ...request }: Static<typeof Request>): Promise<string> =>
    askOutlet(
      { ...request, method },
      passwordEnvironment === undefined
        ? undefined
        : { user, password: secretIn(bench, passwordEnvironment) },
    );
  return {
    name: `outlet ${new URL(on.url).host}`,
    wire: `switch ${on.method ?? "POST"} ${on.url} ${on.body ?? ""}`.trim(),
    set: async (wanted) => void (await ask(wanted ? on : off)),
    ...(read === undefined ? {} : { read: async () => reports(await ask({ method: "GET", ...read }), isOn) }),
  };
}
