// Monitoring without a stream: present values and those of the last milliseconds.
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { keptMs, searchesOneTime } from "../support/pastSearch.ts";
import { monitored, monitoredPast, valuesOf } from "./monitored.ts";
import { type OwnTag, write } from "./ownTag.ts";
import { caseTwins, longerTag, namesakes, similarTag, verifySource, writeBeside } from "./similarTags.ts";

/** Whole seconds differ after this time. */
const distinctMs = 1100;

/** A write and a search in less time are not half of it apart. */
const quickMs = 400;

/** No whole seconds, and well above the time after which the value is looked for. */
const olderMs = 1990;
/** For the resolution of `ts`. */
const slackMs = 100;

/** Checks that a search finds a value that is more than a second old, and not quite as old as `ms`. */
async function verifyOlder(
  { gateway, verify }: CaseContext,
  { tagName, path }: OwnTag,
  past: readonly { readonly ts: number }[],
  { value, writtenMs }: { readonly value: number; readonly writtenMs: number },
): Promise<void> {
  // Times in whole seconds leave it open which side of the limit a value is on.
  if (past.every(({ ts }) => ts % 1000 === 0)) return;
  const { provider, source } = path;
  const answer = await gateway.admin.call("monitorTags", {
    path: { provider, source },
    query: { tags: tagName, ms: olderMs },
  });
  const { startedMs, durationMs } = answer.exchange;
  if (startedMs + durationMs - writtenMs > olderMs - slackMs || !answer.accepted) return;
  verify("CORE-TAG-50").equal(
    [answer.data()].flat().some(({ dataValue }) => dataValue === value),
    true,
    `presence of a value written less than ${olderMs - slackMs} ms ago with \`ms=${olderMs}\``,
    answer,
  );
}

/** Ends of 32 bits, with and without a sign: what is left of them above is no time, or a short one. */
const longestMs = [2 ** 31 + 100, 2 ** 32 + 100] as const;

/** Checks a search of weeks; how long one may be is not stated. */
async function verifyLong(
  { gateway, verify }: CaseContext,
  tag: OwnTag,
  ms: number,
  expected: () => readonly number[],
): Promise<void> {
  const { provider, source } = tag.path;
  const answer = await gateway.admin.call("monitorTags", {
    path: { provider, source },
    query: { tags: tag.tagName, ms },
  });
  if (!answer.accepted) return;
  const shown = valuesOf([answer.data()].flat(), tag);
  verify("CORE-TAG-50").equal(
    expected().filter((value) => !shown.includes(value)),
    [],
    `values written within the last minute and missing with \`ms=${ms}\``,
    answer,
  );
}

/** `timestamp` of a direct read in milliseconds. */
async function timeOfRead({ gateway }: CaseContext, { path }: OwnTag): Promise<number> {
  return Number((await gateway.admin.call("readTag", { path })).body().timestamp);
}

/** Checks that a name that does not exist hides no other one. Whether such names are rejected is not stated. */
async function verifyBesideUnknown(
  { gateway, scratch, verify }: CaseContext,
  own: readonly OwnTag[],
): Promise<void> {
  const [{ path: { provider, source } } = { path: { provider: "", source: "" } }] = own;
  const names = own.map(({ tagName }) => tagName);
  for (const tags of [
    [scratch.name("tag"), ...names],
    names.flatMap((name) => [name, scratch.name("tag")]),
  ]) {
    const answer = await gateway.admin.call("monitorTags", {
      path: { provider, source },
      query: { tags: tags.join(",") },
    });
    if (!answer.accepted) continue;
    const shown = [answer.data()].flat().map(({ tagName }) => tagName);
    verify("CORE-TAG-49").equal(
      names.filter((name) => !shown.includes(name)),
      [],
      "named tags that monitoring does not show beside a name that does not exist",
      answer,
    );
  }
}

/** Checks that `tags` takes names as they are: with characters that a query escapes, and with capitals. */
async function verifyNames(context: CaseContext, one: OwnTag): Promise<void> {
  const named: (OwnTag | undefined)[] = [];
  // Which characters a name may have, and whether case distinguishes names, is not stated.
  for (const end of [" é", "%41+b"])
    named.push(await similarTag(context, one, { tagName: `${one.tagName}${end}` }));
  named.push(...((await caseTwins(context)) ?? []));
  const tags = named.filter((tag) => tag !== undefined);
  for (const [index, tag] of tags.entries()) await write(context, tag, 50 + index);
  for (const [index, tag] of tags.entries())
    context.verify("CORE-TAG-49").equal(
      (await monitored(context, tag, { tags: tag.tagName })).map(({ tagName, dataValue }) => ({
        tagName,
        dataValue: dataValue as unknown,
      })),
      [{ tagName: tag.tagName, dataValue: 50 + index }],
      "names and values in the answer with one name in `tags`",
    );
}

