// What a set detects is counted by its own cases, from a self-test over all faults.
import { expect, test } from "vitest";
import { campaignWith } from "../../record/testing/campaigns.ts";
import type { FaultResult, SelfTestRecord } from "../../record/selfTest.ts";
import { certificatePage } from "../../reports/certificate/certificatePage.ts";
import { frozenSets, newestFrozenSet, readFrozenSet } from "./requirementSet.ts";
import { measureSet, readSetQuality } from "./setQuality.ts";
import { flawlessCertificate } from "./testing/certificates.ts";

const frozen = newestFrozenSet();
const [first] = frozen.set.requirements;
const inSet = first?.id ?? "";
const ownCase = first?.cases[0] ?? "";

function result(fault: string, change: Partial<FaultResult>): FaultResult {
  return {
    fault,
    requirement: inSet,
    subtlety: "plain",
    what: "It is wrong.",
    outcome: "killed",
    noticedBy: ownCase,
    failed: [inSet],
    undecided: [],
    casesRun: 1,
    durationMs: 1,
    ...change,
  };
}

const { noticedBy: _none, ...silent } = result("c", { outcome: "silent", failed: [] });
const selfTest: SelfTestRecord = {
  format: "rackproof/selftest@1",
  suite: "1.2.0",
  level: "nightly",
  seed: 1,
  startedAt: "2027-01-01T00:00:00.000Z",
  endedAt: "2027-01-01T00:20:00.000Z",
  machine: { cpu: "c", cores: 2 },
  faults: 5,
  results: [
    result("a", {}),
    result("b", { noticedBy: "later/case" }),
    silent,
    result("d", { requirement: "CORE-LATER-01", failed: ["CORE-LATER-01"], noticedBy: "later/case" }),
    result("e", { outcome: "killed-by-another" }),
  ],
  gaps: [],
  fallenSilent: [],
};
const coverage = { all: 10, observed: 8, byGroup: [], byKind: [], cells: {}, unobserved: [] };

test("a fault counts as detected when a case of the set detected it", () => {
  const { summary, matrix } = measureSet(frozen, selfTest, campaignWith({ coverage }));
  expect(summary).toMatchObject({
    suite: "1.2.0",
    injected: 4,
    detected: 2,
    undetected: ["b", "c"],
    beyond: 1,
    coverage: { all: 10, observed: 8 },
  });
  expect(matrix.map((row) => [row.fault, row.case])).toEqual([
    ["a", ownCase],
    ["b", ""],
    ["c", ""],
    ["e", ownCase],
  ]);
  expect(() => measureSet(frozen, selfTest, campaignWith())).toThrow("no coverage");
});

test("the quality of every frozen set is measured, and the certificate's page shows it", () => {
  for (const name of frozenSets().keys()) {
    const set = readFrozenSet(name);
    const quality = set === undefined ? undefined : readSetQuality(set);
    expect(quality?.injected).toBeGreaterThan(500);
    expect(quality?.detected).toBe((quality?.injected ?? 0) - (quality?.undetected.length ?? 0));
  }
  const quality = readSetQuality(frozen);
  expect(readSetQuality({ ...frozen, sha256: "another content" })).toBeUndefined();
  const page = certificatePage(flawlessCertificate(quality === undefined ? {} : { setQuality: quality }), {
    fileSha256: "0",
    keyId: "k",
    fileName: "certificate.json",
  });
  expect(page).toContain(`${quality?.detected} of ${quality?.injected} injected faults`);
});
