// A record whose every text comes from a hostile gateway, for the tests of the reports.
import type { CampaignRecord, CaseRecord, Exchange, Transcript } from "../../record/index.ts";

const hostile = `</script><script>alert(1)</script> ]]> <!-- \`\`\` & "quoted" 'single' \u0000\u0007\u001b[31m \ud800 \uffff \u202egnp.exe é 漢 🙂`;

const spread = {
  name: `spread ${hostile}`,
  unit: "ms",
  count: 4,
  min: 0.4,
  max: 100,
  percentiles: [
    [50, 2],
    [99, 100],
  ] satisfies [number, number][],
  classes: [
    [0.5012, 1],
    [1.995, 2],
    [100, 1],
  ] satisfies [number, number][],
};

export const transcript: Transcript = {
  checkedAtMs: 1500,
  endedAtMs: 1400,
  lines: [
    { atMs: 250.5, line: `data:{"dataValue":11} ${hostile}` },
    { atMs: 1600, line: "data:late" },
  ],
};

export function caseRecord(id: string, verdict: CaseRecord["verdict"], requirement: string): CaseRecord {
  const passed = verdict === "pass";
  return {
    id,
    title: `Title of ${id} ${hostile}`,
    group: "reboot",
    requirements: [requirement],
    effect: "read-only",
    verdict,
    durationMs: 1234.5,
    seed: 7,
    ...(passed
      ? {}
      : { reason: `because ${hostile}`, reasonCode: "some-code", reproduce: `rackproof run '${hostile}'` }),
    ...(verdict === "fail" ? { curl: `curl '${hostile}'` } : {}),
    checks:
      verdict === "not-applicable"
        ? []
        : [
            {
              requirement,
              verdict,
              what: `what ${hostile}`,
              expected: `exp ${hostile}`,
              observed: `obs ${hostile}`,
              exchange: 1,
              ...(passed ? {} : { transcript }),
            },
          ],
    measurements: [
      {
        name: "delay",
        unit: "s",
        low: 7.8,
        high: 8.02,
        limitLow: 4.5,
        limitHigh: 5.5,
        observers: ["console line"],
        seenBy: [{ observer: `console ${hostile}`, low: 7.7, high: 8.02 }],
      },
    ],
    ...(verdict === "fail" ? figures : {}),
    notes: [hostile],
    decided: [{ requirement, verdict }],
  };
}

const figures: Partial<CaseRecord> = {
  timelines: [
    {
      title: `Restart ${hostile}`,
      entries: [
        { atMs: 0, who: hostile, what: hostile },
        { atMs: 900, who: "console", what: hostile, uncertainMs: 20 },
      ],
    },
  ],
  distributions: [spread],
  loadTrials: [
    { clients: 1, changesPerSec: 500, received: 1000, lost: 0, repeated: 0, disordered: 0 },
    { clients: 4, changesPerSec: 2000, received: 900, lost: 100, repeated: 0, disordered: 0 },
  ],
  cadences: [{ name: hostile, intervalMs: 100, gapsMs: [99, 101, 100] }],
};

export const cases = [
  caseRecord("reboot/passes", "pass", "CORE-REBOOT-01"),
  caseRecord("reboot/fails", "fail", "CORE-REBOOT-02"),
  caseRecord("reboot/errs", "error", "CORE-REBOOT-03"),
  caseRecord("reboot/inconclusive", "inconclusive", "CORE-REBOOT-04"),
  caseRecord("reboot/absent", "not-applicable", "CORE-REBOOT-05"),
];

export const record: CampaignRecord = {
  format: "rackproof/campaign@1",
  suite: { version: "0.1.0", interface: "Core 2.3.0" },
  gateway: {
    kind: "remote",
    name: `gw ${hostile}`,
    version: "1",
    baseUrl: "javascript:alert(1)",
    tls: [{ fingerprint: "ab12", subject: hostile, issuer: hostile, validTo: hostile }],
  },
  profile: { name: "p", sha256: "00" },
  level: "nightly",
  seed: 7,
  selection: "",
  startedAt: "2026-03-01T02:00:00.000Z",
  endedAt: "2026-03-01T02:47:31.000Z",
  complete: true,
  machine: { cpu: "c", cores: 2, node: "v24", os: "Linux" },
  summary: { verdict: "non-conformant", pass: 1, fail: 1, inconclusive: 1, error: 1, notApplicable: 1 },
  requirements: cases.map((one) => ({
    id: one.requirements[0] ?? "",
    level: "stated" as const,
    group: "reboot",
    statement: `Statement of ${one.id} ${hostile}`,
    place: "Endpoints 5",
    verdict: one.verdict,
    cases: [one.id],
  })),
  cases,
  signIn: `TOKEN=$(curl '${hostile}')`,
  answerTimes: { all: spread, operations: [spread] },
  rig: {
    controls: ["power"],
    devices: [
      {
        name: hostile,
        kind: "modbus-tcp",
        simulated: true,
        address: hostile,
        points: 3,
        pollIntervalsMs: [20, 100],
      },
    ],
    missing: [hostile],
  },
  notes: [hostile],
};

export const exchange: Exchange = {
  number: 1,
  operation: "setReboot",
  session: "admin",
  startedMs: 500,
  durationMs: 12,
  request: {
    method: "PUT",
    url: "http://127.0.0.1/a?b=<c>",
    headers: { "x-y": hostile },
    body: `{"id":12345678901234567890}`,
  },
  answer: { status: 400, headers: {}, body: hostile, bodyBytes: 99 },
};

export const exchangesOf = (caseId: string): readonly Exchange[] =>
  caseId === "reboot/fails" ? [exchange] : [];
