import { expect, test } from "vitest";
import type { ResetScope } from "../../../interface/resources/reboot.ts";
import type { ResetPart } from "../../foundation/gateway.ts";
import { callGroup, dataOf, testFoundation } from "../../testing/foundation.ts";
import { createReset } from "./reset.ts";

function resetBench() {
  const foundation = testFoundation();
  const done: string[] = [];
  const reboots: string[] = [];
  const part = (name: string, scopes: ResetScope[], isNetwork = false): ResetPart => ({
    scopes,
    isNetwork,
    reset: () => void done.push(name),
  });
  const parts = [
    part("ssh", ["sshserver"]),
    part("events", ["eventlog"]),
    part("ports", ["httpserver"], true),
    part("unnamed", ["all"]),
  ];
  const group = createReset(foundation, {
    parts: () => parts,
    rebootAfterAnswer: (reason) => void reboots.push(reason),
  });
  const reset = (query: { mode?: string; sync?: boolean; scopes?: ResetScope[] }) =>
    dataOf(group, "resetToDefault", { query });
  return { foundation, group, done, reboots, reset, [Symbol.dispose]: () => foundation[Symbol.dispose]() };
}

test("with sync only the given scope is reset before the answer, and a reboot follows", async () => {
  using bench = resetBench();
  expect(await bench.reset({ sync: true, scopes: ["sshserver"] })).toEqual({ enable: true });
  expect(bench.done).toEqual(["ssh"]);
  expect(bench.reboots).toHaveLength(1);
});

test("without sync it waits 3 s, and scopes that only clear data need no reboot", async () => {
  using bench = resetBench();
  await bench.reset({ scopes: ["eventlog"] });
  bench.foundation.clock.advance(2999);
  expect(bench.done).toEqual([]);
  bench.foundation.clock.advance(1);
  expect([bench.done, bench.reboots]).toEqual([["events"], []]);
});

test("no scope means all; keep-network-setting excludes only the network", async () => {
  using bench = resetBench();
  await bench.reset({ sync: true });
  expect(bench.done.splice(0)).toEqual(["ssh", "events", "ports", "unnamed"]);
  await bench.reset({ sync: true, scopes: ["all", "keep-network-setting"] });
  expect(bench.done).toEqual(["ssh", "events", "unnamed"]);
});

test("an accepted reset that still waits is not lost by the reboot of another", async () => {
  using bench = resetBench();
  await bench.reset({ scopes: ["sshserver"] });
  bench.foundation.clock.advance(1000);
  await bench.reset({ scopes: ["eventlog"] });
  bench.foundation.clock.advance(2000);
  expect(bench.done).toEqual(["ssh", "events"]);
  bench.foundation.clock.advance(5000);
  expect([bench.done.length, bench.reboots.length]).toEqual([2, 1]);
});

test("a factory reset takes only all", async () => {
  using bench = resetBench();
  await expect(bench.reset({ mode: "factory", sync: true, scopes: ["eventlog"] })).rejects.toMatchObject({
    status: 400,
  });
  expect(bench.done).toEqual([]);
});

test("discovery is a setting that its scope resets", async () => {
  using bench = resetBench();
  await callGroup(bench.group, "setDiscovery", { body: { enable: false } });
  expect(await dataOf(bench.group, "getDiscovery")).toEqual({ enable: false });
  bench.group.resetParts?.find(({ scopes }) => scopes.includes("discovery"))?.reset();
  expect(await dataOf(bench.group, "getDiscovery")).toEqual({ enable: true });
});
