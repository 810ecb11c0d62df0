// A gateway that is already there, reached by its URL.
import { Agent } from "undici";
import type { RunningGateway } from "../gateway.ts";

/** Makes sure that something answers at the URL within the time; throws an Error that says what was tried. */
export async function findRemoteGateway(
  url: string,
  identity: { readonly model: string; readonly version: string },
  withinMs: number,
): Promise<RunningGateway> {
  const baseUrl = url.replace(/\/$/, "");
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  const deadlineMs = performance.now() + Math.min(withinMs, 30_000);
  let last = "";
  do {
    try {
      const answer = await agent.request({
        origin: new URL(baseUrl).origin,
        path: "/",
        method: "GET",
        headersTimeout: 5000,
      });
      await answer.body.dump();
      await agent.close();
      return {
        kind: "remote",
        name: identity.model === "" ? new URL(baseUrl).host : identity.model,
        version: identity.version,
        baseUrl,
        console: [],
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    } catch (thrown) {
      last = thrown instanceof Error ? thrown.message : String(thrown);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } while (performance.now() < deadlineMs);
  await agent.destroy();
  throw new Error(`no gateway answers at ${baseUrl}: ${last}`);
}