export const historyCases: readonly TestCase[] = [
  testCase({
    group: "tags",
    effect: "reversible",
    touches: [],
    addsTo: ["virtual-tags"],
    id: "tags/monitoring-and-history",
    title: "Monitoring shows last written values, filtered by `tags` and limited by `ms`",
    requirements: [
      "CORE-TAG-08",
      "CORE-TAG-09",
      "CORE-TAG-14",
      "CORE-TAG-48",
      "CORE-TAG-49",
      "CORE-TAG-50",
      "CORE-TAG-59",
    ],
    capabilities: ["tags", "virtual-tags"],
    async run(context) {
      const { verify, scratch, clock, signal } = context;
      const one = await scratch.virtualTag({ dataType: "int32" });
      const two = await longerTag(context, one);
      const others = await namesakes(context, one);
      const writtenMs = new Map([[11, (await write(context, one, 11)).exchange.startedMs]]);
      await write(context, two, 22);
      await writeBeside(context, others, 33);
      const all = await monitored(context, one, {});
      verifySource(context, one, all, "in monitoring");
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
      await verifyNames(context, one);
      await verifyBesideUnknown(context, [one, two]);
      for (const value of [12, 13]) {
        await clock.delay(20, signal);
        writtenMs.set(value, (await write(context, one, value)).exchange.startedMs);
      }
      await clock.delay(20, signal);
      const { startedMs } = (await write(context, one, 14)).exchange;
      writtenMs.set(14, startedMs);
      verify("CORE-TAG-48").equal(
        valuesOf(await monitored(context, one, {}), one).at(-1),
        14,
        "monitored value after another write",
      );
      const search = { tags: one.tagName, ms: 60_000 };
      // At the time of the call: those that are not too old.
      const expected = (): number[] =>
        [...writtenMs].filter(([, ms]) => clock.nowMs() - ms < keptMs(context)).map(([value]) => value);
      const past = await monitoredPast(context, one, search, () => [...expected(), 14]);
      const pastExpected = expected();
      const whole = await monitored(context, one, { ms: 60_000 });
      const wholeExpected = expected();
      const isOneTime = valuesOf(past, one).length < 2 && (await searchesOneTime(context));
      // A tag that was not there at that time has no value, nor has one whose values are too old.
      if (past.length > 0)
        verify("CORE-TAG-49").equal(
          [...new Set(past.map(({ tagName }) => tagName))],
          [one.tagName],
          "tag names in the answer with one name in `tags` and `ms=60000`",
        );
      for (const [values, where, young] of isOneTime
        ? []
        : ([
            [past, "`ms=60000` and `tags`", pastExpected],
            [whole, "`ms=60000`", wholeExpected],
          ] as const)) {
        verifySource(context, one, values, `with ${where}`);
        const history = valuesOf(values, one);
        verify("CORE-TAG-50").equal(
          young.filter((value) => !history.includes(value)),
          [],
          `values written within the last minute and missing with ${where}`,
        );
      }
      const present = await monitored(context, one, { tags: one.tagName });
      const readTime = await timeOfRead(context, one);
      await clock.delay(distinctMs, signal);
      if (!isOneTime) await verifyOlder(context, one, past, { value: 14, writtenMs: startedMs });
      const beganMs = clock.nowMs();
      writtenMs.set(15, (await write(context, one, 15)).exchange.startedMs);
      const between = isOneTime
        ? valuesOf(await monitored(context, one, { ...search, ms: distinctMs / 2 }), one)
        : [];
      // Within slow answers the time of the search may be that of either value.
      if (isOneTime && clock.nowMs() - beganMs < quickMs)
        verify("CORE-TAG-50").equal(
          between,
          [14],
          `values with \`ms=${distinctMs / 2}\`, right after a write ${distinctMs} ms after another`,
        );
      const later = `written ${distinctMs} ms after another`;
      verify("CORE-TAG-59").that((await timeOfRead(context, one)) > readTime, {
        what: `\`timestamp\` of a direct read of a value ${later}`,
        expected: `more than ${readTime}`,
        observed: await timeOfRead(context, one),
      });
      const now = await monitored(context, one, { tags: one.tagName });
      const [earlierTs, laterTs] = [present, now].map((values) => Number(values.at(-1)?.ts));
      verify("CORE-TAG-14").that(Number(laterTs) > Number(earlierTs), {
        what: `monitored \`ts\` of a value ${later}`,
        expected: `more than ${earlierTs}`,
        observed: laterTs,
      });
      const since = isOneTime ? [...present, ...now] : await monitoredPast(context, one, search, () => [15]);
      const tsOf = (value: number): number => since.find(({ dataValue }) => dataValue === value)?.ts ?? 0;
      if (tsOf(15) > 0)
        verify("CORE-TAG-14").that(tsOf(15) > tsOf(14), {
          what: `\`ts\` of a value in the history, ${later}`,
          expected: `more than ${tsOf(14)}`,
          observed: tsOf(15),
        });
      if (isOneTime) return;
      const recent = valuesOf(await monitored(context, one, { tags: one.tagName, ms: 250 }), one);
      verify("CORE-TAG-50").equal(
        [11, 12, 13].filter((value) => recent.includes(value)),
        [],
        "values older than 1 s shown with `ms=250`",
      );
      for (const ms of longestMs) await verifyLong(context, one, ms, expected);
      const again = valuesOf(await monitored(context, one, search), one);
      verify("CORE-TAG-50").equal(
        expected().filter((value) => !again.includes(value)),
        [],
        "values written within the last minute and missing with `ms=60000`, after a search with `ms=250`",
      );
    },
  }),
];
