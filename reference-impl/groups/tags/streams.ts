// Tag streams: at an interval, or at every change; `diff` sends what a value moved by.
import type { ServerResponse } from "node:http";
import type { Tag } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../clock.ts";
import { openPushStream } from "../../http/pushStream.ts";
import { stringifyJson } from "../../json.ts";
import type { TagValue } from "./dataTypes.ts";
import { keyOf } from "./provider.ts";
import type { Change, ValueTable } from "./valueTable.ts";

export interface StreamRequest {
  readonly provider: string;
  readonly source: string;
  readonly wants: (tag: Tag) => boolean;
  readonly tags: () => readonly Tag[];
  /** Milliseconds between two rounds; undefined streams changes. */
  readonly intervalMs: number | undefined;
  readonly isDiff: boolean;
  /** Brings polled values up to date. */
  readonly refresh: () => void;
  /** Whether the reader may still read; asked at every round. */
  readonly isAllowed: () => boolean;
}

const refreshEveryMs = 100;

export function runTagStream(
  response: ServerResponse,
  signal: AbortSignal,
  clock: Clock,
  values: ValueTable,
  request: StreamRequest,
): void {
  const stop = new DisposableStack();
  const push = openPushStream(response, signal, clock, () => stop.dispose());
  const last = new Map<string, TagValue>();
  const send = (changes: readonly Change[]): void => {
    const text = changes
      .filter(({ tag }) => request.wants(tag))
      .map(
        ({ tag, value, ts }) =>
          `data:${stringifyJson(show(tag, request.isDiff ? moved(last, tag, value) : value, ts))}\n\n`,
      )
      .join("");
    if (text !== "") push.write(text);
  };
  const present = (): Change[] =>
    request.tags().flatMap((tag) => {
      const sample = values.latest(tag);
      return sample === undefined ? [] : [{ tag, ...sample }];
    });

  /** Runs the round again and again, paced against the monotonic clock so that delays do not add up. */
  const every = (periodMs: number, round: () => void): void => {
    let dueMs = clock.monotonicMs() + periodMs;
    let timer: Disposable | undefined;
    const turn = (): void => {
      if (push.ended) return;
      if (!request.isAllowed()) {
        response.end();
        return;
      }
      round();
      dueMs = Math.max(dueMs + periodMs, clock.monotonicMs());
      timer = clock.after(dueMs - clock.monotonicMs(), turn);
    };
    timer = clock.after(periodMs, turn);
    stop.defer(() => timer?.[Symbol.dispose]());
  };

  request.refresh();
  send(present());
  if (request.intervalMs !== undefined) {
    every(request.intervalMs, () => {
      request.refresh();
      send(present());
    });
    return;
  }
  stop.use(values.onChange(request.provider, request.source, send));
  every(refreshEveryMs, request.refresh);
}

export function show(tag: Tag, value: TagValue, ts: number): object {
  return {
    prvdName: tag.prvdName,
    srcName: tag.srcName,
    tagName: tag.tagName,
    dataType: tag.dataType,
    dataValue: value,
    dataUnit: tag.dataUnit,
    ts,
  };
}

/** The difference to the value sent before; the first one, and what has no difference, goes as it is. */
function moved(last: Map<string, TagValue>, tag: Tag, value: TagValue): TagValue {
  const key = keyOf(tag);
  const before = last.get(key);
  last.set(key, value);
  if (before === undefined) return value;
  if (typeof value === "number" && typeof before === "number") return value - before;
  if (
    typeof value === "string" ||
    typeof value === "boolean" ||
    typeof before === "string" ||
    typeof before === "boolean"
  )
    return value;
  const exact = BigInt(value) - BigInt(before);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}
