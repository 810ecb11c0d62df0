// The entries of a run's log, `evidence.log`: what the run observed, in the order in which it was observed.
import Type, { type Static } from "typebox";
import { campaignLevels } from "../../interface/vocabulary/levels.ts";

const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const AtMs = Type.Number();
/** Digests of the contents that stand beside the entry, by their names. */
const Digests = Type.Optional(Type.Record(Type.String(), Sha256));

/** The first entry: which suite ran with which choices, and the key that signs. */
export const LogHeader = Type.Object({
  kind: Type.Literal("header"),
  format: Type.Literal("rackproof/log@1"),
  /** Random; it tells the logs of two runs apart. */
  run: Type.String({ pattern: "^[0-9a-f]{32}$" }),
  suite: Type.Object({
    version: Type.String(),
    interface: Type.String(),
    /** Of the program that ran: names and contents of all its source files. */
    sourcesSha256: Sha256,
  }),
  /** The newest frozen requirement set of the suite. */
  requirementSet: Type.Object({ name: Type.String(), sha256: Sha256 }),
  profile: Type.Object({ name: Type.String(), sha256: Type.String() }),
  level: Type.Enum([...campaignLevels]),
  selection: Type.String(),
  seed: Type.Integer(),
  startedAt: Type.String(),
  key: Type.Object({
    /** Raw Ed25519 public key, base64url. */
    x: Type.String({ minLength: 1 }),
    /** Thumbprint (RFC 7638) of the key. */
    id: Type.String(),
    /** True for a key that was made for this run alone and discarded: nobody vouches for it. */
    isOneTime: Type.Boolean(),
  }),
  /** What `rackproof challenge` issued, when the run answers one. */
  challenge: Type.Optional(Type.Unknown()),
  digests: Digests,
});
export type LogHeader = Static<typeof LogHeader>;

const OfCase = { case: Type.String(), atMs: AtMs };

/** A gateway of the run and its rig, as a case can see them (content `facts`). */
const GatewayEntry = Type.Object({
  kind: Type.Literal("gateway"),
  number: Type.Integer(),
  atMs: AtMs,
  /** Wall clock minus monotonic clock. */
  epochOffsetMs: Type.Number(),
  digests: Digests,
});
const CaseStart = Type.Object({
  kind: Type.Literal("case-start"),
  ...OfCase,
  gateway: Type.Integer(),
  baseUrl: Type.String({ format: "url" }),
});
/** A request with its answer; the bodies are contents, `request` and `answer`. */
const ExchangeEntry = Type.Object({
  kind: Type.Literal("exchange"),
  ...OfCase,
  number: Type.Integer(),
  operation: Type.String(),
  session: Type.String(),
  startedMs: Type.Number(),
  durationMs: Type.Number(),
  request: Type.Object({
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
  }),
  answer: Type.Optional(
    Type.Object({
      status: Type.Integer(),
      headers: Type.Record(Type.String(), Type.String()),
      bodyBytes: Type.Integer(),
      /** True where the content is base64, because the body is not UTF-8. */
      isBase64: Type.Optional(Type.Boolean()),
      /** Number of the stream that the answer opened. */
      stream: Type.Optional(Type.Integer()),
    }),
  ),
  noAnswer: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
  digests: Digests,
});
/** Bytes of a stream as they arrived (content `bytes`), or its end. */
const StreamEntry = Type.Object({
  kind: Type.Literal("stream"),
  ...OfCase,
  stream: Type.Integer(),
  isEnd: Type.Optional(Type.Boolean()),
  isBase64: Type.Optional(Type.Boolean()),
  /** Whether the content is deflated, in base64. */
  isPacked: Type.Optional(Type.Boolean()),
  digests: Digests,
});
/** What something other than the gateway's interface answered: a rig, a wire, this machine (content `value`). */
const OutsideEntry = Type.Object({
  kind: Type.Literal("outside"),
  ...OfCase,
  key: Type.String(),
  startedMs: Type.Number(),
  isThrown: Type.Optional(Type.Boolean()),
  digests: Digests,
});
/** What something outside reported by itself (content `value`), such as an observer of a restart. */
const FeedEntry = Type.Object({
  kind: Type.Literal("feed"),
  ...OfCase,
  key: Type.String(),
  number: Type.Integer(),
  digests: Digests,
});
/** Values that a case read at once, without waiting, in order (content `value`). */
const ReadsEntry = Type.Object({
  kind: Type.Literal("reads"),
  ...OfCase,
  key: Type.String(),
  digests: Digests,
});
const CaseEnd = Type.Object({
  kind: Type.Literal("case-end"),
  ...OfCase,
  verdict: Type.String(),
  reasonCode: Type.Optional(Type.String()),
});
/** A signature over everything before. */
const Head = Type.Object({
  kind: Type.Literal("head"),
  at: Type.String(),
  /** Ed25519 signature, base64, of `headText`. */
  signature: Type.String(),
});
/** The last entry before the last head. */
const End = Type.Object({
  kind: Type.Literal("end"),
  at: Type.String(),
  /** False for a run that was interrupted. */
  complete: Type.Boolean(),
  /** SHA-256 of campaign.json and of each file of exchanges. */
  files: Type.Record(Type.String(), Sha256),
});

export const LogEntry = Type.Union([
  LogHeader,
  GatewayEntry,
  CaseStart,
  ExchangeEntry,
  StreamEntry,
  OutsideEntry,
  FeedEntry,
  ReadsEntry,
  CaseEnd,
  Head,
  End,
]);
export type LogEntry = Static<typeof LogEntry>;
/** Schemas by kind, for checking one entry without trying the others. */
export const entrySchemas = {
  header: LogHeader,
  gateway: GatewayEntry,
  "case-start": CaseStart,
  exchange: ExchangeEntry,
  stream: StreamEntry,
  outside: OutsideEntry,
  feed: FeedEntry,
  reads: ReadsEntry,
  "case-end": CaseEnd,
  head: Head,
  end: End,
} as const;
