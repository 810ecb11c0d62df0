// What the log holds of each case, in the order in which the case observed it.
import { messageOf, type LogEntry, type VerifiedLog, decodeValue, unpackText } from "../../record/index.ts";
import { type GatewayFacts, readFacts } from "./gatewayFacts.ts";
import { ReplayFault } from "./replayFault.ts";

type Of<Kind extends LogEntry["kind"]> = Extract<LogEntry, { kind: Kind }>;

export interface RecordedExchange {
  readonly entry: Of<"exchange">;
  readonly requestBody: string | undefined;
  readonly answerBody: string | undefined;
}

interface RecordedAnswer {
  readonly startedMs: number;
  readonly atMs: number;
  readonly isThrown: boolean;
  readonly text: string | undefined;
}

/** A piece of a stream, or its end. */
interface RecordedPiece {
  readonly atMs: number;
  /** Undefined at the end of the stream. Throws ReplayFault when they cannot be read. */
  readonly bytes: (() => Buffer) | undefined;
}

interface RecordedItem {
  readonly atMs: number;
  readonly key: string;
  readonly text: string | undefined;
}

/** When a value was read, and the value where there was one; null where the case did not wait for it. */
export type RecordedRead = readonly [atMs: number, value?: unknown] | null;

export interface CaseEvidence {
  readonly start: Of<"case-start">;
  end: Of<"case-end"> | undefined;
  readonly exchanges: RecordedExchange[];
  readonly streams: Map<number, RecordedPiece[]>;
  readonly outside: Map<string, RecordedAnswer[]>;
  readonly feeds: Map<number, RecordedItem[]>;
  readonly reads: Map<string, RecordedRead[]>;
}

export interface RunEvidence {
  /** A case that was repeated has more than one. */
  readonly cases: ReadonlyMap<string, readonly CaseEvidence[]>;
  readonly gateways: ReadonlyMap<number, { readonly epochOffsetMs: number; readonly facts: GatewayFacts }>;
  /** The profile of the run as the log holds it; undefined when it was redacted. */
  readonly profile: unknown;
}

function decoded(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return decodeValue(text);
  } catch (thrown) {
    throw new ReplayFault(`a content of the log cannot be read: ${messageOf(thrown)}`);
  }
}

/** Each row is null, or an instant in milliseconds and at most one value. */
function readReads(value: unknown, { case: caseId, key }: Of<"reads">): RecordedRead[] {
  const isRead = (row: unknown): row is RecordedRead =>
    row === null || (Array.isArray(row) && typeof row[0] === "number" && row.length <= 2);
  if (Array.isArray(value) && value.every(isRead)) return value;
  throw new ReplayFault(`the readings of ${key} in ${caseId} are not in the format of a log`);
}

/** The evidence of a log. Throws ReplayFault when a content is not what the log's format says. */
export function evidenceOf({ lines }: VerifiedLog): RunEvidence {
  const cases = new Map<string, CaseEvidence[]>();
  const gateways = new Map<number, { epochOffsetMs: number; facts: GatewayFacts }>();
  let profile: unknown;
  for (const { entry, contents } of lines) {
    if (entry.kind === "header") profile = decoded(contents["profile"]);
    else if (entry.kind === "gateway")
      gateways.set(entry.number, {
        epochOffsetMs: entry.epochOffsetMs,
        facts: readFacts(decoded(contents["facts"])),
      });
    else if (entry.kind === "case-start") add(cases, entry.case, emptyEvidence(entry));
    else if ("case" in entry) {
      const evidence = cases.get(entry.case)?.at(-1);
      if (evidence !== undefined) take(evidence, entry, contents);
    }
  }
  for (const { exchanges, outside } of [...cases.values()].flat()) {
    exchanges.sort((a, b) => a.entry.startedMs - b.entry.startedMs);
    for (const answers of outside.values()) answers.sort((a, b) => a.startedMs - b.startedMs);
  }
  return { cases, gateways, profile };
}

/** The bytes of a long stream are made when they are needed. */
function bytesOf({ case: caseId, isBase64 = false, isPacked = false }: Of<"stream">, text: string): Buffer {
  const encoding = isBase64 ? "base64" : "utf8";
  if (!isPacked) return Buffer.from(text, encoding);
  try {
    const unpacked = unpackText(text);
    return isBase64 ? Buffer.from(unpacked.toString("latin1"), encoding) : unpacked;
  } catch {
    throw new ReplayFault(`a stream of ${caseId} is not in the format of a log`);
  }
}

function emptyEvidence(start: Of<"case-start">): CaseEvidence {
  return {
    start,
    end: undefined,
    exchanges: [],
    streams: new Map(),
    outside: new Map(),
    feeds: new Map(),
    reads: new Map(),
  };
}

function take(
  evidence: CaseEvidence,
  entry: Extract<LogEntry, { case: string }>,
  contents: Readonly<Record<string, string>>,
): void {
  switch (entry.kind) {
    case "exchange":
      evidence.exchanges.push({
        entry,
        requestBody: contents["request"],
        answerBody: contents["answer"],
      });
      break;
    case "stream": {
      const text = contents["bytes"];
      const isBytes = text !== undefined && entry.isEnd !== true;
      add(evidence.streams, entry.stream, {
        atMs: entry.atMs,
        bytes: isBytes ? () => bytesOf(entry, text) : undefined,
      });
      break;
    }
    case "outside": {
      const { startedMs, atMs, isThrown = false } = entry;
      add(evidence.outside, entry.key, { startedMs, atMs, isThrown, text: contents["value"] });
      break;
    }
    case "feed":
      add(evidence.feeds, entry.number, { atMs: entry.atMs, key: entry.key, text: contents["value"] });
      break;
    case "reads": {
      const value = decoded(contents["value"]);
      if (value !== undefined) evidence.reads.set(entry.key, readReads(value, entry));
      break;
    }
    case "case-start":
      break;
    case "case-end":
      evidence.end = entry;
      break;
  }
}

function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
