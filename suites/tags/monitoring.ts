import { isShallow, keptMs, oneTimeReason, searchesOneTime } from "../support/pastSearch.ts";
import { around, type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { idleMs, IdleStreams } from "./idleStreams.ts";
import { monitoredPast, valuesOf } from "./monitored.ts";
import { type OwnTag, write } from "./ownTag.ts";
import { verifyRejectedQueries } from "./rejectedQueries.ts";
import { longerTag } from "./similarTags.ts";
import { tagCreatedAgain } from "../support/createdAgain.ts";
import { takenIntervalMs } from "../support/streamInterval.ts";
import { valuesOn, verifyReceived } from "../support/onStream.ts";

const shared = { group: "tags", effect: "reversible", touches: [], addsTo: ["virtual-tags"] } as const;

/** Number of changes followed one by one: a gateway may lose or repeat only a few of them. */
const chasedChanges: Readonly<Record<CampaignLevel, number>> = {
  smoke: 50,
  nightly: 700,
  certification: 1500,
};
/** Changes some milliseconds apart; a history of a minute has room for them. The last one is no earlier value again: it is waited for. */
const spacedChanges = 41;
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

/** Checks that a stream which stays open delivers a change that follows an update of its tag. */
async function verifyAfterUpdate(context: CaseContext, stream: TagStream, tag: OwnTag): Promise<void> {
  const { provider, source } = tag.path;
  const { tagName } = tag;
  const changed = { dataType: "int32", access: "rw", dataUnit: "bar" } as const;
  const streamInterval = await takenIntervalMs(context, tag.path);
  await using paced = await context.gateway.admin.openTagStream(
    { provider, source },
    { tags: tagName, streamInterval },
  );
  await paced.next("a value before the update", () => true).catch(() => undefined);
  const update = await context.gateway.admin.call("updateVirtualTag", {
    json: { prvdName: provider, srcName: source, tagName, ...changed },
  });
  if (!update.accepted)
    return context
      .verify("CORE-TAG-13")
      .notApplicable("`dataUnit` on a stream after its update", "the gateway rejected the update");
  const value = 777_777;
  await write(context, tag, value);
  const next = await stream
    .next("the change after the update", ({ value: one }) => one.dataValue === value)
    .catch(() => undefined);
  if (next === undefined && stream.ended) return;
  context.verify("CORE-TAG-52").that(next !== undefined, {
    what: "change of a tag on a stream that was open while `dataUnit` of the tag was updated",
    expected: `${value} within 5 s`,
    observed: next === undefined ? "no such value within 5 s" : `${value} within 5 s`,
    evidence: stream,
  });
  if (next === undefined) return;
  context
    .verify("CORE-TAG-13")
    .equal(next.value.dataUnit, changed.dataUnit, "`dataUnit` of that change on the stream", stream);
  const later = await paced
    .next("the value after the update", ({ value: one }) => one.dataValue === value)
    .catch(() => undefined);
  if (later === undefined && (paced.ended || paced.status !== 200)) return;
  context
    .verify("CORE-TAG-13")
    .equal(
      later?.value.dataUnit,
      changed.dataUnit,
      "`dataUnit` of that value on a stream at an interval that was open during the update",
      paced,
    );
}

/** Checks that a stream which is opened again after its end delivers the next change. */
async function verifyOpenedAgain(context: CaseContext, tag: OwnTag): Promise<void> {
  const { provider, source } = tag.path;
  const value = 888_888;
  await using again = await context.gateway.admin.openTagStream(
    { provider, source },
    { tags: tag.tagName, onChanged: true },
  );
  await write(context, tag, value);
  const next = await again
    .next("the change", ({ value: one }) => one.dataValue === value)
    .catch(() => undefined);
  if (next === undefined && (again.ended || again.status !== 200)) return;
  context.verify("CORE-TAG-52").that(next !== undefined, {
    what: "change on a stream that was opened again after its end",
    expected: `${value} within 5 s`,
    observed: next === undefined ? "no such value within 5 s" : `${value} within 5 s`,
    evidence: again,
  });
}

export const monitoringCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "tags/stream-at-an-interval",
    title: "A stream with `streamInterval` sends the named tags at that interval",
    requirements: ["CORE-TAG-51", "CORE-TAG-55", "CORE-GENERAL-09"],
    capabilities: ["tags", "virtual-tags", "tag-stream"],
    async run(context) {
      const { gateway, verify, scratch, clock, signal } = context;
      const one = await scratch.virtualTag({ dataType: "int32" });
      const two = await longerTag(context, one);
      await write(context, one, 1);
      await write(context, two, 2);
      const { provider, source } = one.path;
      const intervalMs = await takenIntervalMs(context, one.path);
      await using stream = await gateway.admin.openTagStream(
        { provider, source },
        { tags: one.tagName, streamInterval: intervalMs },
      );
      verify("CORE-TAG-51").equal(stream.status, 200, "status of the stream", stream);
      await using pair = await gateway.admin.openTagStream(
        { provider, source },
        { tags: `${one.tagName},${two.tagName}`, streamInterval: intervalMs },
      );
      // Whether a name that does not exist is rejected, or ends the stream, is not stated.
      await using beside = await gateway.admin.openTagStream(
        { provider, source },
        { tags: `${scratch.name("tag")},${one.tagName}`, streamInterval: intervalMs },
      );
      await using whole = await gateway.admin.openTagStream(
        { provider, source },
        { streamInterval: intervalMs },
      );
      await pair.next("the first value of the stream", () => true).catch(() => undefined);
      await clock.delay(intervalMs * 12, signal);
      for (const [paced, tag, names] of [
        [stream, one, "one tag"],
        [pair, one, "two tags"],
        [pair, two, "two tags"],
        [whole, one, "all tags"],
        [beside, one, "one tag and a name that does not exist"],
      ] as const) {
        if (paced === beside && (beside.status !== 200 || beside.ended)) continue;
        const arrived = valuesOn(paced, tag.tagName).map(({ receivedMs }) => receivedMs);
        const spanMs = (arrived.at(-1) ?? 0) - (arrived[0] ?? 0);
        const mean = spanMs / Math.max(1, arrived.length - 1);
        verify("CORE-TAG-51").that(
          arrived.length >= 8 && mean > intervalMs * 0.7 && mean < intervalMs * 1.3,
          {
            what: `values of a tag on a stream of ${names} with streamInterval=${intervalMs} within ${(intervalMs * 12) / 1000} s`,
            expected: `at least 8, ${intervalMs * 0.7} to ${intervalMs * 1.3} ms apart on average`,
            observed: `${arrived.length}, ${mean.toFixed(1)} ms apart on average`,
            evidence: paced,
          },
        );
      }
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
      await verifyRejectedQueries(context, one);
    },
  }),
  testCase({
    ...shared,
    id: "tags/stream-of-changes",
    title: "A stream with `onChanged` shows each change once, in order, and otherwise stays silent",
    requirements: [
      "CORE-TAG-13",
      "CORE-TAG-14",
      "CORE-TAG-27",
      "CORE-TAG-30",
      "CORE-TAG-48",
      "CORE-TAG-50",
      "CORE-TAG-51",
      "CORE-TAG-52",
      "CORE-TAG-53",
      "CORE-FIELD-30",
    ],
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
      const again = await tagCreatedAgain(context);
      await using bare = await gateway.admin.openTagStream({ provider, source }, { tags: tag.tagName }, [
        "onChanged",
      ]);
      await using stream = await gateway.admin.openTagStream(
        { provider, source },
        { tags: tag.tagName, onChanged: true },
      );
      // A stream may or may not open with the current value; changes follow.
      await clock.delay(100, signal);
      const written = Array.from(
        { length: spacedChanges },
        // Every fifth one is the value before the last.
        (_, index) => start + 1 + (((index % 5 === 4 ? index - 2 : index) * 7) % spacedChanges),
      );
      const writtenMs: number[] = [];
      for (const value of written) {
        writtenMs.push((await write(context, tag, value)).exchange.startedMs);
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
      const times = stream.received.map(({ value }) => Number(value.ts));
      verify("CORE-TAG-14").that(times.length < spacedChanges || (times.at(-1) ?? 0) > (times[0] ?? 0), {
        what: `\`ts\` of the last of ${times.length} values on the stream, received for more than a second`,
        expected: `more than ${times[0]}, that of the first`,
        observed: times.at(-1),
        evidence: stream,
      });
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
      const search = { tags: tag.tagName, ms: 60_000 };
      const history = valuesOf(await monitoredPast(context, tag, search, () => written.slice(-1)), tag);
      const young = written.filter((_, index) => clock.nowMs() - (writtenMs[index] ?? 0) < keptMs(context));
      const timesIn = (values: readonly unknown[], value: number): number =>
        values.filter((one) => one === value).length;
      // A value that the tag had twice is part of the history twice.
      const missing = young.filter((value) => timesIn(history, value) < timesIn(young, value));
      const missingOnes = `values missing with \`ms=60000\`, out of ${spacedChanges} written within seconds`;
      if (history.length < 2 && (await searchesOneTime(context)))
        verify("CORE-TAG-50").notApplicable(missingOnes, oneTimeReason);
      else
        verify("CORE-TAG-50").equal(isShallow(history, written, Object.is) ? [] : missing, [], missingOnes);
      // In place of the bare one: how many streams may be open at a time is not stated.
      await idle.openLong();
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
      await stream[Symbol.asyncDispose]();
      await verifyOpenedAgain(context, tag);
      // Seconds later: a gateway may delete late, and then delete the new tag.
      verify("CORE-TAG-27").equal(await again.read(), again.expected, `${again.what}, seconds later`);
      await idle.verify(idleMs[level]);
    },
  }),
];
