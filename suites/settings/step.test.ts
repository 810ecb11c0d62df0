import { expect, test } from "vitest";
import { Answer } from "../../harness/transport/answer.ts";
import type { Members, SettingName } from "../../harness/index.ts";
import { comparisonsOf, type Step } from "./step.ts";
import { walkOf } from "./walk.ts";
import { settingWriters, type SettingWriter } from "./writers.ts";

function writerOf(operation: string): SettingWriter {
  const found = settingWriters.find((one) => one.operation === operation);
  if (found === undefined) throw new Error(operation);
  return found;
}

function answer(status = 200): Answer {
  const request = { method: "PUT", url: "http://gateway/x", headers: {} };
  const exchange = {
    number: 1,
    operation: "setLog",
    session: "admin",
    startedMs: 0,
    durationMs: 1,
    request,
  } as const;
  return new Answer("setLog", exchange, status, {}, Buffer.from("{}"));
}

const log: Members = {
  desiredDiskCacheSizeMB: 64,
  enable: true,
  enableTimeToLiveSec: false,
  targetDiskName: "system",
  timeToLiveSec: 10,
};
const events: Members = { ...log, reachThresholdPolicy: "rotate" };

/** Requirements of the comparisons that differ after the step, from what is returned and read. */
function differing(
  step: Step,
  { returned, now, others = events, status = 200 }: Seen,
): (readonly [string, unknown])[] {
  const readings = (own: Members, other: Members) =>
    new Map<SettingName, { members: Members; answer: Answer }>([
      ["log", { members: own, answer: answer() }],
      ["event-configuration", { members: other, answer: answer() }],
    ]);
  return comparisonsOf({
    step,
    answer: answer(status),
    returned: returned ?? now,
    before: readings(log, events),
    after: readings(now, others),
  }).flatMap(({ requirement, observed, isSame }) => (isSame ? [] : [[requirement, observed] as const]));
}

interface Seen {
  readonly now: Members;
  readonly returned?: Members;
  readonly others?: Members;
  readonly status?: number;
}

const set: Step = { writer: writerOf("setLog"), changes: { timeToLiveSec: 20 } };

test("a member that is not stored, a sibling that changes and another setting that changes are distinguished", () => {
  const stored = { ...log, timeToLiveSec: 20 };
  expect(differing(set, { now: stored })).toEqual([]);
  expect(differing(set, { now: log, returned: stored })).toEqual([["CORE-LOG-24", { timeToLiveSec: 10 }]]);
  expect(differing(set, { now: stored, returned: log })).toEqual([["CORE-LOG-24", { timeToLiveSec: 10 }]]);
  const sibling = { ...stored, enable: false };
  expect(differing(set, { now: sibling, returned: stored })).toEqual([["CORE-LOG-22", { enable: false }]]);
  const like = { ...events, timeToLiveSec: 20 };
  expect(differing(set, { now: stored, others: like })).toEqual([["CORE-ROBUST-03", like]]);
});

test("any time to live of 0 or less is unlimited", () => {
  const step = { ...set, changes: { timeToLiveSec: 0 } };
  expect(differing(step, { now: { ...log, timeToLiveSec: -1 } })).toEqual([]);
  expect(differing(step, { now: { ...log, timeToLiveSec: 1 } })).toHaveLength(2);
});

test("where less may be stored, the answer shows it, and every reading agrees", () => {
  const step = { ...set, changes: { desiredDiskCacheSizeMB: 65_537 }, mayBeLess: true };
  const now = (desiredDiskCacheSizeMB: number): Members => ({ ...log, desiredDiskCacheSizeMB });
  expect(differing(step, { now: now(65_537) })).toEqual([]);
  expect(differing(step, { now: now(1024) })).toEqual([]);
  expect(differing(step, { now: now(1) })).toHaveLength(2);
  expect(differing(step, { now: now(1), returned: now(65_537) })).toEqual([
    ["CORE-LOG-21", { desiredDiskCacheSizeMB: 1 }],
  ]);
  expect(differing({ ...step, mayBeLess: false }, { now: now(1024) })).toHaveLength(2);
});

test("a name of an odd form may be replaced by another one, and is shown whole otherwise", () => {
  const targetDiskName = "long-long-rp-word-cert.crt";
  const step = { ...set, changes: { targetDiskName }, mayBeRenamed: true };
  const now = (name: string): Members => ({ ...log, targetDiskName: name });
  expect(differing(step, { now: now(targetDiskName) })).toEqual([]);
  expect(differing(step, { now: now("server.crt") })).toEqual([]);
  for (const changed of ["long-long-rp", "_rp-word-cert.crt", ""])
    expect(differing(step, { now: now(changed) })).toHaveLength(2);
  expect(differing({ ...step, mayBeRenamed: false }, { now: now("server.crt") })).toHaveLength(2);
});

test("a rejected request leaves every member unchanged", () => {
  const wrong = { ...set, wrong: { enable: "maybe" } };
  expect(differing(wrong, { now: log, status: 400 })).toEqual([]);
  const partly = { ...log, timeToLiveSec: 20 };
  expect(differing(wrong, { now: partly, status: 400 }).map(([requirement]) => requirement)).toEqual([
    "CORE-LOG-26",
  ]);
});

test("every member that has another value is changed alone, and files are sent with a whole set", () => {
  const writer = writerOf("setUpgradeConfiguration");
  const present = { isSnapshotSupported: true, caName: "a", certFileName: "b", keyFileName: "c" };
  const facts = {
    present,
    disks: ["system", "sdcard"],
    integer: (min: number) => min,
    epochMs: 0,
    files: {
      ca: "CA",
      caFilename: "new-ca",
      cert: "C",
      certFilename: "new-c",
      key: "K",
      keyFilename: "new-k",
    },
    portFor: () => undefined,
  };
  const taken = walkOf(writer).flatMap((make) => make(facts) ?? []);
  const steps = taken.filter((step) => step.writer === writer);
  // After a set with unusual names, a partial set of something else shows them.
  expect(new Set(taken.flatMap((step) => (step.writer === writer ? [] : [step.writer.operation])))).toEqual(
    new Set(["updateUpgradeConfiguration"]),
  );
  const alone = steps.flatMap(({ changes }) =>
    Object.keys(changes).length === 1 ? Object.keys(changes) : [],
  );
  expect(new Set(alone)).toEqual(
    new Set([
      "allowOverCellular",
      "enableClientAuth",
      "enableSnapshot",
      "retryCount",
      "retryInterval",
      "targetDiskName",
    ]),
  );
  for (const { changes, inputs } of steps)
    expect(inputs?.["certFilename"]).toBe("certFileName" in changes ? changes["certFileName"] : "b");
  const names = new Set(steps.flatMap(({ changes }) => changes["certFileName"] ?? []));
  expect(names.size).toBe(5);
  for (const name of names) expect(name).toMatch(/new-c$/);
});
