// Every way to read a tag must show the same value: direct read, monitoring, history, and both kinds of streams.
import { isShallow, keptMs, oneTimeReason, searchesOneTime } from "../support/pastSearch.ts";
import {
  around,
  type CaseContext,
  type Evidence,
  type TagStream,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import type { MonitoredValue, TagDataType } from "../../interface/resources/tags.ts";
import { dataTypes, goodValues, isSameValue, mayBeRejected, sizeFor } from "./values.ts";
import { isRecent, verifyRecent } from "../support/recentTimes.ts";
import { verifyRaw } from "./rawValues.ts";
import { takenIntervalMs } from "../support/streamInterval.ts";

const streamWithinMs = 5000;
/** The first is longer than the case; which ones a gateway takes is not stated. */
const historiesMs = [600_000, 60_000] as const;
/** The shorter one holds what was written within this time of the case. */
const shortCaseMs = 50_000;

type StreamedValue = TagStream["received"][number];

interface TypedTag {
  readonly dataType: TagDataType;
  readonly tagName: string;
  readonly path: { provider: string; source: string; tag: string };
  /** Values written, in order; each differs from the previous one. */
  readonly written: { readonly value: unknown; readonly atMs: number }[];
  /** Views that showed a wrong value, of which further values add no evidence. */
  readonly wrongViews: Set<string>;
  current: unknown;
}

/** What one view shows of a tag. */
interface Shown {
  readonly view: string;
  readonly requirement: string;
  readonly value: unknown;
  readonly dataType: unknown;
  /** Milliseconds since the epoch, as the view shows them. */
  readonly timeMs: number | undefined;
  readonly evidence?: Evidence;
}

const noValue = { value: "no value", dataType: undefined, timeMs: undefined };

export const viewCases: readonly TestCase[] = [
  testCase({
    group: "tags",
    effect: "reversible",
    touches: [],
    addsTo: ["virtual-tags"],
    id: "tags/every-view-shows-written-values",
    title: "Every view shows written values of every data type exactly",
    requirements: [
      "CORE-TAG-14",
      "CORE-TAG-30",
      "CORE-TAG-31",
      "CORE-TAG-48",
      "CORE-TAG-50",
      "CORE-TAG-51",
      "CORE-TAG-52",
    ],
    capabilities: ["tags", "virtual-tags"],
    deadlineMs: 180_000,
    async run(context) {
      const { gateway, verify, declares, scratch, clock } = context;
      const beganMs = clock.nowMs();
      const tags: TypedTag[] = [];
      // The wire form of raw values is not stated.
      for (const dataType of dataTypes.filter((one) => one !== "raw")) {
        const { tagName, path } = await scratch.virtualTag({ dataType, access: "rw", ...sizeFor(dataType) });
        const tag = {
          dataType,
          tagName,
          path,
          written: [],
          wrongViews: new Set<string>(),
          current: undefined,
        };
        if (await write(context, tag, goodValues[dataType].at(-1))) tags.push(tag);
      }
      const [first] = tags;
      if (first === undefined) return;
      const { provider, source } = first.path;
      const names = tags.map(({ tagName }) => tagName).join(",");
      await using stack = new AsyncDisposableStack();
      const streams: { view: string; requirement: string; stream: TagStream }[] = [];
      if (declares("tag-stream")) {
        const streamInterval = await takenIntervalMs(context, first.path);
        for (const [requirement, query] of [
          ["CORE-TAG-52", { onChanged: true }],
          ["CORE-TAG-51", { streamInterval }],
        ] as const) {
          const stream = await gateway.admin.openTagStream({ provider, source }, { tags: names, ...query });
          const view = `stream with ${Object.keys(query).join()}`;
          streams.push({ view, requirement, stream: stack.use(stream) });
        }
      } else
        for (const requirement of ["CORE-TAG-51", "CORE-TAG-52"])
          verify(requirement).notApplicable("values on streams", "the profile declares no tag streams");
      const rounds = Math.max(...tags.map(({ dataType }) => goodValues[dataType].length));
      for (let round = 0; round < rounds; round++) {
        const changed: TypedTag[] = [];
        const marks = new Map(streams.map(({ stream }) => [stream, stream.received.length]));
        for (const tag of tags) {
          const value = goodValues[tag.dataType][round];
          // A value that the tag has already is no change.
          if (value === undefined || isSameValue(tag.dataType, value, tag.current)) continue;
          if (await write(context, tag, value)) changed.push(tag);
        }
        const views = [
          ...(await readDirectly(context, changed)),
          ...(await monitorOnce(context, changed, names)),
          ...(
            await Promise.all(
              streams.map((one) => readStream(context, changed, one, marks.get(one.stream) ?? 0)),
            )
          ).flat(),
        ];
        for (const [tag, shown] of views) judge(context, tag, shown);
      }
      for (const [tag, shown] of await monitorOnce(context, tags)) judge(context, tag, shown);
      await verifyRaw(context);
      await verifyHistory(context, tags, names, clock.nowMs() - beganMs);
    },
  }),
];

async function write({ gateway, verify }: CaseContext, tag: TypedTag, value: unknown): Promise<boolean> {
  const { dataType, path } = tag;
  const answer = await gateway.admin.call("writeTag", { path, json: { dataType, dataValue: value } });
  const requirement = dataType.endsWith("int64") ? "CORE-TAG-31" : "CORE-TAG-30";
  if (mayBeRejected(value) && answer.status >= 400 && answer.status < 500) return false;
  if (!verify(requirement).accepted(answer)) return false;
  tag.current = value;
  tag.written.push({ value, atMs: answer.exchange.startedMs });
  return true;
}

type Seen = readonly [tag: TypedTag, shown: Shown];

function readDirectly({ gateway }: CaseContext, tags: readonly TypedTag[]): Promise<Seen[]> {
  return Promise.all(
    tags.map(async (tag): Promise<Seen> => {
      const answer = await gateway.admin.call("readTag", { path: tag.path });
      const requirement = tag.dataType.endsWith("int64") ? "CORE-TAG-31" : "CORE-TAG-30";
      if (!answer.accepted)
        return [
          tag,
          { view: "direct read", requirement, ...noValue, value: answer.summary(), evidence: answer },
        ];
      const { dataValue, dataType } = answer.body();
      return [
        tag,
        { view: "direct read", requirement, value: dataValue, dataType, timeMs: undefined, evidence: answer },
      ];
    }),
  );
}

/** Monitored values of the tags; without names monitoring returns those of all tags of the source. */
async function monitorOnce(
  { gateway }: CaseContext,
  tags: readonly TypedTag[],
  names?: string,
): Promise<Seen[]> {
  const [first] = tags;
  if (first === undefined) return [];
  const { provider, source } = first.path;
  const evidence = await gateway.admin.call("monitorTags", {
    path: { provider, source },
    query: names === undefined ? {} : { tags: names },
  });
  const values = evidence.accepted ? [evidence.data()].flat() : [];
  return tags.map((tag) => [
    tag,
    {
      view: names === undefined ? "monitoring without `tags`" : "monitoring",
      requirement: "CORE-TAG-48",
      ...partsOf(lastOf(values, tag)),
      evidence,
    },
  ]);
}

/** What the stream shows of each tag after the mark: the written value, or the last one when that is missing. */
async function readStream(
  { waitFor }: CaseContext,
  tags: readonly TypedTag[],
  { view, requirement, stream }: { view: string; requirement: string; stream: TagStream },
  mark: number,
): Promise<Seen[]> {
  const fits = (tag: TypedTag, { value }: StreamedValue): boolean =>
    value.tagName === tag.tagName && isSameValue(tag.dataType, tag.current, value.dataValue);
  const awaited = tags.filter(({ wrongViews }) => !wrongViews.has(view));
  const found = (): (readonly [TypedTag, StreamedValue | undefined])[] => {
    const received = stream.received.slice(mark);
    return awaited.map((tag) => [tag, received.find((one) => fits(tag, one))] as const);
  };
  const areAllThere = (): true | undefined =>
    stream.ended || found().every(([, one]) => one !== undefined) ? true : undefined;
  await waitFor(`all values on the ${view}`, areAllThere, { deadlineMs: streamWithinMs }).catch(
    () => undefined,
  );
  const later = stream.received.slice(mark).map(({ value }) => value);
  return found().map(([tag, one]) => [
    tag,
    {
      view,
      requirement,
      ...partsOf(one?.value ?? lastOf(later, tag)),
      evidence: around(stream, one?.receivedMs),
    },
  ]);
}

function lastOf(values: readonly MonitoredValue[], { tagName }: TypedTag): MonitoredValue | undefined {
  return values.findLast((one) => one.tagName === tagName);
}

function partsOf(value: MonitoredValue | undefined): Pick<Shown, "value" | "dataType" | "timeMs"> {
  return value === undefined
    ? noValue
    : { value: value.dataValue as unknown, dataType: value.dataType, timeMs: Number(value.ts) };
}

function judge(context: CaseContext, tag: TypedTag, shown: Shown): void {
  const { verify } = context;
  const { view, requirement, value, dataType, timeMs, evidence } = shown;
  if (tag.wrongViews.has(view)) return;
  const withEvidence = evidence === undefined ? {} : { evidence };
  const isRight = verify(requirement).that(isSameValue(tag.dataType, tag.current, value), {
    what: `value of a ${tag.dataType} tag by ${view} after a write`,
    expected: String(tag.current),
    observed: value,
    ...withEvidence,
  });
  if (!isRight) tag.wrongViews.add(view);
  if (!isRight) return;
  verify(requirement).that(dataType === tag.dataType, {
    what: `\`dataType\` of a ${tag.dataType} tag by ${view}`,
    expected: tag.dataType,
    observed: dataType,
    ...withEvidence,
  });
  if (timeMs === undefined) return;
  verifyRecent(context, "CORE-TAG-14", {
    what: `\`ts\` by ${view} right after a write`,
    shown: timeMs,
    ...withEvidence,
  });
}

async function verifyHistory(
  context: CaseContext,
  tags: readonly TypedTag[],
  names: string,
  lastedMs: number,
): Promise<void> {
  const { clock, gateway, profile, verify, waitFor } = context;
  const [first] = tags;
  if (first === undefined) return;
  const { provider, source } = first.path;
  const ask = (ms: number) =>
    gateway.admin.call("monitorTags", { path: { provider, source }, query: { tags: names, ms } });
  let historyMs: number = historiesMs[0];
  let answer = await ask(historyMs);
  if (answer.rejected) {
    if (lastedMs > shortCaseMs)
      return verify("CORE-TAG-50").notApplicable("values of long ago", `the gateway rejects ms=${historyMs}`);
    [, historyMs] = historiesMs;
    answer = await ask(historyMs);
  }
  if (!verify("CORE-TAG-50").accepted(answer)) return;
  let values = [answer.data()].flat();
  const shownOf = ({ tagName }: TypedTag): unknown[] =>
    values.filter((one) => one.tagName === tagName).map(({ dataValue }) => dataValue as unknown);
  /** Values of a tag that the answer lacks, without those that may be too old at this time. */
  const missingOf = (tag: TypedTag): unknown[] => {
    const shown = shownOf(tag);
    const isSame = (value: unknown, one: unknown): boolean => isSameValue(tag.dataType, value, one);
    const written = tag.written.map(({ value }) => value);
    if (isShallow(shown, written, isSame)) return [];
    const young = tag.written.filter(({ atMs }) => clock.nowMs() - atMs < keptMs(context));
    return young.map(({ value }) => value).filter((value) => !shown.some((one) => isSame(value, one)));
  };
  // How soon a search has a value is not stated.
  const isSettled = async (): Promise<true | undefined> => {
    if (tags.every((tag) => missingOf(tag).length === 0)) return true;
    answer = await ask(historyMs);
    if (answer.accepted) values = [answer.data()].flat();
    return undefined;
  };
  await waitFor("written values in a search", isSettled, { deadlineMs: profile.patience.settleMs }).catch(
    () => undefined,
  );
  verify("CORE-TAG-14").equal(
    values.map(({ ts }) => Number(ts)).filter((ts) => !isRecent(context, ts)),
    [],
    `\`ts\` of values with \`ms=${historyMs}\` that are not of the last minutes`,
    answer,
  );
  for (const tag of tags) {
    const { dataType } = tag;
    const missing = missingOf(tag);
    if (missing.length > 0 && shownOf(tag).length < 2 && (await searchesOneTime(context)))
      return verify("CORE-TAG-50").notApplicable(`values with \`ms=${historyMs}\``, oneTimeReason);
    verify("CORE-TAG-50").that(missing.length === 0, {
      what: `values of a ${dataType} tag written within the last ${historyMs} ms and missing with \`ms=${historyMs}\``,
      expected: "none",
      observed: missing.length === 0 ? "none" : missing.map(String),
      evidence: answer,
    });
  }
}
