import { expect, test } from "vitest";
import { monotonicClock } from "../clock.ts";
import { parseProfile } from "../profile/load.ts";
import { Transport } from "./transport.ts";

test("a certificate that is set while the run ends harms nothing", async () => {
  const transport = new Transport(
    monotonicClock,
    parseProfile("name: x", "x.yaml", { environment: { RACKPROOF_PASSWORD: "secret" } }),
  );
  await transport[Symbol.asyncDispose]();
  // A rejection without a handler would end the program.
  expect(() => transport.leaveConnections()).not.toThrow();
  await new Promise(setImmediate);
});
