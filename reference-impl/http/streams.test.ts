// A stream lasts no longer than its reader may call the operation.
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { authorisationOf, defaultAuthorisation } from "../../interface/authorisation.ts";
import { operation } from "../../interface/operations/index.ts";
import { testFoundation } from "../testing/foundation.ts";
import { Refusal } from "../base/refusal.ts";
import { buildHttp } from "./server.ts";

test("a stream ends when its token becomes invalid", async () => {
  const foundation = testFoundation();
  let isGood = true;
  let isAborted = false;
  const app = await buildHttp({
    pathPrefix: "/api/v1",
    handlers: {
      getEvents: ({ signal }) => ({
        kind: "stream",
        run(response) {
          signal.addEventListener("abort", () => (isAborted = true));
          response.writeHead(200).write(": connected\n\n");
        },
      }),
    },
    definitionOf: operation,
    permissionOf: (id) => authorisationOf(defaultAuthorisation[id]),
    authenticate() {
      if (!isGood) throw new Refusal(401, "revoked");
      return { userId: 1, name: "admin", permissions: new Set(["SYS_MAINTENANCE_RW"]) };
    },
    stateFolder: foundation.stateFolder,
    maxUploadBytes: 1,
    clock: foundation.clock,
    log: () => undefined,
  });
  onTestFinished(async () => {
    await app.close();
    foundation[Symbol.dispose]();
  });
  const url = `${await app.listen({ port: 0, host: "127.0.0.1" })}/api/v1/events?event`;
  const request = get(url, { headers: { authorization: "Bearer token" } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  await once(response, "data");
  foundation.clock.advance(60_000);
  expect(isAborted).toBe(false);
  isGood = false;
  const ended = once(response, "end");
  foundation.clock.advance(1000);
  await ended;
  expect(isAborted).toBe(true);
});
