import { keptMs, oneTimeReason, searchesOneTime } from "../support/pastSearch.ts";
import { allEnded, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { MonitoredValue } from "../../interface/resources/tags.ts";
import type { FieldPoint, PointValue } from "../../rigs/index.ts";
import {
  awaitShown,
  inWords,
  isSame,
  checkEach,
  onePerForm,
  pathOf,
  type PlacedPoint,
  shownByMonitoring,
  edgeValues,
} from "../support/fieldPoints.ts";
import { awaitRecovered, requireDevices } from "../support/following.ts";
import { verifyMonitoredMembers, verifyReadMembers } from "../support/shownMembers.ts";
import { keyOf } from "../support/virtualTag.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["field-devices"],
  equipment: ["field-devices"],
  capabilities: ["tags"],
  deadlineMs: 120_000,
} as const;

const isReadable = ({ point }: PlacedPoint): boolean => point.access !== "w";
const is64Bit = ({ dataType }: FieldPoint): boolean => dataType === "uint64" || dataType === "int64";

/** Sets each edge value in the device and compares direct read and monitoring with it. */
async function compareValues(context: CaseContext, { device, point }: PlacedPoint): Promise<boolean> {
  const { verify } = context;
  for (const value of edgeValues(point)) {
    await device.set(point, value);
    const read = await awaitShown(context, point, value);
    const facts = { expected: String(value), observed: read.last };
    const what = `direct read of ${inWords(point)}`;
    verify("CORE-FIELD-01").that(read.holds, { what, ...facts });
    if (is64Bit(point)) verify("CORE-FIELD-04").that(read.holds, { what, ...facts });
    if (!read.holds) return false;
    const monitored = await awaitShown(context, point, value, { view: shownByMonitoring });
    verify("CORE-FIELD-02").that(monitored.holds, {
      what: `monitored value of ${inWords(point)}`,
      expected: String(value),
      observed: monitored.last,
    });
    // Further values of a wrong point add no evidence and take as long.
    if (!monitored.holds) return false;
  }
  return true;
}

/** Checks the names, the type and the time of points whose values have just changed. */
async function verifyMembers(context: CaseContext, placed: readonly PlacedPoint[]): Promise<void> {
  const { gateway, verify } = context;
  const listedUnits = new Map(
    (await gateway.admin.call("listTags")).data().map((tag) => [keyOf(tag), tag.dataUnit]),
  );
  const sources = Map.groupBy(placed, ({ point }) =>
    JSON.stringify([pathOf(point).provider, pathOf(point).source]),
  );
  for (const [first, ...others] of sources.values()) {
    if (first === undefined) continue;
    const { provider, source } = pathOf(first.point);
    const names = [first, ...others].map(({ point }) => pathOf(point).tag);
    const evidence = await gateway.admin.call("monitorTags", {
      path: { provider, source },
      query: { tags: names.join(",") },
    });
    const values = new Map([evidence.data()].flat().map((value) => [value.tagName, value]));
    verify("CORE-TAG-13").equal(
      [...values.values()]
        .filter((value) => (listedUnits.get(keyOf(value)) ?? value.dataUnit) !== value.dataUnit)
        .map(({ tagName, dataUnit }) => ({ tagName, dataUnit })),
      [],
      `monitored values of ${source} whose \`dataUnit\` is not that of List tags`,
      evidence,
    );
    for (const one of [first, ...others]) {
      const value = values.get(pathOf(one.point).tag);
      if (value !== undefined)
        verifyMonitoredMembers(context, one, value, { view: "in monitoring", evidence });
    }
  }
  // One of each type: a direct read may wait for a slow line.
  for (const [one] of Map.groupBy(placed, ({ point }) => point.dataType).values()) {
    if (one === undefined) continue;
    const read = await gateway.admin.call("readTag", { path: pathOf(one.point) });
    const shown = { view: "by direct read", evidence: read };
    if (read.accepted) verifyReadMembers(context, one, read.body(), shown);
  }
}

/** A history may be sampled; a value that stays for this long is part of it. */
const sampledMs = 1200;

/** Checks that the history of a tag shows a value that the device had before the present one. */
async function verifyHistory(context: CaseContext, { device, point }: PlacedPoint): Promise<void> {
  const { gateway, verify, waitFor, clock, signal } = context;
  const values = edgeValues(point).slice(-2);
  const setMs: number[] = [];
  for (const value of values) {
    setMs.push(clock.nowMs());
    await device.set(point, value);
    const { holds, last } = await awaitShown(context, point, value, { view: shownByMonitoring });
    if (!holds)
      return context.unmet(
        `precondition of the history failed: ${point.id} does not follow ${device.name}: ${String(value)} set, ${String(last)} monitored`,
      );
    await clock.delay(sampledMs, signal);
  }
  const { provider, source, tag } = pathOf(point);
  const ask = () =>
    gateway.admin.call("monitorTags", { path: { provider, source }, query: { tags: tag, ms: 60_000 } });
  let answer = await ask();
  if (!verify("CORE-TAG-50").accepted(answer)) return;
  const missingIn = (history: readonly MonitoredValue[]): PointValue[] =>
    values.filter((value) => !history.some(({ dataValue }) => isSame(point, dataValue, value)));
  // How soon a search has a value is not stated.
  const isSettled = async (): Promise<true | undefined> => {
    if (missingIn([answer.data()].flat()).length === 0) return true;
    answer = await ask();
    return undefined;
  };
  await waitFor("the values of a device in a search", isSettled).catch(() => undefined);
  const history = [answer.data()].flat();
  const isYoung = (value: PointValue): boolean =>
    clock.nowMs() - (setMs[values.indexOf(value)] ?? 0) < keptMs(context);
  const missing = missingIn(history).filter(isYoung);
  const what = `values of ${inWords(point)} shown for ${sampledMs / 1000} s within the last minute and missing with \`ms=60000\``;
  if (history.length < 2 && (await searchesOneTime(context)))
    return verify("CORE-TAG-50").notApplicable(what, oneTimeReason);
  verify("CORE-TAG-50").equal(missing.map(String), [], what, answer);
}

