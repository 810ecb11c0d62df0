// Requests, answers, console lines and sightings of the equipment around a restart, on one time line.
import type { RunningGateway } from "../../rigs/index.ts";
import { type Exchange, type Timeline, maskText } from "../../record/index.ts";

/** Start and end on the monotonic clock. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

type Said = RunningGateway["console"][number];

const mostEntries = 400;
const longestText = 200;

/** All entries of the span; undefined without a restart in it. */
export function timelineOf(
  { console, sightings = [] }: Pick<RunningGateway, "console" | "sightings">,
  exchanges: readonly Exchange[],
  span: Span,
): Timeline | undefined {
  const seen = sightings.filter(({ at }) => at.high >= span.fromMs && at.low <= span.toMs);
  const said = console.filter(({ monotonicMs }) => monotonicMs >= span.fromMs && monotonicMs <= span.toMs);
  if (seen.length === 0 && !said.some(speaksOfBoot)) return undefined;
  const entries = [
    ...seen.map(({ observer, what, at, detail }) => ({
      atMs: at.high,
      who: observer,
      what: `${what}: ${detail}`,
      uncertainMs: at.high - at.low,
    })),
    ...said.map(({ monotonicMs, text }) => ({ atMs: monotonicMs, who: "console", what: text })),
    ...exchanges.flatMap(entriesOf),
  ]
    .filter(({ what }) => what.trim() !== "")
    .toSorted((a, b) => a.atMs - b.atMs);
  const originMs = entries[0]?.atMs ?? span.fromMs;
  return {
    title: "Observations of the restart",
    entries: thinned(entries).map(({ atMs, what, ...entry }) => ({
      ...entry,
      atMs: Math.round((atMs - originMs) * 1000) / 1000,
      what: maskText(what).slice(0, longestText),
    })),
  };
}

function entriesOf(exchange: Exchange): { atMs: number; who: string; what: string }[] {
  const { request, answer, noAnswer, startedMs, durationMs, operation } = exchange;
  const name = operation ?? `${request.method} ${new URL(request.url).pathname}`;
  const end = answer === undefined ? (noAnswer?.message ?? "no answer") : `answered ${answer.status}`;
  return [
    { atMs: startedMs, who: "harness", what: `${name} sent (${exchange.number})` },
    { atMs: startedMs + durationMs, who: "gateway", what: `${name} ${end} (${exchange.number})` },
  ];
}

function speaksOfBoot({ text }: Said): boolean {
  return /^\{"ready":true|^board: |^init: /.test(text);
}

/** Most entries poll for the gateway's return; those in the middle carry no information. */
function thinned<T extends { readonly who: string }>(entries: readonly T[]): T[] {
  if (entries.length <= mostEntries) return [...entries];
  const talk = entries.filter(({ who }) => who === "harness" || who === "gateway");
  const spare = new Set(
    talk.slice(mostEntries / 4, Math.max(mostEntries / 4, talk.length - mostEntries / 4)),
  );
  return entries.filter((entry) => !spare.has(entry)).slice(0, 2 * mostEntries);
}
