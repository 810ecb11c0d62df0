// Tags that change by themselves: their values must move in monitoring and on both kinds of streams.
import { keptMs, oneTimeReason, searchesOneTimeOf } from "../support/pastSearch.ts";
import { type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import type { DirectRead, MonitoredValue } from "../../interface/resources/tags.ts";
import { takenIntervalMs } from "../support/streamInterval.ts";

/** Different values that each view must show of each tag; a boolean has no more than two. */
const leastValues = 3;
const leastBooleans = 2;
const shortestWaitMs = 10_000;

/** A processor that is busy all the time stands at this percentage. */
const highestPercentage = 100;

/** Direct reads may be older than monitoring; a value that never moves is not the value of the tag. */
const leastReads = 2;
const clockSlackMs = 5 * 60_000;

interface View {
  readonly name: string;
  readonly requirement: string;
  /** The values received so far, in order. */
  readonly values: () => readonly MonitoredValue[];
  readonly stream?: TagStream;
}

const differentOf = (values: readonly MonitoredValue[], tag: string): number =>
  new Set(values.filter(({ tagName }) => tagName === tag).map(({ dataValue }) => String(dataValue))).size;

const leastOf = (values: readonly MonitoredValue[], tag: string): number =>
  values.find(({ tagName }) => tagName === tag)?.dataType === "boolean" ? leastBooleans : leastValues;

export const liveCases: readonly TestCase[] = [
  testCase({
    group: "tags",
    effect: "read-only",
    touches: [],
    id: "tags/live-tags-move",
    title: "Live tags change by themselves in monitoring and on streams",
    requirements: [
      "CORE-TAG-11",
      "CORE-TAG-13",
      "CORE-TAG-14",
      "CORE-TAG-18",
      "CORE-TAG-19",
      "CORE-TAG-21",
      "CORE-TAG-22",
      "CORE-TAG-34",
      "CORE-TAG-50",
      "CORE-TAG-51",
      "CORE-TAG-52",
    ],
    capabilities: ["tags", "tag-stream"],
    deadlineMs: 90_000,
    async run(context) {
      const { gateway, profile, waitFor } = context;
      const { liveTags } = profile;
      if (liveTags === undefined) return context.notApplicable("the profile declares no live tags");
      const { provider, source, tags } = liveTags;
      const names = { tags: tags.join(",") };
      const open = (query: object): Promise<TagStream> =>
        gateway.admin.openTagStream({ provider, source }, { ...names, ...query });
      await using changes = await open({ onChanged: true });
      const [tag = ""] = tags;
      const streamInterval = await takenIntervalMs(context, { provider, source, tag });
      await using paced = await open({ streamInterval });
      const monitored: MonitoredValue[] = [];
      const streamed = (stream: TagStream) => () => stream.received.map(({ value }) => value);
      const views: readonly View[] = [
        { name: "monitoring", requirement: "CORE-TAG-22", values: () => monitored },
        {
          name: "stream with streamInterval",
          requirement: "CORE-TAG-51",
          values: streamed(paced),
          stream: paced,
        },
        {
          name: "stream with onChanged",
          requirement: "CORE-TAG-52",
          values: streamed(changes),
          stream: changes,
        },
      ];
      // Whether all tags of a source can be read directly is not stated: one that is rejected is left out.
      const reads = new Map<string, DirectRead[]>(tags.map((tag) => [tag, []]));
      const withinMs = Math.max(profile.patience.settleMs, shortestWaitMs);
      await waitFor(
        `${leastValues} different values of each live tag`,
        async () => {
          const answer = await gateway.admin.call("monitorTags", {
            path: { provider, source },
            query: names,
          });
          monitored.push(...[answer.data()].flat());
          for (const [tag, seen] of reads) {
            const one = await gateway.admin.call("readTag", { path: { provider, source, tag } });
            if (one.accepted) seen.push(one.body());
            else reads.delete(tag);
          }
          const areReadsMoving = [...reads.values()].every((seen) =>
            [valuesOf(seen), timesOf(seen)].every((different) => different.size >= leastReads),
          );
          const isMoving = views.every(({ values }) =>
            tags.every((tag) => differentOf(values(), tag) >= leastOf(values(), tag)),
          );
          return isMoving && areReadsMoving ? true : undefined;
        },
        { deadlineMs: withinMs, everyMs: 50 },
      ).catch(() => undefined);
      const standing = tags.filter((tag) => stands(views, reads.get(tag) ?? [], tag));
      const decided = [...views.map(({ requirement }) => requirement), "CORE-TAG-14", ...readRequirements];
      for (const tag of standing)
        for (const requirement of decided)
          context.verify(requirement).notApplicable(`the live tag ${tag}`, standingReason);
      const slow = tags.filter((tag) => !standing.includes(tag) && isSlow(views, tag));
      for (const tag of slow)
        for (const requirement of decided)
          context.verify(requirement).notApplicable(`the live tag ${tag}`, slowReason(withinMs));
      const moving = tags.filter((tag) => !standing.includes(tag) && !slow.includes(tag));
      for (const view of views) for (const tag of moving) judge(context, view, tag, withinMs);
      await verifyHistory(context, liveTags, monitored);
      await verifyListed(context, liveTags, views);
      for (const [tag, seen] of reads)
        if (moving.includes(tag)) judgeReads(context, seen, { tag, monitored, withinMs });
      if (reads.size === 0)
        for (const requirement of readRequirements)
          context
            .verify(requirement)
            .notApplicable("direct reads of live tags", "the gateway rejects direct reads of its live tags");
    },
  }),
];

/** Decided by direct reads. */
const readRequirements = ["CORE-TAG-18", "CORE-TAG-19", "CORE-TAG-34"];
const standingReason = `every view shows ${highestPercentage}, at which a busy processor stands`;

/** Whether the tag moves, but more seldom than views can be compared by: one of them may open without its value. */
const isSlow = (views: readonly View[], tag: string): boolean => {
  const counts = views.map(({ values }) => [differentOf(values(), tag), leastOf(values(), tag)] as const);
  return (
    counts.every(([different, least]) => different <= least) &&
    counts.some(([different, least]) => different > 1 && different < least)
  );
};
const slowReason = (withinMs: number): string =>
  `no view shows more than ${leastValues} values of it within ${withinMs / 1000} s`;

/** Whether every view shows the tag at the end of its range, and nothing else. */
function stands(views: readonly View[], reads: readonly DirectRead[], tag: string): boolean {
  const seen = views.map(({ values }) => values().filter(({ tagName }) => tagName === tag));
  return (
    seen.every((values) => values.length > 0) &&
    [...seen.flat(), ...reads].every(({ dataValue }) => Number(dataValue) === highestPercentage)
  );
}

type LiveTags = NonNullable<CaseContext["profile"]["liveTags"]>;

/** Between the last two changes of a tag; where monitoring showed one only, the watch may have taken so long. */
function periodMs(values: readonly MonitoredValue[], tag: string): number {
  const changes = values
    .filter(({ tagName }) => tagName === tag)
    .filter(({ dataValue }, index, own) => index > 0 && own[index - 1]?.dataValue !== dataValue)
    .map(({ ts }) => Number(ts));
  const [before, last] = changes.slice(-2);
  return last === undefined || before === undefined ? shortestWaitMs : last - before;
}

/** Checks that the history of each tag that changes often enough has more than the present value. */
async function verifyHistory(
  context: CaseContext,
  { provider, source, tags }: LiveTags,
  monitored: readonly MonitoredValue[],
): Promise<void> {
  const { gateway, verify, waitFor } = context;
  const query = { tags: tags.join(","), ms: 60_000 };
  const moving = tags.filter(
    (tag) => differentOf(monitored, tag) > 1 && 2 * periodMs(monitored, tag) < keptMs(context),
  );
  let answer = await gateway.admin.call("monitorTags", { path: { provider, source }, query });
  const still = (): string[] => {
    const values = answer.accepted ? [answer.data()].flat() : [];
    return moving.filter((tag) => differentOf(values, tag) < 2);
  };
  const what = "live tags whose history with `ms=60000` does not show two different values";
  let isOneTime = false;
  // A history may be sampled.
  await waitFor(
    "a history of each live tag",
    async () => {
      const found = still().map((tag) => searchesOneTimeOf(context, { provider, source, tag }));
      isOneTime = found.length > 0 && (await Promise.all(found)).every(Boolean);
      if (found.length === 0 || isOneTime) return true;
      answer = await gateway.admin.call("monitorTags", { path: { provider, source }, query });
      return undefined;
    },
    { deadlineMs: shortestWaitMs, everyMs: 500 },
  ).catch(() => undefined);
  if (isOneTime) return verify("CORE-TAG-50").notApplicable(what, oneTimeReason);
  verify("CORE-TAG-50").equal(still(), [], what, answer);
}

/** Checks that each view shows the live tags with the type and the unit that List tags shows. */
async function verifyListed(
  { gateway, verify }: CaseContext,
  { provider, source, tags }: LiveTags,
  views: readonly View[],
): Promise<void> {
  const listed = new Map(
    (await gateway.admin.call("listTags"))
      .data()
      .filter(({ prvdName, srcName }) => prvdName === provider && srcName === source)
      .map((tag) => [tag.tagName, tag]),
  );
  verify("CORE-TAG-21").equal(
    tags.filter((tag) => !listed.has(tag)),
    [],
    "live tags that List tags does not show",
  );
  for (const { name, values, stream } of views)
    for (const [requirement, member] of [
      ["CORE-TAG-11", "dataType"],
      ["CORE-TAG-13", "dataUnit"],
    ] as const)
      verify(requirement).equal(
        values()
          .filter((value) => (listed.get(value.tagName)?.[member] ?? value[member]) !== value[member])
          .slice(0, 3)
          .map((value) => ({ tagName: value.tagName, [member]: value[member] })),
        [],
        `live tags by ${name} whose \`${member}\` is not that of List tags`,
        stream,
      );
}

function judge({ verify }: CaseContext, view: View, tag: string, withinMs: number): void {
  const { name, requirement, stream } = view;
  const evidence = stream === undefined ? {} : { evidence: stream };
  const different = differentOf(view.values(), tag);
  const least = leastOf(view.values(), tag);
  verify(requirement).that(different >= least, {
    what: `number of different values of the live tag ${tag} by ${name} within ${withinMs / 1000} s`,
    expected: `at least ${least}`,
    observed: different,
    ...evidence,
  });
  const times = view
    .values()
    .filter(({ tagName }) => tagName === tag)
    .map(({ ts }) => Number(ts));
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  if (different < least) return;
  verify("CORE-TAG-14").that(last > first && times.every((ts, index) => ts >= (times[index - 1] ?? 0)), {
    what: `\`ts\` of successive values of the live tag ${tag} by ${name}`,
    expected: "never decreasing, the last later than the first",
    observed: `${first} to ${last}, ${times.filter((ts, index) => ts < (times[index - 1] ?? 0)).length} decreases`,
    ...evidence,
  });
}

const valuesOf = (reads: readonly DirectRead[]): ReadonlySet<string> =>
  new Set(reads.map(({ dataValue }) => String(dataValue)));
const timesOf = (reads: readonly DirectRead[]): ReadonlySet<string> =>
  new Set(reads.map(({ timestamp }) => timestamp));

/** Checks that direct reads of a live tag move, and show the time and type that monitoring shows. */
function judgeReads(
  { verify }: CaseContext,
  reads: readonly DirectRead[],
  {
    tag,
    monitored,
    withinMs,
  }: { readonly tag: string; readonly monitored: readonly MonitoredValue[]; readonly withinMs: number },
): void {
  const different = valuesOf(reads).size;
  const isMoving = verify("CORE-TAG-34").that(different >= leastReads, {
    what: `number of different values of the live tag ${tag} by direct read within ${withinMs / 1000} s`,
    expected: `at least ${leastReads}`,
    observed: different,
  });
  const shown = monitored.findLast(({ tagName }) => tagName === tag);
  const last = reads.at(-1);
  if (shown === undefined || last === undefined) return;
  verify("CORE-TAG-19").equal(
    last.dataType,
    shown.dataType,
    `directly read \`dataType\` of the live tag ${tag}, compared with monitoring`,
  );
  const isNear = Math.abs(Number(last.timestamp) - Number(shown.ts)) < clockSlackMs;
  // A timestamp may count whole seconds: it was waited for like the values.
  verify("CORE-TAG-18").that(isNear && (!isMoving || timesOf(reads).size >= leastReads), {
    what: `\`timestamp\` of successive direct reads of the live tag ${tag}`,
    expected: `not all the same, in milliseconds, within ${clockSlackMs / 60_000} minutes of the monitored ${shown.ts}`,
    observed: [...timesOf(reads)].slice(-5).join(", "),
  });
}
