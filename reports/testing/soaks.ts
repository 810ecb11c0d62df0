// A soak with a finding of each verdict and an event of each kind, in which every text is the same.
import { soakEventKinds, type SoakRecord, soakVerdicts } from "../../record/index.ts";

const trend = {
  minutes: 11,
  blocks: 66,
  blockSec: 10,
  change: 12,
  low: 9,
  high: 15,
  threshold: 5,
  pValue: 0.00001,
  adjustedPValue: 0.00002,
  inflation: 1.4,
};

export function soakOf(text: string): SoakRecord {
  const startedAt = "2027-01-01T00:00:00.000Z";
  return {
    format: "rackproof/soak@1",
    suite: { version: "1", interface: "Core 2.3.0" },
    gateway: { kind: "process", name: text, version: text, baseUrl: text, fault: text },
    profile: { name: text, sha256: "0" },
    seed: 1,
    startedAt,
    endedAt: "2027-01-01T00:15:00.000Z",
    plannedSec: 900,
    soakedSec: 880,
    complete: false,
    verdict: "fail",
    findings: soakVerdicts.map((verdict) => ({
      id: verdict,
      title: text,
      verdict,
      text,
      unit: "ms",
      trend,
      needsMinutes: 30,
    })),
    operations: [{ operation: text, calls: 3, errors: { [text]: 1 }, medianMs: 1, longestMs: 9 }],
    changes: { received: 1_000_000, lost: 1, repeated: 0, disordered: 0 },
    events: { created: 3, received: 3, lost: 0, repeated: 0 },
    restarts: { ordered: 1, unordered: 1 },
    omitted: [{ action: text, reason: text }],
    series: ["memory", "operation/getLog"].map((id) => ({
      id,
      title: text,
      unit: "MiB",
      points: Array.from({ length: 88 }, (_, index) => [index * 10, index * 10 + 10, 400 + (index % 7)]),
    })),
    timeline: soakEventKinds.map((kind, index) => ({ sec: index * 90, at: startedAt, kind, text })),
    left: [text],
  };
}
