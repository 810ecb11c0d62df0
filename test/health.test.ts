// The health check before a run, over the reference gateway and a rack of which one wire is broken.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findTarget } from "../cli/support/target.ts";
import { checkHealth } from "../harness/campaign/health.ts";
import { GatewayConnection } from "../harness/client/connection.ts";
import { monotonicClock } from "../harness/clock.ts";
import { parseProfile } from "../harness/profile/load.ts";
import type { FieldDevice } from "../rigs/field/device.ts";
import type { RunningGateway } from "../rigs/gateway/gateway.ts";
import { startProcessGateway } from "../rigs/process/processGateway.ts";

const adminPassword = "Health-test-1!";
let running: RunningGateway;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-health-"));
  running = await startProcessGateway({ adminPassword });
}, 60_000);
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const profileWith = (password: string) =>
  parseProfile(`name: reference\ncredentials: { name: admin, password: "${password}" }\n`, "the test", {
    environment: {},
  });

async function check(gateway: Partial<RunningGateway>, password = adminPassword) {
  const notes: string[] = [];
  const whole = { ...running, ...gateway };
  await using connection = new GatewayConnection(whole, profileWith(password), monotonicClock);
  const trouble = await checkHealth({
    connection,
    gateway: whole,
    needsField: true,
    note: (text) => notes.push(text),
  });
  return { trouble, notes };
}

/** Only what the health check uses. */
function fieldWith(ok: boolean): Pick<RunningGateway, "kind" | "field"> {
  const device = {
    name: "plc",
    kind: "modbus-tcp",
    isSimulated: true,
    address: "127.0.0.1:1502",
    points: [],
    faults: [],
    set: () => Promise.reject(new Error("not used")),
    get: () => Promise.reject(new Error("not used")),
    fault: () => Promise.reject(new Error("not used")),
    check: () => Promise.resolve([{ wire: "unit 1 on 127.0.0.1:1502", ok, detail: "no answer" }]),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  } satisfies FieldDevice;
  const none = (): Promise<void> => Promise.resolve();
  return {
    kind: "remote",
    field: { devices: [device], missing: [], stoodStillMs: () => 0, [Symbol.asyncDispose]: none },
  };
}

test("a gateway whose wires work passes, and its clock needs no note", async () => {
  expect(await check(fieldWith(true))).toEqual({ trouble: undefined, notes: [] });
});

test("a wire that does not work is named with its remedy", async () => {
  expect((await check(fieldWith(false))).trouble).toEqual({
    kind: "health-check",
    part: "wires",
    expected: "field device plc answers on its wire",
    found: "unit 1 on 127.0.0.1:1502: no answer",
    remedy: "repair the wire, or run without the device: --without 'field plc'",
  });
});

test("a wrong password is found before the reading", async () => {
  const { trouble } = await check({}, "Wrong-password-1!");
  expect(trouble).toMatchObject({ part: "sign-in", remedy: expect.stringContaining("password") });
  expect(trouble?.found).toMatch(/^401/);
});

test("a real field device that does not answer is reported by the run, not by a stack trace", async () => {
  const rack = join(folder, "rack.yaml");
  await writeFile(
    join(folder, "p.yaml"),
    `name: reference\ncredentials: { name: admin, password: "${adminPassword}" }\n`,
  );
  await writeFile(
    rack,
    `gateways:
  left:
    url: "${running.baseUrl}"
    profile: p.yaml
    field:
      - name: plc
        kind: modbus-tcp
        device: 127.0.0.1:1
        provider: modbus_tcp_master
        pollIntervalMs: 100
        points: [{ name: level, address: 1, type: uint16 }]
`,
  );
  const environment = process.env["RACKPROOF_LEASES"];
  process.env["RACKPROOF_LEASES"] = join(folder, "leases.db");
  try {
    const target = await findTarget("left", { rack, alsoUnreachable: true });
    await using gateway = await target.start(0);
    const { trouble } = await check({ kind: "remote", notStarted: gateway.notStarted ?? "started" });
    expect(trouble).toMatchObject({ kind: "health-check", part: "start" });
    expect(trouble?.found).toContain("plc: no answer at 127.0.0.1:1");
  } finally {
    if (environment === undefined) delete process.env["RACKPROOF_LEASES"];
    else process.env["RACKPROOF_LEASES"] = environment;
  }
});
