// The record of a soak, `soak.json`: what scripts and the page read.
import Type, { type Static } from "typebox";

export const soakVerdicts = ["pass", "fail", "inconclusive", "not-measured"] as const;
export type SoakVerdict = (typeof soakVerdicts)[number];

const Count = Type.Integer({ minimum: 0 });

/** How a quantity changed over the time of the soak. */
export const SoakTrend = Type.Object({
  /** Minutes between the first and the last block that count; warm-up and time without a gateway are excluded. */
  minutes: Type.Number(),
  blocks: Count,
  blockSec: Type.Number(),
  /** Theil-Sen estimate of the change over these minutes, and its confidence interval of 95 %. */
  change: Type.Number(),
  low: Type.Number(),
  high: Type.Number(),
  /** Smallest change that counts. */
  threshold: Type.Number(),
  /** One-sided Mann-Kendall test for an increase, corrected for autocorrelation. */
  pValue: Type.Number(),
  /** The same, corrected for the number of quantities (Holm). */
  adjustedPValue: Type.Number(),
  /** Factor by which autocorrelation widens the variance. */
  inflation: Type.Number(),
});
export type SoakTrend = Static<typeof SoakTrend>;

/** One verdict of the soak. */
export const SoakFinding = Type.Object({
  id: Type.String(),
  title: Type.String(),
  verdict: Type.Enum([...soakVerdicts]),
  /** What was found, in one sentence. */
  text: Type.String(),
  unit: Type.Optional(Type.String()),
  trend: Type.Optional(SoakTrend),
  /** Of an inconclusive finding: minutes of soak that are likely to decide it. */
  needsMinutes: Type.Optional(Type.Number()),
});
export type SoakFinding = Static<typeof SoakFinding>;

/** A curve: the mean of the quantity over each stretch of time, in order. */
export const SoakSeries = Type.Object({
  id: Type.String(),
  title: Type.String(),
  unit: Type.String(),
  /** Begin and end of the stretch in seconds of soak, and the value. */
  points: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number()])),
});
export type SoakSeries = Static<typeof SoakSeries>;

export const soakEventKinds = [
  "ordered-reboot",
  "unordered-restart",
  "unreachable",
  "stream-ended",
  "change-deviation",
  "event-lost",
  "error",
  "interruption",
  "note",
] as const;

/** Something that happened at a time. */
export const SoakEvent = Type.Object({
  /** Seconds of soak. */
  sec: Type.Number(),
  at: Type.String(),
  kind: Type.Enum([...soakEventKinds]),
  text: Type.String(),
});
export type SoakEvent = Static<typeof SoakEvent>;

/** Calls of one operation. */
const SoakOperation = Type.Object({
  operation: Type.String(),
  calls: Count,
  /** Calls that were not accepted, by status or `no answer`; those around a restart are not counted. */
  errors: Type.Record(Type.String(), Count),
  /** Milliseconds: mean of the medians of all intervals, and the longest. */
  medianMs: Type.Number(),
  longestMs: Type.Number(),
});

export const SoakRecord = Type.Object({
  format: Type.Literal("rackproof/soak@1"),
  suite: Type.Object({ version: Type.String(), interface: Type.String() }),
  gateway: Type.Object({
    kind: Type.String(),
    name: Type.String(),
    version: Type.String(),
    baseUrl: Type.String(),
    fault: Type.Optional(Type.String()),
  }),
  profile: Type.Object({ name: Type.String(), sha256: Type.String() }),
  seed: Type.Integer(),
  startedAt: Type.String(),
  endedAt: Type.String(),
  /** Seconds that were asked for, and seconds of soak so far: time between an interruption and `--resume` is not counted. */
  plannedSec: Type.Number(),
  soakedSec: Type.Number(),
  complete: Type.Boolean(),
  verdict: Type.Enum(["pass", "fail", "inconclusive"]),
  findings: Type.Array(SoakFinding),
  operations: Type.Array(SoakOperation),
  /** Changes of numbered values on all streams. */
  changes: Type.Object({ received: Count, lost: Count, repeated: Count, disordered: Count }),
  /** Events that the soak created and received on the event stream. */
  events: Type.Object({ created: Count, received: Count, lost: Count, repeated: Count }),
  restarts: Type.Object({ ordered: Count, unordered: Count }),
  /** Parts of the mix that this gateway does not offer, with the reason. */
  omitted: Type.Array(Type.Object({ action: Type.String(), reason: Type.String() })),
  series: Type.Array(SoakSeries),
  /** At most 500, the first of each kind preferred. */
  timeline: Type.Array(SoakEvent),
  /** What the soak changed and could not restore. */
  left: Type.Array(Type.String()),
});
export type SoakRecord = Static<typeof SoakRecord>;
