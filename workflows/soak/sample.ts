// What a soak writes while it runs, one JSON object a line: `soak.jsonl`. Everything else is made from it.
import Type, { type Static } from "typebox";
import { SoakEvent } from "../../record/index.ts";

const Counts = Type.Record(Type.String(), Type.Integer());

const OperationSample = Type.Object({
  calls: Type.Integer(),
  /** Of ten answers one is faster: what a busy machine changes least. */
  lowMs: Type.Number(),
  medianMs: Type.Number(),
  p99Ms: Type.Number(),
  longestMs: Type.Number(),
  errors: Type.Optional(Counts),
});

export const Sample = Type.Object({
  kind: Type.Literal("sample"),
  at: Type.String(),
  /** Seconds of soak. */
  from: Type.Number(),
  to: Type.Number(),
  /** Counts up with each boot of the gateway, and with each process that resumes the soak. */
  boot: Type.Integer(),
  /** Seconds since that boot at the end of the interval. */
  bootSec: Type.Number(),
  /** True when the gateway was unavailable for a part of the interval. */
  disturbed: Type.Boolean(),
  operations: Type.Record(Type.String(), OperationSample),
  changes: Type.Optional(
    Type.Object({
      received: Type.Integer(),
      lost: Type.Integer(),
      repeated: Type.Integer(),
      disordered: Type.Integer(),
      lowMs: Type.Optional(Type.Number()),
      medianMs: Type.Optional(Type.Number()),
      p99Ms: Type.Optional(Type.Number()),
    }),
  ),
  events: Type.Optional(
    Type.Object({
      created: Type.Integer(),
      received: Type.Integer(),
      lost: Type.Integer(),
      repeated: Type.Integer(),
      medianMs: Type.Optional(Type.Number()),
    }),
  ),
  restarts: Type.Object({ ordered: Type.Integer(), unordered: Type.Integer() }),
  memoryBytes: Type.Optional(Type.Number()),
  diskBytes: Type.Optional(Type.Number()),
  /** Longest time that this machine, or its simulated field devices, stood still. */
  stallMs: Type.Optional(Type.Number()),
  /**
   * Fast answers (one in ten is faster) and median answer time of a server of this machine that always does the same
   * work, and the median of longer work.
   */
  control: Type.Optional(
    Type.Object({ lowMs: Type.Number(), medianMs: Type.Number(), longMs: Type.Optional(Type.Number()) }),
  ),
  harness: Type.Object({ rssBytes: Type.Number(), heapBytes: Type.Number() }),
});
export type Sample = Static<typeof Sample>;

/** The first line: what is needed to resume. */
export const SoakHead = Type.Object({
  kind: Type.Literal("head"),
  format: Type.Literal("rackproof/soak-journal@1"),
  suiteVersion: Type.String(),
  startedAt: Type.String(),
  plannedSec: Type.Number(),
  seed: Type.Integer(),
  /** The gateway as named on the command line, and the options that named it. */
  target: Type.Object({
    gateway: Type.String(),
    profile: Type.Optional(Type.String()),
    rack: Type.Optional(Type.String()),
    fault: Type.Optional(Type.String()),
    variation: Type.Optional(Type.String()),
    without: Type.Optional(Type.Array(Type.String())),
  }),
  /** The mix document. */
  mix: Type.Unknown(),
  gateway: Type.Object({
    kind: Type.String(),
    name: Type.String(),
    version: Type.String(),
    baseUrl: Type.String(),
    fault: Type.Optional(Type.String()),
  }),
  profile: Type.Object({ name: Type.String(), sha256: Type.String() }),
});
export type SoakHead = Static<typeof SoakHead>;

/** The settings as the soak found them, for a restore after any end. */
const SoakFound = Type.Object({
  kind: Type.Literal("found"),
  settings: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
});

const SoakHappening = Type.Object({ kind: Type.Literal("event"), event: SoakEvent });
const SoakOmitted = Type.Object({
  kind: Type.Literal("omitted"),
  omitted: Type.Array(Type.Object({ action: Type.String(), reason: Type.String() })),
});
const SoakEnd = Type.Object({ kind: Type.Literal("end"), left: Type.Array(Type.String()) });

export const JournalLine = Type.Union([SoakHead, SoakFound, SoakOmitted, Sample, SoakHappening, SoakEnd]);
export type JournalLine = Static<typeof JournalLine>;
