// The events of a campaign or a night while it runs, line by line in `live.jsonl` of its folder: for `watch`, and for
// the progress of a killed run.
import Type, { type Static } from "typebox";
import { verdicts } from "../../record/index.ts";
import { campaignLevels } from "../../interface/vocabulary/levels.ts";

const Verdict = Type.Enum([...verdicts]);
const At = { at: Type.Number() };

/** Every event has the wall time in milliseconds as `at`. */
export const LiveEvent = Type.Union([
  /** A campaign begins. */
  Type.Object({
    ...At,
    kind: Type.Literal("campaign"),
    gateway: Type.String(),
    level: Type.Enum([...campaignLevels]),
    selection: Type.String(),
  }),
  Type.Object({ ...At, kind: Type.Literal("ready"), name: Type.String(), baseUrl: Type.String() }),
  Type.Object({ ...At, kind: Type.Literal("planned"), count: Type.Integer() }),
  Type.Object({ ...At, kind: Type.Literal("started"), case: Type.String() }),
  Type.Object({
    ...At,
    kind: Type.Literal("finished"),
    case: Type.String(),
    verdict: Verdict,
    durationMs: Type.Number(),
    reason: Type.Optional(Type.String()),
    reasonCode: Type.Optional(Type.String()),
    decided: Type.Array(Type.Object({ requirement: Type.String(), verdict: Verdict })),
  }),
  Type.Object({ ...At, kind: Type.Literal("remark"), text: Type.String() }),
  Type.Object({ ...At, kind: Type.Literal("console"), lines: Type.Array(Type.String()) }),
  /** The load of the streams since the last such event: values a second, and the latest latencies in milliseconds. */
  Type.Object({
    ...At,
    kind: Type.Literal("stream"),
    valuesPerSec: Type.Number(),
    latencyMs: Type.Optional(Type.Object({ median: Type.Number(), highest: Type.Number() })),
  }),
  /** A night: the state of each gateway of the rack. */
  Type.Object({
    ...At,
    kind: Type.Literal("turn"),
    gateway: Type.String(),
    state: Type.Enum(["waiting", "held", "checking", "running", "set-aside", "done"]),
    /** Folder of the running attempt, relative to the night's. */
    folder: Type.Optional(Type.String()),
    attempt: Type.Optional(Type.Integer()),
    note: Type.Optional(Type.String()),
  }),
  Type.Object({ ...At, kind: Type.Literal("ended"), text: Type.String() }),
]);
export type LiveEvent = Static<typeof LiveEvent>;

/** An event without its time. */
export type LiveNews = LiveEvent extends infer Event
  ? Event extends LiveEvent
    ? Omit<Event, "at">
    : never
  : never;
