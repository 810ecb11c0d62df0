import { expect, test } from "vitest";
import { holdPort } from "../../rigs/index.ts";
import { portsOf } from "./listenerPorts.ts";

test("ports of a range come by turns, without those that something listens on", async () => {
  await using taken = await holdPort();
  const range = { from: taken.port - 1, to: taken.port + 1 };
  const next = portsOf(range, () => true);
  expect([await next(), await next(), await next()]).not.toContain(taken.port);
  const elsewhere = portsOf(range, () => false);
  expect([await elsewhere(), await elsewhere(), await elsewhere(), await elsewhere()]).toEqual([
    range.from,
    taken.port,
    range.to,
    range.from,
  ]);
});

test("a range without a free port says what to do", async () => {
  await using taken = await holdPort();
  const next = portsOf({ from: taken.port, to: taken.port }, () => true);
  await expect(next()).rejects.toThrow("widen listenerPorts");
});
