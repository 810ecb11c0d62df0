import { around, type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { MonitoredValue } from "../../interface/resources/tags.ts";
import { idleMs, IdleStreams } from "./idleStreams.ts";
import { type OwnTag, write } from "./ownTag.ts";
import { valuesOn, verifyReceived } from "../support/onStream.ts";

const shared = { group: "tags", effect: "reversible", touches: [], addsTo: ["virtual-tags"] } as const;

/** `data` of a monitor answer is an array in the published schema and one object in its example; both are accepted. */
async function monitored(
  { gateway }: CaseContext,
  tag: OwnTag,
  query: { tags?: string; ms?: number },
): Promise<MonitoredValue[]> {
  const { provider, source } = tag.path;
  const data = (await gateway.admin.call("monitorTags", { path: { provider, source }, query })).data();
  return Array.isArray(data) ? data : [data];
}

/** Number of changes followed one by one: a gateway may lose or repeat only a few of them. */
const chasedChanges: Readonly<Record<CampaignLevel, number>> = {
  smoke: 50,
  nightly: 700,
  certification: 1500,
};
/** Time limit: a slow gateway gets as many changes as fit. */
const chaseMs = 20_000;

/**
 * Writes one value after the other, each as soon as the previous one has arrived, which excludes losses by too fast
 * changes. Returns the values written; the last one may not have arrived.
 */
async function chase(context: CaseContext, stream: TagStream, tag: OwnTag, first: number): Promise<number[]> {
  const { level } = context;
  // By the times of the record: a replay must write as many.
  let firstMs: number | undefined;
  let tookMs = 0;
  const written: number[] = [];
  while (written.length < chasedChanges[level] && tookMs < chaseMs) {
    const wanted = first + written.length;
    written.push(wanted);
    const { startedMs, durationMs } = (await write(context, tag, wanted)).exchange;
    firstMs ??= startedMs;
    tookMs = startedMs + durationMs - firstMs;
    const arrived = await stream
      .next(`the change to ${wanted}`, ({ value }) => value.dataValue === wanted)
      .catch(() => undefined);
    if (arrived === undefined) break;
  }
  return written;
}

const valuesOf = (values: readonly MonitoredValue[], tag: OwnTag): unknown[] =>
  values.filter((value) => value.tagName === tag.tagName).map((value) => value.dataValue as unknown);

/** Checks that a stream which stays open delivers a change that follows an update of its tag. */
async function verifyAfterUpdate(context: CaseContext, stream: TagStream, tag: OwnTag): Promise<void> {
  const { provider, source } = tag.path;
  const { tagName } = tag;
  const changed = { dataType: "int32", access: "rw", dataUnit: "bar" } as const;
  const update = await context.gateway.admin.call("updateVirtualTag", {
    json: { prvdName: provider, srcName: source, tagName, ...changed },
  });
  if (!update.accepted) return;
  const value = 777_777;
  await write(context, tag, value);
  const next = await stream
    .next("the change after the update", ({ value: one }) => one.dataValue === value)
    .catch(() => undefined);
  if (stream.ended) return;
  context.verify("CORE-TAG-52").that(next !== undefined, {
    what: "change of a tag on a stream that was open while `dataUnit` of the tag was updated",
    expected: `${value} within 5 s`,
    observed: next === undefined ? "no such value within 5 s" : `${value} within 5 s`,
    evidence: stream,
  });
}

/** Whole seconds differ after this time. */
const distinctMs = 1100;

export const monitoringCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "tags/monitoring-and-history",
    title: "Monitoring shows last written values, filtered by `tags` and limited by `ms`",
    requirements: ["CORE-TAG-14", "CORE-TAG-48", "CORE-TAG-49", "CORE-TAG-50"],
    capabilities: ["tags", "virtual-tags"],
    async run(context) {
      const { verify, scratch, clock, signal } = context;
      const one = await scratch.virtualTag({ dataType: "int32" });
      const two = await scratch.virtualTag({ dataType: "int32" });
      await write(context, one, 11);
      await write(context, two, 22);
      const all = await monitored(context, one, {});
      verify("CORE-TAG-48").equal(
        [valuesOf(all, one).at(-1), valuesOf(all, two).at(-1)],
        [11, 22],
        "last monitored values of two tags",
      );
      const named = await monitored(context, one, { tags: one.tagName });
      verify("CORE-TAG-49").equal(
        [...new Set(named.map(({ tagName }) => tagName))],
        [one.tagName],
        "tag names in the answer with one name in `tags`",
      );
      const pair = await monitored(context, one, { tags: `${one.tagName},${two.tagName}` });
      verify("CORE-TAG-49").equal(
        [...new Set(pair.map(({ tagName }) => tagName))].toSorted(),
        [one.tagName, two.tagName].toSorted(),
        "tag names in the answer with two names in `tags`",
      );
      for (const value of [12, 13, 14]) {
        await clock.delay(20, signal);
        await write(context, one, value);
      }
      verify("CORE-TAG-48").equal(
        valuesOf(await monitored(context, one, {}), one).at(-1),
        14,
        "monitored value after another write",
      );
      const past = await monitored(context, one, { tags: one.tagName, ms: 60_000 });
      verify("CORE-TAG-49").equal(
        [...new Set(past.map(({ tagName }) => tagName))],
        [one.tagName],
        "tag names in the answer with one name in `tags` and `ms=60000`",
      );
      const history = valuesOf(past, one);
      const expected = [11, 12, 13, 14];
      verify("CORE-TAG-50").equal(
        expected.filter((value) => !history.includes(value)),
        [],
        "values written within the last minute and missing with `ms=60000`",
      );
      await clock.delay(distinctMs, signal);
      await write(context, one, 15);
      const since = await monitored(context, one, { tags: one.tagName, ms: 60_000 });
      const tsOf = (value: number): number => since.find(({ dataValue }) => dataValue === value)?.ts ?? 0;
      verify("CORE-TAG-14").that(tsOf(15) > tsOf(14), {
        what: `\`ts\` of a value in the history, written ${distinctMs} ms after another`,
        expected: `more than ${tsOf(14)}`,
        observed: tsOf(15),
      });
      const recent = valuesOf(await monitored(context, one, { tags: one.tagName, ms: 250 }), one);
      verify("CORE-TAG-50").equal(
        expected.filter((value) => recent.includes(value) && value !== 14),
        [],
        "values older than 1 s shown with `ms=250`",
      );
      const again = valuesOf(await monitored(context, one, { tags: one.tagName, ms: 60_000 }), one);
      verify("CORE-TAG-50").equal(
        expected.filter((value) => !again.includes(value)),
        [],
        "values written within the last minute and missing with `ms=60000`, after a search with `ms=250`",
      );
    },
  }),
  testCase({
    ...shared,
    id: "tags/stream-at-an-interval",
    title: "A stream with `streamInterval` sends the named tags at that interval",
    requirements: ["CORE-TAG-51", "CORE-TAG-55"],
    capabilities: ["tags", "virtual-tags", "tag-stream"],
    async run(context) {
      const { gateway, verify, scratch, clock, signal } = context;
      const one = await scratch.virtualTag({ dataType: "int32" });
      const two = await scratch.virtualTag({ dataType: "int32" });
      await write(context, one, 1);
      await write(context, two, 2);
      const { provider, source } = one.path;
      const intervalMs = 100;
      await using stream = await gateway.admin.openTagStream(
        { provider, source },
        { tags: one.tagName, streamInterval: intervalMs },
      );
      verify("CORE-TAG-51").equal(stream.status, 200, "status of the stream", stream);
      await stream.next("the first value of the stream", () => true).catch(() => undefined);
      await clock.delay(intervalMs * 12, signal);
      const arrived = stream.received
        .filter(({ value }) => value.tagName === one.tagName)
        .map(({ receivedMs }) => receivedMs);
      const spanMs = (arrived.at(-1) ?? 0) - (arrived[0] ?? 0);
      const mean = spanMs / Math.max(1, arrived.length - 1);
      verify("CORE-TAG-51").that(arrived.length >= 8 && mean > intervalMs * 0.7 && mean < intervalMs * 1.3, {
        what: `values on a stream with streamInterval=${intervalMs} within 1.2 s`,
        expected: "at least 8, 70 to 130 ms apart on average",
        observed: `${arrived.length}, ${mean.toFixed(1)} ms apart on average`,
        evidence: stream,
      });
      verify("CORE-TAG-55").equal(
        [...new Set(stream.received.map(({ value }) => value.tagName))],
        [one.tagName],
        "tag names on a stream with one name in `tags`",
        stream,
      );
      verify("CORE-TAG-51").equal(
        stream.malformed,
        [],
        "`data:` lines of the stream that are not a tag value",
        stream,
      );
    },
  }),
  testCase({
    ...shared,
    id: "tags/stream-of-changes",
    title: "A stream with `onChanged` shows each change once, in order, and otherwise stays silent",
    requirements: ["CORE-TAG-51", "CORE-TAG-52", "CORE-TAG-53"],
    capabilities: ["tags", "virtual-tags", "tag-stream"],
    leastMs: idleMs.nightly,
    deadlineMs: 180_000,
    async run(context) {
      const { gateway, verify, scratch, clock, signal, random, level } = context;
      const tag = await scratch.virtualTag({ dataType: "int32" });
      const start = random.integer(1000, 9000);
      await write(context, tag, start);
      const { provider, source } = tag.path;
      await using idle = await IdleStreams.open(context);
      await using bare = await gateway.admin.openTagStream({ provider, source }, { tags: tag.tagName }, [
        "onChanged",
      ]);
      await using stream = await gateway.admin.openTagStream(
        { provider, source },
        { tags: tag.tagName, onChanged: true },
      );
      // A stream may or may not open with the current value; changes follow.
      await clock.delay(100, signal);
      const written = Array.from({ length: 12 }, (_, index) => start + 1 + ((index * 7) % 12));
      for (const value of written) {
        await write(context, tag, value);
        await clock.delay(30, signal);
      }
      await stream
        .next("the last change on the stream", ({ value }) => value.dataValue === written.at(-1))
        .catch(() => undefined);
      const seenOn = (one: TagStream) => valuesOn(one).filter(({ shown }) => shown !== start);
      verifyReceived(
        verify("CORE-TAG-52"),
        stream,
        seenOn(stream),
        written,
        "changes received on the stream",
      );
      await bare
        .next("the last change on the stream", ({ value }) => value.dataValue === written.at(-1))
        .catch(() => undefined);
      verifyReceived(
        verify("CORE-TAG-52"),
        bare,
        seenOn(bare),
        written,
        "changes received on a stream opened with the bare flag onChanged",
      );
      await bare[Symbol.asyncDispose]();
      const chased = await chase(context, stream, tag, start + 100_000);
      const followed = seenOn(stream).slice(written.length);
      const wrongAt = followed.findIndex(({ shown }, index) => shown !== chased[index]);
      verify("CORE-TAG-52").that(wrongAt === -1 && followed.length === chased.length, {
        what: `${chased.length} changes, each made after the previous one was received`,
        expected: `${chased.length} values, each once and in order`,
        observed:
          wrongAt === -1
            ? `${followed.length} values in order, the last ${String(followed.at(-1)?.shown)}`
            : `value ${wrongAt + 1} is ${String(followed[wrongAt]?.shown)} instead of ${chased[wrongAt] ?? "the end"}`,
        evidence: around(stream, followed[wrongAt]?.receivedMs),
      });
      const before = stream.received.length;
      await clock.delay(400, signal);
      await write(context, tag, chased.at(-1) ?? written.at(-1) ?? start);
      await clock.delay(100, signal);
      verify("CORE-TAG-53").equal(
        stream.received.length,
        before,
        "number of values on the stream after 0.5 s without a change",
        stream,
      );
      await verifyAfterUpdate(context, stream, tag);
      await idle.verify(idleMs[level]);
    },
  }),
  testCase({
    ...shared,
    id: "tags/stream-of-differences",
    title: "A stream with `compute=diff` sends differences between successive values",
    requirements: ["CORE-TAG-54"],
    capabilities: ["tags", "virtual-tags", "tag-stream"],
    async run(context) {
      const { gateway, verify, scratch, clock, signal } = context;
      // Fractions that every floating-point type holds exactly.
      for (const { dataType, written, expected } of [
        {
          dataType: "int32",
          written: [103, 98, 100_120, 16_877_337, 16_877_336],
          expected: [-5, 100_022, 16_777_217, -1],
        },
        {
          dataType: "double",
          written: [103.5, 98.25, 16_777_315.75, 16_777_315.25],
          expected: [-5.25, 16_777_217.5, -0.5],
        },
      ] as const) {
        const tag = await scratch.virtualTag({ dataType });
        await write(context, tag, 100, dataType);
        const { provider, source } = tag.path;
        await using stream = await gateway.admin.openTagStream(
          { provider, source },
          { tags: tag.tagName, onChanged: true, compute: "diff" },
        );
        await clock.delay(100, signal);
        for (const value of written) {
          await write(context, tag, value, dataType);
          await clock.delay(30, signal);
        }
        await stream
          .next("the last difference on the stream", ({ value }) => value.dataValue === expected.at(-1))
          .catch(() => undefined);
        // The base of the first difference after opening is not stated; the following differences are.
        const seen = valuesOn(stream).slice(-expected.length);
        const what = `differences received for the values ${written.join(", ")} (${dataType})`;
        verifyReceived(verify("CORE-TAG-54"), stream, seen, expected, what);
      }
    },
  }),
];
