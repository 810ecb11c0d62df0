import { expect, test } from "vitest";
import { freePort, holdPort } from "./freePort.ts";

test("a free port can be listened on, and is none that the system gives to others", async () => {
  const port = await freePort();
  await using held = await holdPort(port);
  expect(held.port).toBe(port);
  expect(port).toBeLessThan(32_768);
});
