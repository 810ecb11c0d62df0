// Monitoring: present values, those of the last milliseconds, or a stream of them.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../base/clock.ts";
import { type Answer, type Call, data } from "../../http/handler.ts";
import { badInput, notFound } from "../../base/refusal.ts";
import type { FeedRequest, Feeds } from "./feed.ts";
import { show } from "./frame.ts";
import { runTagStream } from "./streams.ts";
import type { ValueTable } from "./values.ts";

const shortestIntervalMs = 10;
const longestIntervalMs = 86_400_000;

interface MonitorQuery {
  readonly tags?: string;
  readonly ms?: number;
  readonly streamInterval?: number;
  readonly compute?: "diff";
  readonly onChanged?: boolean;
}

export interface Monitored {
  readonly clock: Clock;
  readonly values: ValueTable;
  readonly feeds: Feeds;
  /** All tags of a source at this moment. */
  readonly tagsOf: (provider: string, source: string) => readonly Tag[];
  readonly refresh: (provider: string, source: string) => void;
  readonly isStillAllowed: (call: Call) => boolean;
}

/** Endpoints 13, Get monitoring tag values. Unknown names are ignored; write-only tags are not shown. */
export function monitor(call: Call, { clock, values, feeds, ...monitored }: Monitored): Answer {
  const { provider = "", source = "" } = call.path;
  const { tags, ms, streamInterval, compute, onChanged } = call.query as MonitorQuery;
  if (monitored.tagsOf(provider, source).length === 0) throw notFound(`the source ${provider}/${source}`);
  assertInterval(streamInterval);
  if (ms !== undefined && ms < 0) throw badInput(`query parameter ms: expected 0 or more, found ${ms}`);
  const names = namesOf(tags);
  const readable = (): Tag[] =>
    monitored
      .tagsOf(provider, source)
      .filter((tag) => tag.access !== "w" && (names?.has(tag.tagName) ?? true));
  const refresh = (): void => monitored.refresh(provider, source);
  if (streamInterval !== undefined || onChanged === true) {
    const request: FeedRequest = {
      provider,
      source,
      names,
      intervalMs: streamInterval,
      isDiff: compute === "diff",
    };
    return {
      kind: "stream",
      run: (response) =>
        runTagStream(response, call.signal, clock, feeds, request, { tags: readable, refresh }, () =>
          monitored.isStillAllowed(call),
        ),
    };
  }
  refresh();
  const sinceMs = ms === undefined ? undefined : clock.nowMs() - ms;
  return data(
    readable()
      .flatMap((tag) => {
        const latest = values.latest(tag);
        const samples =
          sinceMs === undefined ? (latest === undefined ? [] : [latest]) : values.since(tag, sinceMs);
        return samples.map((sample) => ({ tag, ...sample }));
      })
      .map(show),
  );
}

function assertInterval(intervalMs: number | undefined): void {
  if (intervalMs === undefined || (intervalMs >= shortestIntervalMs && intervalMs <= longestIntervalMs))
    return;
  throw badInput(
    `query parameter streamInterval: expected ${shortestIntervalMs} to ${longestIntervalMs} milliseconds, found ${intervalMs}`,
  );
}

/** A name is accepted as written, and without blanks around it. */
function namesOf(tags: string | undefined): ReadonlySet<string> | undefined {
  if (tags === undefined || tags === "") return undefined;
  return new Set(tags.split(",").flatMap((name) => [name, name.trim()]));
}
