// Tags that change by themselves: their values must move in monitoring and on both kinds of streams.
import { type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import type { MonitoredValue } from "../../interface/resources/tags.ts";

const intervalMs = 100;
/** Different values that each view must show of each tag; a boolean has no more than two. */
const leastValues = 3;
const leastBooleans = 2;
const shortestWaitMs = 10_000;

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
    requirements: ["CORE-TAG-14", "CORE-TAG-22", "CORE-TAG-51", "CORE-TAG-52"],
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
      await using paced = await open({ streamInterval: intervalMs });
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
      const withinMs = Math.max(profile.patience.settleMs, shortestWaitMs);
      await waitFor(
        `${leastValues} different values of each live tag`,
        async () => {
          const answer = await gateway.admin.call("monitorTags", {
            path: { provider, source },
            query: names,
          });
          monitored.push(...[answer.data()].flat());
          const isMoving = views.every(({ values }) =>
            tags.every((tag) => differentOf(values(), tag) >= leastOf(values(), tag)),
          );
          return isMoving ? true : undefined;
        },
        { deadlineMs: withinMs, everyMs: 50 },
      ).catch(() => undefined);
      for (const view of views) for (const tag of tags) judge(context, view, tag, withinMs);
    },
  }),
];

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
