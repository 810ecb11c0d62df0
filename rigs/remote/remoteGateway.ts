// A running gateway, reached by its URL.
import { Agent } from "undici";
import type { RunningGateway } from "../gateway/gateway.ts";

const answerWithinMs = 5000;
const lookEveryMs = 200;

/** Answers undefined when HTTP is answered at the URL, else the reason. */
export async function whyNotReady(url: string): Promise<string | undefined> {
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const { body } = await agent.request({
      origin: new URL(url).origin,
      path: "/",
      method: "GET",
      headersTimeout: answerWithinMs,
      bodyTimeout: answerWithinMs,
    });
    await body.dump();
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    await agent.destroy();
  }
}

/** A gateway of which only the URL is known. */
export function remoteGateway(
  url: string,
  identity: { readonly model: string; readonly version: string },
): RunningGateway {
  const baseUrl = url.replace(/\/$/, "");
  return {
    kind: "remote",
    name: identity.model === "" ? new URL(baseUrl).host : identity.model,
    version: identity.version,
    baseUrl,
    console: [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Waits for an answer at the URL; throws an Error with the last attempt. */
export async function findRemoteGateway(
  url: string,
  identity: { readonly model: string; readonly version: string },
  withinMs: number,
): Promise<RunningGateway> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const wrong = await whyNotReady(url);
    if (wrong === undefined) return remoteGateway(url, identity);
    if (performance.now() > deadlineMs) throw new Error(`no gateway answers at ${url}: ${wrong}`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
