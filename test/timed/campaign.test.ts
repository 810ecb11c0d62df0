import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StateDomain } from "../../harness/index.ts";
import type { Exchange } from "../../record/index.ts";
import { readCampaign } from "../../record/store.ts";
import { suite } from "../../suites/index.ts";
import { settingWriters } from "../../suites/settings/writers.ts";
import { rackproof } from "../support/commandLine.ts";
import { nightlyRun } from "../support/sharedRuns.ts";

test("a full campaign on the embedded gateway is conformant and leaves a whole record", async () => {
  const { folder, exitCode, stdout, stderr } = await nightlyRun();
  expect({
    exitCode,
    open: stderr.split("\n").filter((line) => /^(fail|error|inconclusive) /.test(line)),
  }).toEqual({ exitCode: 0, open: [] });
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "conformant", fail: 0, inconclusive: 0, error: 0 });
  const record = await readCampaign(folder);
  expect(record.complete).toBe(true);
  const uncovered = record.requirements.filter(
    (one) => one.level === "stated" && one.verdict === "not-covered" && one.reason?.startsWith("no case"),
  );
  expect(uncovered.map((one) => one.id)).toEqual([]);
  expect(await readdir(folder)).toEqual(
    expect.arrayContaining([
      "allure-results",
      "campaign.json",
      "console.log",
      "exchanges",
      "junit.xml",
      "report.html",
    ]),
  );
  expect((await readdir(join(folder, "exchanges"))).length).toBeGreaterThan(100);
});

/** What an operation writes; cases that write the same thing never run side by side. */
const written: Readonly<Record<string, readonly StateDomain[]>> = {
  ...Object.fromEntries(settingWriters.map(({ operation, setting }) => [operation, [setting]])),
  applyConfiguration: ["everything"],
  enableService: ["services"],
  disableService: ["services"],
  createRole: ["accounts"],
  updateRole: ["accounts"],
  addUser: ["accounts"],
  updateUser: ["accounts"],
  updateUserPassword: ["accounts"],
  updateCurrentUser: ["accounts"],
  updateCurrentUserPassword: ["accounts"],
  createEvent: ["event-log"],
  updateEventKinds: ["event-catalogue"],
  operateApp: ["apps"],
  createUpgradeJob: ["upgrade-jobs"],
  operateUpgradeJob: ["upgrade-jobs"],
  createVirtualTag: ["virtual-tags"],
  updateVirtualTag: ["virtual-tags"],
  deleteVirtualTag: ["virtual-tags"],
};

test("no case writes what it does not touch, because another case may use it at the same time", async () => {
  const { folder } = await nightlyRun();
  const { cases } = await readCampaign(folder);
  const wrong: string[] = [];
  let writes = 0;
  for (const testCase of suite) {
    const { id, touches, addsTo = [], alone, effect } = testCase;
    const mayWrite: readonly string[] = [...touches, ...addsTo];
    if (!cases.some((one) => one.id === id) || alone === true || effect === "reboots" || effect === "resets")
      continue;
    const file = join(folder, "exchanges", `${id.replace("/", ".")}.json`);
    const exchanges = JSON.parse(await readFile(file, "utf8").catch(() => "[]")) as Exchange[];
    const domains = new Set(
      exchanges.flatMap(({ operation, answer }) =>
        answer !== undefined && answer.status < 300 ? (written[operation] ?? []) : [],
      ),
    );
    writes += domains.size;
    for (const domain of domains)
      if (!mayWrite.includes(domain) && !mayWrite.includes("everything")) wrong.push(`${id}: ${domain}`);
  }
  expect(wrong).toEqual([]);
  expect(writes).toBeGreaterThan(100);
});

/** Operations that create a thing, and those that change the thing whose id is in their path. */
const creating: ReadonlySet<string> = new Set(["createRole", "addUser"]);
const changing: ReadonlySet<string> = new Set(["updateRole", "updateUser", "updateUserPassword"]);

test("a case that only adds accounts changes no others", async () => {
  const { folder } = await nightlyRun();
  const wrong: string[] = [];
  let changes = 0;
  for (const { id, touches, addsTo = [] } of suite) {
    if (!addsTo.includes("accounts") || touches.includes("accounts")) continue;
    const file = join(folder, "exchanges", `${id.replace("/", ".")}.json`);
    const exchanges = JSON.parse(await readFile(file, "utf8").catch(() => "[]")) as Exchange[];
    const own = new Set<string>();
    for (const { operation, request, answer } of exchanges) {
      if (answer === undefined || answer.status >= 300) continue;
      if (creating.has(operation)) own.add(/"id":(\d+)/.exec(answer.body ?? "")?.[1] ?? "");
      if (!changing.has(operation)) continue;
      changes += 1;
      const [, changed = ""] = /\/(?:roles|users)\/(\d+)/.exec(request.url) ?? [];
      if (!own.has(changed)) wrong.push(`${id}: ${operation} of ${changed}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(changes).toBeGreaterThan(50);
});

test("a command that cannot be used is reported in one line and ends with 2", async () => {
  const { exitCode, stderr } = await rackproof(["run", "http://127.0.0.1:1"]);
  expect(exitCode).toBe(2);
  expect(stderr.trim()).toMatch(/^rackproof: .*--profile FILE.*\[PROFILE_MISSING\]$/);
});