const awkwardValues: readonly PointValue[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -0,
];

/** Whether answers stay readable while the device has values that JSON cannot express, and show the next number. */
async function compareAwkwardValues(context: CaseContext, { device, point }: PlacedPoint): Promise<boolean> {
  const { gateway, verify, clock, signal } = context;
  const { provider, source, tag } = pathOf(point);
  for (const value of awkwardValues) {
    await device.set(point, value);
    await clock.delay(2 * point.pollIntervalMs, signal);
    const answer = await gateway.admin.call("monitorTags", {
      path: { provider, source },
      query: { tags: tag },
    });
    // The notation of such a value is not stated; valid JSON is.
    verify("CORE-FIELD-05").that(!answer.accepted || answer.json !== undefined, {
      what: `monitor answer while ${inWords(point)} is ${String(value)}`,
      expected: "valid JSON, or rejected with 4xx",
      observed: answer.summary(),
      evidence: answer,
    });
  }
  await device.set(point, 42.5);
  const read = await awaitShown(context, point, 42.5);
  return verify("CORE-FIELD-05").that(read.holds, {
    what: `direct read of ${inWords(point)} after NaN and infinity`,
    expected: "42.5",
    observed: read.last,
  });
}

/** Whether a stream of the source stays readable beside its answers. */
async function streamAwkwardValues(context: CaseContext, placed: readonly PlacedPoint[]): Promise<void> {
  const [first] = placed;
  if (first === undefined) return;
  const { provider, source } = pathOf(first.point);
  const tags = placed.map(({ point }) => pathOf(point).tag).join(",");
  await using stream = await context.gateway.admin.openTagStream(
    { provider, source },
    { tags, onChanged: true },
  );
  await checkEach(context, placed, (one) => compareAwkwardValues(context, one));
  context
    .verify("CORE-FIELD-05")
    .equal(stream.malformed, [], `stream lines of ${source} that are not a tag value`, stream);
}

export const valueCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "field/values-are-shown",
    title: "Direct read and monitoring show field values for every type, word order and table",
    requirements: [
      "CORE-FIELD-01",
      "CORE-FIELD-02",
      "CORE-FIELD-04",
      "CORE-TAG-08",
      "CORE-TAG-09",
      "CORE-TAG-11",
      "CORE-TAG-13",
      "CORE-TAG-14",
      "CORE-TAG-15",
      "CORE-TAG-16",
      "CORE-TAG-18",
      "CORE-TAG-19",
      "CORE-TAG-50",
    ],
    async run(context) {
      const { verify, field } = context;
      const placed = onePerForm(field).filter(isReadable);
      await awaitRecovered(context, placed);
      const right: PlacedPoint[] = [];
      await checkEach(context, placed, async (one) => {
        const isRight = await compareValues(context, one);
        if (isRight) right.push(one);
        return isRight;
      });
      await verifyMembers(context, right);
      const kinds = Map.groupBy(placed, ({ device }) => device.kind);
      await allEnded([...kinds.values()].map(async ([one]) => one && verifyHistory(context, one)));
      if (!placed.some(({ point }) => is64Bit(point)))
        verify("CORE-FIELD-04").notApplicable("64-bit field values", "the rack has no 64-bit point");
      for (const missing of field.missing) context.note(missing);
    },
  }),
  testCase({
    ...shared,
    id: "field/tags-are-listed",
    title: "The tag list shows every field device tag with data type and access",
    requirements: ["CORE-FIELD-09"],
    async run({ gateway, verify, field }) {
      const answer = await gateway.admin.call("listTags");
      const keyOf = (parts: readonly string[]): string => JSON.stringify(parts);
      const listed = new Map(
        answer.data().map((tag) => [keyOf([tag.prvdName, tag.srcName, tag.tagName]), tag]),
      );
      const expected = field.devices.flatMap((device) => device.points);
      const wrong = expected.flatMap((point) => {
        const { provider, source, tag } = pathOf(point);
        const found = listed.get(keyOf([provider, source, tag]));
        if (found === undefined) return [`${point.id}: not listed`];
        return found.dataType === point.dataType && found.access === point.access
          ? []
          : [`${point.id}: ${found.dataType} ${found.access} instead of ${point.dataType} ${point.access}`];
      });
      verify("CORE-FIELD-09").that(wrong.length === 0, {
        what: `${expected.length} tags of the rack in the tag list`,
        expected: "all listed with their data type and access",
        observed:
          wrong.length === 0 ? "all listed with their data type and access" : wrong.slice(0, 10).join(", "),
        evidence: answer,
      });
    },
  }),
  testCase({
    ...shared,
    id: "field/values-without-a-number",
    title: "NaN and infinity do not break responses or streams",
    requirements: ["CORE-FIELD-05"],
    capabilities: ["tags", "tag-stream"],
    async run(context) {
      const floats = onePerForm(context.field).filter(
        (one) => isReadable(one) && (one.point.dataType === "float" || one.point.dataType === "double"),
      );
      if (floats.length === 0) context.notApplicable("the rack has no readable float or double point");
      await requireDevices(context, new Set(floats.map(({ device }) => device)));
      const sources = Map.groupBy(floats, ({ point }) => `${pathOf(point).provider} ${pathOf(point).source}`);
      await allEnded([...sources.values()].map((placed) => streamAwkwardValues(context, placed)));
    },
  }),
];
