// Each part of a gateway's state is read, changed and restored on the reference gateway.
import { afterAll, beforeAll, expect, test } from "vitest";
import { monotonicClock } from "../harness/clock.ts";
import { restore, takeSnapshot } from "../harness/campaign/state.ts";
import { GatewayConnection } from "../harness/client/connection.ts";
import { parseProfile } from "../harness/profile/load.ts";
import { scheduleBody } from "../harness/settings/crontab.ts";
import { membersOf, readSetting, settingNames, writeSetting } from "../harness/settings/setting.ts";
import { states } from "../harness/settings/state.ts";
import { type StateDomain, testCase } from "../harness/suite/case.ts";
import type { GatewayUnderTest } from "../harness/suite/gatewayUnderTest.ts";
import type { CapabilityId } from "../interface/vocabulary/capabilities.ts";
import type { RunningGateway } from "../rigs/gateway/gateway.ts";
import { startProcessGateway } from "../rigs/process/processGateway.ts";

const adminPassword = "Settings-test-1!";
const profile = parseProfile(
  `name: reference\ncredentials: { name: admin, password: "${adminPassword}" }\nswitchableServices: [ntp]\n`,
  "the test",
  { environment: {} },
);
let running: RunningGateway;
let connection: GatewayConnection;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  running = await startProcessGateway({ adminPassword });
  connection = new GatewayConnection(running, profile, monotonicClock);
  const record = { next: () => 1, keep: () => undefined };
  gateway = connection.view(record, new AbortController().signal);
}, 60_000);
afterAll(async () => {
  await connection[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
});

/** Remarks after the action, as the planner makes them for a case that touches the domain. */
async function remarksAfter(
  domain: StateDomain,
  action: () => Promise<unknown>,
  declared = profile,
): Promise<string[]> {
  const one = testCase({
    id: "x/y",
    title: "",
    group: "general",
    requirements: [],
    effect: "reversible",
    touches: [domain],
    run: () => Promise.resolve(),
  });
  const snapshot = await takeSnapshot(gateway, one);
  await action();
  return restore(gateway, declared, snapshot);
}

const changes = {
  ssh: { port: 2022 },
  provision: { schedule: { enable: false, disableAfterSec: 4711 } },
  log: { timeToLiveSec: 4711, desiredDiskCacheSizeMB: 77 },
  "event-configuration": { timeToLiveSec: 471_100, desiredDiskCacheSizeMB: 77 },
  "upgrade-configuration": { retryInterval: 47 },
} as const;

test.each(Object.keys(changes) as (keyof typeof changes)[])("%s is restored", async (name) => {
  const before = await readSetting(gateway, name);
  const remarks = await remarksAfter(name, async () => {
    const written = await writeSetting(gateway, name, { ...before, ...changes[name] });
    expect(written.summary()).toMatch(/^200/);
    expect(await readSetting(gateway, name)).toMatchObject(changes[name]);
  });
  expect(remarks).toEqual([`${name} differed after the case: restored`]);
  expect(await readSetting(gateway, name)).toEqual(before);
});

test("volatile members and those beyond the interface are not compared", () => {
  expect(membersOf("log", { data: { desiredDiskCacheSizeMB: 5, disks: [], vendor: 1 } })).toEqual({
    desiredDiskCacheSizeMB: 5,
  });
});

test("a reboot schedule is restored from its crontab fields; one that was never set is disabled", async () => {
  const at = { minute: "1", hour: "2", day: "3", month: "4", dayOfWeek: "*" };
  expect(scheduleBody({ at, enableScheduler: true })).toEqual({ at: "1 2 3 4 *", enableScheduler: true });
  expect(scheduleBody({ at: { ...at, month: "" }, enableScheduler: true })).toEqual({
    enableScheduler: false,
  });
  const month = ((new Date().getUTCMonth() + 4) % 12) + 1;
  const set = (text: string) =>
    gateway.admin.call("setReboot", { json: { at: text, enableScheduler: true } });
  const [remark] = await remarksAfter("reboot-schedule", () => set(`9 2 3 ${month} *`));
  expect(remark).toMatch(/; no operation clears a schedule: one that was never set is only disabled$/);
  await set(`1 2 3 ${month} *`);
  expect(await remarksAfter("reboot-schedule", () => set(`5 6 7 ${month} *`))).toEqual([
    "reboot-schedule differed after the case: restored",
  ]);
  await gateway.admin.call("setReboot", { json: { enableScheduler: false } });
});

test("a service is restored where the profile permits it to be switched, and named where it does not", async () => {
  expect(
    await remarksAfter("services", () => gateway.admin.call("disableService", { path: { id: "ntp" } })),
  ).toEqual(["services differed after the case: restored"]);
  const remarks = await remarksAfter("services", () =>
    gateway.admin.call("enableService", { path: { id: "syslog" } }),
  );
  expect(remarks).toHaveLength(1);
  expect(remarks[0]).toMatch(/; syslog is not among switchableServices of the profile$/);
  await gateway.admin.call("disableService", { path: { id: "syslog" } });
});

test("an event kind is restored", async () => {
  const remarks = await remarksAfter("event-catalogue", () =>
    gateway.admin.call("updateEventKinds", { json: { events: [{ id: 1, enable: false }] } }),
  );
  expect(remarks).toEqual(["event-catalogue differed after the case: restored"]);
});

test("a listener that was moved away is restored, and the harness returns to its address", async () => {
  const baseUrl = gateway.currentBaseUrl();
  const before = await readSetting(gateway, "http-server");
  const port = await gateway.freePort();
  const remarks = await remarksAfter("http-server", async () => {
    await gateway.admin.call("updateHttpServer", { json: { httpPort: port } });
    gateway.movedTo(gateway.urlFor("http", port));
    await expect.poll(() => readSetting(gateway, "http-server")).toMatchObject({ httpPort: port });
  });
  expect(remarks).toEqual(["http-server differed after the case: restored"]);
  expect(gateway.currentBaseUrl()).toBe(baseUrl);
  expect(await readSetting(gateway, "http-server")).toEqual(before);
});

test("listeners are left alone where the profile does not permit changes to them", async () => {
  const before = await readSetting(gateway, "http-server");
  const guarded = { ...profile, capabilities: new Set<CapabilityId>(["httpserver"]) };
  const port = await gateway.freePort();
  const remarks = await remarksAfter(
    "http-server",
    () => gateway.admin.call("updateHttpServer", { json: { httpsPort: port } }),
    guarded,
  );
  expect(remarks[0]).toMatch(/; the profile does not declare listener-changes$/);
  expect(await readSetting(gateway, "http-server")).toEqual({ ...before, httpsPort: port });
});

test("what cannot be restored says why; every part of the state has a restore or a reason", async () => {
  const role = { name: "left-behind", description: "", permissions: [] };
  const remarks = await remarksAfter("accounts", () => gateway.admin.call("createRole", { json: role }));
  expect(remarks[0]).toMatch(/^accounts differs after the case: .*; passwords cannot be read/);
  const without = Object.values(states).flatMap((state) =>
    "unread" in state ? [state.unread] : "none" in state.restore ? [state.restore.none] : [],
  );
  expect(without.filter((reason) => reason.length < 20)).toEqual([]);
  expect(settingNames.every((name) => name in states)).toBe(true);
});

test("a case that reboots or resets is compared with all settings and accounts before it", async () => {
  const disruptive = testCase({
    id: "reset/any",
    title: "Any reset",
    group: "reboot",
    requirements: [],
    effect: "resets",
    touches: ["everything"],
    run: () => Promise.resolve(),
  });
  const snapshot = await takeSnapshot(gateway, disruptive);
  const { admin } = gateway;
  await admin.call("createRole", { json: { name: "night-shift", permissions: ["SYS_USER_RW"] } });
  await writeSetting(gateway, "provision", {
    enable: true,
    schedule: { enable: false, disableAfterSec: 77 },
  });
  const left: Record<string, unknown> = {};
  const remarks = await restore(gateway, profile, snapshot, (domain, now) => void (left[domain] = now));
  expect(remarks.filter((remark) => remark.startsWith("provision"))).toEqual([
    "provision differed after the case: restored",
  ]);
  expect(left).toEqual({
    accounts: {
      ...snapshot.readings.get("accounts"),
      "role night-shift": { name: "night-shift", description: "", permissions: ["SYS_USER_RW"] },
    },
  });
});
