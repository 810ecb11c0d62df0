// Streams of every kind at the same time: of all tags and of some, paced and of changes, with differences. Some clients
// leave while the others read on.
import { keptMs, searchesOneTime } from "../support/pastSearch.ts";
import {
  type Answer,
  allEnded,
  around,
  type CaseContext,
  type TagStream,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import type { MonitoredValue } from "../../interface/resources/tags.ts";
import { valuesOn, verifyReceived } from "../support/onStream.ts";
import { type OwnTag, write } from "./ownTag.ts";
import { longerTag, namesakes, writeBeside } from "./similarTags.ts";
import { verifyOtherUser } from "./otherUser.ts";
import { verifyStreamedNames } from "./streamedNames.ts";
import { takenIntervalMs } from "../support/streamInterval.ts";

const changes = 12;
const withinMs = 5000;
const historyMs = 60_000;
/** Unit and data type of the two tags. */
const facts = [
  { dataType: "int32", dataUnit: "°C" },
  { dataType: "double", dataUnit: "kPa" },
] as const;

/** Members of a tag value that it shares with its tag. */
const members = [
  ["CORE-TAG-08", "prvdName"],
  ["CORE-TAG-09", "srcName"],
  ["CORE-TAG-11", "dataType"],
  ["CORE-TAG-13", "dataUnit"],
] as const;

type Pair = readonly [OwnTag, OwnTag];
type Monitored = Answer<"monitorTags">;

interface Kind {
  readonly name: "changes" | "paced" | "differences";
  /** Names of the tags; undefined for all of the source. */
  readonly tags?: string;
  /** Closed by its client in the middle. */
  readonly leaves?: boolean;
}

interface Open extends Kind {
  readonly intervalMs: number;
  readonly stream: TagStream;
  /** Values received before the first change. */
  before: number;
}

const queryOf = ({ name, tags }: Kind, intervalMs: number): object => ({
  ...(tags === undefined ? {} : { tags }),
  ...(name === "changes" ? { onChanged: true } : { streamInterval: intervalMs }),
  ...(name === "differences" ? { compute: "diff" } : {}),
});

export const sideBySideCases: readonly TestCase[] = [
  testCase({
    id: "tags/streams-side-by-side",
    title: "Streams of all tags and of some deliver while other streams are closed",
    group: "tags",
    effect: "reversible",
    touches: [],
    addsTo: ["virtual-tags", "accounts"],
    requirements: [
      "CORE-TAG-08",
      "CORE-TAG-09",
      "CORE-TAG-11",
      "CORE-TAG-13",
      "CORE-TAG-27",
      "CORE-TAG-35",
      "CORE-TAG-48",
      "CORE-TAG-51",
      "CORE-TAG-52",
      "CORE-TAG-54",
      "CORE-TAG-55",
    ],
    capabilities: ["tags", "virtual-tags", "tag-stream"],
    deadlineMs: 60_000,
    observes: ["stream/monitorTags.onChanged/end", "stream/monitorTags.streamInterval/end"],
    async run(context) {
      const { clock, gateway, note, scratch, signal, unmet, verify } = context;
      const first = await scratch.virtualTag(facts[0]);
      const second = await longerTag(context, first, facts[1]);
      const others = await namesakes(context, first);
      await write(context, first, 0);
      await write(context, second, 0, "double");
      const { provider, source } = first.path;
      const [one, both] = [first.tagName, `${first.tagName},${second.tagName}`];
      const kinds: readonly Kind[] = [
        { name: "changes", leaves: true },
        { name: "paced", leaves: true },
        { name: "changes" },
        { name: "changes", tags: one },
        { name: "changes", tags: both },
        { name: "paced" },
        { name: "paced", tags: one },
        { name: "paced", tags: one },
        { name: "differences", tags: one },
        { name: "differences", tags: both },
      ];
      const intervalMs = await takenIntervalMs(context, first.path);
      await using stack = new AsyncDisposableStack();
      const open: Open[] = [];
      for (const kind of kinds) {
        const stream = stack.use(
          await gateway.admin.openTagStream({ provider, source }, queryOf(kind, intervalMs)),
        );
        // How many streams may be open at a time is not stated.
        if (stream.status === 200) open.push({ ...kind, stream, before: 0, intervalMs });
        else note(`stream ${open.length + 1} of ${kinds.length} was answered with status ${stream.status}`);
      }
      if (open.length === 0) unmet("no tag stream could be opened");
      if (!open.some(({ name }) => name === "differences"))
        verify("CORE-TAG-54").notApplicable(
          "differences on a stream",
          "it could not be opened beside others",
        );
      if (!open.some(({ name, leaves }) => name === "paced" && leaves !== true))
        verify("CORE-TAG-51").notApplicable(
          "values at an interval",
          "no such stream stayed open beside others",
        );
      const paced = open.filter(({ name }) => name !== "changes");
      await allEnded(
        paced.map(({ stream }) => stream.next("a first value", () => true).catch(() => undefined)),
      );
      for (const each of open) each.before = each.stream.received.length;
      for (let value = 1; value <= changes; value++) {
        await write(context, first, value);
        await write(context, second, -value, "double");
        await clock.delay(30, signal);
        if (value % 4 === 0) await writeBeside(context, others, 1000 + value);
        if (value * 2 !== changes) continue;
        for (const { stream } of open.filter(({ leaves }) => leaves)) await stream[Symbol.asyncDispose]();
      }
      const rest = open.filter(({ leaves }) => leaves !== true);
      await allEnded(rest.map((each) => verifyOne(context, each, [first, second])));
      // A difference is computed: its type and unit are not stated to be those of its tag.
      for (const { stream } of rest.filter(({ name }) => name !== "differences"))
        for (const [requirement, member] of members)
          verify(requirement).equal(
            differing(stream, [first, second], member),
            [],
            `values on the stream whose \`${member}\` is not that of the tag`,
            stream,
          );
      await verifyStreamedNames(context, first);
      await verifyOtherUser(context);
      const own = [first, second] as const;
      verifyMembers(context, own, await monitor(context, own));
      await verifyPast(context, own);
    },
  }),
];

const monitor = (
  { gateway }: CaseContext,
  [first, second]: Pair,
  query: { ms?: number } = {},
): Promise<Monitored> =>
  gateway.admin.call("monitorTags", {
    path: { provider: first.path.provider, source: first.path.source },
    query: { tags: `${first.tagName},${second.tagName}`, ...query },
  });

/** Checks the members of two tags in a search, once it has both: how soon it has a value, and how long, is not stated. */
async function verifyPast(context: CaseContext, own: Pair): Promise<void> {
  const { clock, waitFor } = context;
  const writtenMs = clock.nowMs();
  await write(context, own[0], changes + 1);
  await write(context, own[1], -changes - 1, "double");
  const search = (): Promise<Monitored> => monitor(context, own, { ms: historyMs });
  let past = await search();
  const hasBoth = async (): Promise<true | undefined> => {
    const shown = shownBy(past);
    if (own.every(({ tagName }) => shown.has(tagName))) return true;
    past = await search();
    return undefined;
  };
  await waitFor("both tags in a search", hasBoth).catch(() => undefined);
  // At that time the tags may not have been there.
  if (shownBy(past).size < own.length && (await searchesOneTime(context))) return;
  verifyMembers(context, own, past, clock.nowMs() - writtenMs >= keptMs(context));
}

const shownBy = (answer: Monitored): ReadonlyMap<string, MonitoredValue> =>
  new Map([answer.data()].flat().map((value) => [value.tagName, value]));

/** Checks the members of two tags in an answer of monitoring; values that are too old may be missing. */
function verifyMembers({ verify }: CaseContext, own: Pair, answer: Monitored, isOld?: boolean): void {
  const shown = shownBy(answer);
  const due = factsOf(own).filter(({ tagName }) => isOld !== true || shown.has(tagName));
  for (const [requirement, member] of members)
    verify(requirement).equal(
      due.map(({ tagName }) => shown.get(tagName)?.[member]),
      due.map((fact) => fact[member]),
      `\`${member}\` of tags in monitoring with tags${isOld === undefined ? "" : " and ms"}`,
      answer,
    );
}

async function verifyOne(context: CaseContext, each: Open, [first, second]: Pair): Promise<void> {
  const { verify } = context;
  const { stream, name, tags, before } = each;
  const what = `with ${JSON.stringify(queryOf(each, each.intervalMs))}`;
  const shown = tags?.split(",") ?? [first.tagName, second.tagName];
  const arrival = (tag: OwnTag, value: number) =>
    stream
      .next(
        "the last value",
        (item) => item.value.tagName === tag.tagName && item.value.dataValue === value,
        withinMs,
      )
      .catch(() => undefined);
  if (name === "differences") {
    await verifyDifferences(context, each, { tag: first, sum: changes, what });
    if (shown.includes(second.tagName))
      await verifyDifferences(context, each, { tag: second, sum: -changes, what });
    return;
  }
  for (const [tag, sign] of [
    [first, 1],
    [second, -1],
  ] as const) {
    if (!shown.includes(tag.tagName)) continue;
    const last = await arrival(tag, sign * changes);
    if (name === "paced") {
      verify("CORE-TAG-51").that(last !== undefined, {
        what: `last value of a tag on a stream ${what}`,
        expected: String(sign * changes),
        observed:
          last === undefined ? `not received within ${withinMs / 1000} s` : String(last.value.dataValue),
        evidence: stream,
      });
      continue;
    }
    const own = valuesOn(stream, tag.tagName);
    verifyReceived(
      verify("CORE-TAG-52"),
      stream,
      own.filter((item) => item.shown !== 0),
      Array.from({ length: changes }, (_, index) => sign * (index + 1)),
      `changes of one tag on a stream ${what}`,
    );
  }
  if (tags === undefined) return;
  const strangers = stream.received.filter(({ value }) => !shown.includes(value.tagName));
  verify("CORE-TAG-55").equal(
    strangers.map(({ value }) => value.tagName),
    [],
    `tags on a stream ${what} that it does not name, after ${before} values`,
    around(stream, strangers[0]?.receivedMs),
  );
}

/** The base of the first difference is not stated; the sum of those after it is. */
async function verifyDifferences(
  { verify, waitFor }: CaseContext,
  { stream, before }: Open,
  { tag, sum: expected, what }: { readonly tag: OwnTag; readonly sum: number; readonly what: string },
): Promise<void> {
  const ofTag = (from: number, to?: number) =>
    stream.received.slice(from, to).filter(({ value }) => value.tagName === tag.tagName);
  if (ofTag(0, before).length === 0)
    return verify("CORE-TAG-54").notApplicable(
      `differences on a stream ${what}`,
      "the stream sent no value of the tag before the first change",
    );
  const sum = (): number => ofTag(before).reduce((total, { value }) => total + Number(value.dataValue), 0);
  await waitFor("all differences", () => (sum() === expected ? true : undefined), {
    deadlineMs: withinMs,
  }).catch(() => undefined);
  verify("CORE-TAG-54").equal(
    sum(),
    expected,
    `sum of the differences of one tag on a stream ${what}`,
    stream,
  );
}

const factsOf = (tags: readonly OwnTag[]) =>
  tags.map((tag, index) => ({ ...tag, ...(facts[index] ?? facts[0]) }));

/** The first values on the stream whose member is not that of their tag. */
function differing(
  { received }: TagStream,
  tags: readonly OwnTag[],
  member: (typeof members)[number][1],
): object[] {
  const own = factsOf(tags);
  return received
    .flatMap(({ value }) => {
      const fact = own[tags.findIndex(({ tagName }) => tagName === value.tagName)];
      return fact === undefined || value[member] === fact[member]
        ? []
        : [{ tagName: value.tagName, [member]: value[member] }];
    })
    .slice(0, 3);
}
