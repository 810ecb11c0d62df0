// Differences between successive values, of every numeric type at the same time.
import { type CaseContext, type TagStream, type TestCase, testCase } from "../../harness/index.ts";
import { valuesOn, verifyReceived } from "../support/onStream.ts";
import { type OwnTag, write } from "./ownTag.ts";

/** Values and their differences, which every type here holds exactly. */
const rows = [
  {
    dataType: "int32",
    // A value that the tag has already is no change.
    written: [103, 98, 98, 100_120, 16_877_337, 16_877_336],
    expected: [-5, 100_022, 16_777_217, -1],
  },
  {
    dataType: "double",
    written: [103.5, 98.25, 16_777_315.75, 16_777_315.25],
    expected: [-5.25, 16_777_217.5, -0.5],
  },
  {
    dataType: "float",
    written: [103.5, 98.25, 98.25, 98.281_25, 98.25],
    expected: [-5.25, 0.031_25, -0.031_25],
  },
  { dataType: "uint8", written: [5, 3, 255, 254], expected: [-2, 252, -1] },
  { dataType: "uint16", written: [5, 3, 65_535, 65_534], expected: [-2, 65_532, -1] },
  { dataType: "uint32", written: [5, 3, 4_294_967_295, 4_294_967_294], expected: [-2, 4_294_967_292, -1] },
  { dataType: "int8", written: [5, -3, 127, 126], expected: [-8, 130, -1] },
  // The precision of a difference is not stated: these are the same in integers and in doubles.
  {
    dataType: "int64",
    written: [2n ** 52n, 2n ** 52n + 1n, 2n ** 52n + 8n, 2n ** 52n + 7n],
    expected: [1, 7, -1],
  },
  {
    dataType: "uint64",
    written: [2n ** 63n, 2n ** 63n + 2048n, 2n ** 63n + 8192n, 2n ** 63n + 6144n],
    expected: [2048, 6144, -2048],
  },
] as const;

type Row = (typeof rows)[number] & { readonly tag: OwnTag };

/** The differences of a tag on the stream; wide integers may be texts of digits. */
const shownOn = (stream: TagStream, { tag }: Row): ReturnType<typeof valuesOn> =>
  valuesOn(stream, tag.tagName).map(({ shown, receivedMs }) => ({
    shown: typeof shown === "string" && /^-?\d+$/.test(shown) ? Number(shown) : shown,
    receivedMs,
  }));

async function verifyRows(
  { verify, waitFor }: CaseContext,
  stream: TagStream,
  own: readonly Row[],
  where: string,
): Promise<void> {
  const isComplete = (row: Row): boolean => {
    const seen = shownOn(stream, row);
    return seen.length >= row.expected.length && seen.at(-1)?.shown === row.expected.at(-1);
  };
  await waitFor(
    "the last difference of every tag",
    () => (stream.ended || own.every(isComplete) ? true : undefined),
    { deadlineMs: 5000 },
  ).catch(() => undefined);
  for (const row of own) {
    const { dataType, written, expected } = row;
    // The base of the first difference after opening is not stated; the following differences are.
    const shown = shownOn(stream, row);
    const begun = shown.slice(
      Math.max(
        0,
        shown.findIndex((one) => one.shown !== 0),
      ),
    );
    verify("CORE-TAG-53").equal(
      begun.filter((one) => one.shown === 0).length,
      0,
      `number of differences of 0 received for the values ${written.join(", ")} (${dataType}) on a stream ${where}`,
      stream,
    );
    const seen = begun.filter((one) => one.shown !== 0).slice(-expected.length);
    const what = `differences received for the values ${written.join(", ")} (${dataType}) on a stream ${where}`;
    verifyReceived(verify("CORE-TAG-54"), stream, seen, expected, what);
  }
}

/** A stream without `compute` beside them has the values themselves. */
async function verifyPlain(
  { verify }: CaseContext,
  stream: TagStream,
  { tag: { tagName }, written }: Row,
): Promise<void> {
  const wanted = written.filter((value, index) => value !== written[index - 1]);
  const last = wanted.at(-1);
  await stream
    .next("the last value", ({ value }) => value.tagName === tagName && value.dataValue === last)
    .catch(() => undefined);
  const isComplete = valuesOn(stream, tagName).at(-1)?.shown === last;
  if (!isComplete && stream.ended) return;
  verifyReceived(
    verify("CORE-TAG-52"),
    stream,
    // The stream may open with the value of before.
    valuesOn(stream, tagName).slice(-wanted.length),
    wanted,
    "values of a tag on a stream of changes beside streams of differences",
  );
}

export const differenceCases: readonly TestCase[] = [
  testCase({
    group: "tags",
    effect: "reversible",
    touches: [],
    addsTo: ["virtual-tags"],
    id: "tags/stream-of-differences",
    title: "A stream with `compute=diff` sends differences between successive values",
    requirements: ["CORE-TAG-52", "CORE-TAG-53", "CORE-TAG-54"],
    capabilities: ["tags", "virtual-tags", "tag-stream"],
    async run(context) {
      const { gateway, note, scratch, clock, signal } = context;
      const own: Row[] = [];
      for (const row of rows) {
        const tag = await scratch.virtualTag({ dataType: row.dataType });
        await write(context, tag, 100, row.dataType);
        own.push({ ...row, tag });
      }
      const [first] = own;
      if (first === undefined) return;
      const { provider, source } = first.tag.path;
      const query = { onChanged: true, compute: "diff" } as const;
      const tags = own.map(({ tag }) => tag.tagName).join(",");
      await using named = await gateway.admin.openTagStream({ provider, source }, { tags, ...query });
      await using twin = await gateway.admin.openTagStream({ provider, source }, { tags, ...query });
      await using whole = await gateway.admin.openTagStream({ provider, source }, query);
      await using plain = await gateway.admin.openTagStream({ provider, source }, { tags, onChanged: true });
      await clock.delay(100, signal);
      for (let step = 0; step < Math.max(...rows.map(({ written }) => written.length)); step++) {
        for (const { tag, dataType, written } of own) {
          const value = written[step];
          if (value !== undefined) await write(context, tag, value, dataType);
        }
        await clock.delay(30, signal);
      }
      await verifyRows(context, named, own, "that names the tags");
      // How many streams may be open at a time is not stated.
      if (twin.status === 200 && !twin.ended)
        await verifyRows(context, twin, own, "that names the tags, the second one of its query");
      const narrow = own.find(({ dataType }) => dataType === "int32");
      if (narrow !== undefined && plain.status === 200) await verifyPlain(context, plain, narrow);
      // Whether differences are offered where other tags of the source are no numbers is not stated.
      if (whole.status === 200 && !whole.ended)
        await verifyRows(context, whole, own, "of all tags of the source");
      else note(`a stream of the differences of all tags was answered with status ${whole.status}`);
    },
  }),
];
