// Small valid records for tests, each changed where a test needs it.
import type { CampaignRecord, CaseRecord } from "../campaign.ts";

/** A complete, conformant run of no cases over a remote gateway at smoke level. */
export function campaignWith(change: Partial<CampaignRecord> = {}): CampaignRecord {
  return {
    format: "rackproof/campaign@1",
    suite: { version: "1.0.0", interface: "Core 2.3.0" },
    gateway: { kind: "remote", name: "gw", version: "1", baseUrl: "http://192.0.2.1" },
    profile: { name: "p", sha256: "00" },
    level: "smoke",
    seed: 1,
    selection: "",
    startedAt: "2027-01-01T00:00:00.000Z",
    endedAt: "2027-01-01T00:01:00.000Z",
    complete: true,
    machine: { cpu: "c", cores: 2, node: "v24", os: "Linux" },
    summary: { verdict: "conformant", pass: 1, fail: 0, inconclusive: 0, error: 0, notApplicable: 0 },
    requirements: [],
    cases: [],
    notes: [],
    ...change,
  };
}

/** A passed case without requirements, checks and measurements. */
export function caseWith(change: Partial<CaseRecord> = {}): CaseRecord {
  return {
    id: "apps/one",
    title: "t",
    group: "apps",
    requirements: [],
    effect: "read-only",
    verdict: "pass",
    durationMs: 1,
    seed: 1,
    checks: [],
    measurements: [],
    notes: [],
    decided: [],
    ...change,
  };
}
