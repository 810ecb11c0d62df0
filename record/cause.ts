// What a new failure comes from, as further turns under changed conditions show it.
import Type, { type Static } from "typebox";

/** What a turn can change. */
const causeParts = ["firmware", "suite", "unit", "rig"] as const;
export type CausePart = (typeof causeParts)[number];

/** `flaky`: it fails only sometimes, whatever is changed. `unknown`: none of them explains the evidence well enough. */
export const causeVerdicts = [...causeParts, "flaky", "unknown"] as const;
export type CauseVerdict = (typeof causeVerdicts)[number];

const Count = Type.Object({ failed: Type.Integer(), passed: Type.Integer() });

const CauseTurn = Type.Object({
  /** What differs from the turn that failed; nothing for the same again. */
  changed: Type.Array(Type.Enum([...causeParts])),
  gateway: Type.String(),
  firmware: Type.Optional(Type.String()),
  suite: Type.String(),
  /** False for a result of the same night, which cost no turn. */
  isExtra: Type.Boolean(),
  /** By case; a case without a count neither failed nor passed. */
  counts: Type.Record(Type.String(), Count),
  /** A part of the wiring that worked in the night and failed then. */
  brokenWire: Type.Optional(Type.String()),
  /** Why there is no evidence. */
  note: Type.Optional(Type.String()),
  /** Host and folder of the first run. */
  evidence: Type.Optional(Type.String()),
});
export type CauseTurn = Static<typeof CauseTurn>;

const CauseCase = Type.Object({
  id: Type.String(),
  requirements: Type.Array(Type.String()),
  verdict: Type.Enum([...causeVerdicts]),
  /** Probability of each possible cause. */
  odds: Type.Record(Type.String(), Type.Number()),
});
export type CauseCase = Static<typeof CauseCase>;

/** The search for the cause of the new failures of one gateway in one night. */
export const Cause = Type.Object({
  night: Type.Integer(),
  gateway: Type.String(),
  firmware: Type.Optional(Type.String()),
  suite: Type.String(),
  cases: Type.Array(CauseCase),
  turns: Type.Array(CauseTurn),
  /** Why the search ended before a verdict. */
  note: Type.Optional(Type.String()),
});
export type Cause = Static<typeof Cause>;
