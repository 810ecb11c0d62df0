import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { FieldPoint, PointValue } from "../../rigs/index.ts";
import {
  awaitShown,
  inWords,
  lookAtEach,
  onePerForm,
  pathOf,
  type PlacedPoint,
  shownByMonitoring,
  telling,
} from "../support/fieldPoints.ts";

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

/** Puts each telling value behind the point and compares what is read and monitored. */
async function compareValues(context: CaseContext, { device, point }: PlacedPoint): Promise<boolean> {
  const { verify } = context;
  for (const value of telling(point)) {
    await device.set(point, value);
    const read = await awaitShown(context, point, value);
    const facts = { expected: String(value), observed: read.last };
    verify("CORE-FIELD-01").that(read.holds, { what: `${inWords(point)} as read`, ...facts });
    if (is64Bit(point))
      verify("CORE-FIELD-04").that(read.holds, { what: `${inWords(point)} as read`, ...facts });
    if (!read.holds) return false;
    const monitored = await awaitShown(context, point, value, { look: shownByMonitoring });
    verify("CORE-FIELD-02").that(monitored.holds, {
      what: `${inWords(point)} as monitored`,
      expected: String(value),
      observed: monitored.last,
    });
    // What comes after the first wrong value of a point says nothing new, and waits as long.
    if (!monitored.holds) return false;
  }
  return true;
}

export const valueCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "field/values-are-shown",
    title:
      "Direct read and monitoring show what a field device has, for every data type, order of words and table",
    requirements: ["CORE-FIELD-01", "CORE-FIELD-02", "CORE-FIELD-04"],
    async run(context) {
      const { verify, field } = context;
      const placed = onePerForm(field).filter(isReadable);
      await lookAtEach(context, placed, (one) => compareValues(context, one));
      if (!placed.some(({ point }) => is64Bit(point)))
        verify("CORE-FIELD-04").notApplicable("64-bit points", "none in the rack");
      for (const missing of field.missing) context.note(missing);
    },
  }),
  testCase({
    ...shared,
    id: "field/tags-are-listed",
    title: "List tags answers the tags of the field devices with their data type and access",
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
        if (found === undefined) return [`${point.id} is not listed`];
        return found.dataType === point.dataType && found.access === point.access
          ? []
          : [`${point.id} is ${found.dataType} ${found.access}`];
      });
      verify("CORE-FIELD-09").that(wrong.length === 0, {
        what: `${expected.length} tags of the rack in the list`,
        expected: "all, with their data type and access",
        observed: wrong.length === 0 ? "all" : wrong.slice(0, 10).join(", "),
        evidence: answer,
      });
    },
  }),
  testCase({
    ...shared,
    id: "field/values-without-a-number",
    title: "Not-a-number and infinite values leave answers and streams readable, and the next value is shown",
    requirements: ["CORE-FIELD-05"],
    capabilities: ["tags", "tag-stream"],
    async run(context) {
      const { gateway, verify, field, clock, signal } = context;
      const floats = onePerForm(field).filter(
        (one) => isReadable(one) && (one.point.dataType === "float" || one.point.dataType === "double"),
      );
      if (floats.length === 0) context.notApplicable("the rack has no floating point value");
      for (const { device, point } of floats) {
        const { provider, source, tag } = pathOf(point);
        await using stream = await gateway.admin.openTagStream(
          { provider, source },
          { tags: tag, onChanged: true },
        );
        const awkward: PointValue[] = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];
        for (const value of awkward) {
          await device.set(point, value);
          await clock.delay(2 * point.pollIntervalMs, signal);
          const answer = await gateway.admin.call("monitorTags", {
            path: { provider, source },
            query: { tags: tag },
          });
          // How such a value is written is open; that the answer can be read is not.
          verify("CORE-FIELD-05").that(!answer.accepted || answer.json !== undefined, {
            what: `monitoring while ${inWords(point)} is ${String(value)}`,
            expected: "JSON, or a refusal",
            observed: answer.summary(),
            evidence: answer,
          });
        }
        await device.set(point, 42.5);
        const read = await awaitShown(context, point, 42.5);
        verify("CORE-FIELD-05").that(read.holds, {
          what: `${inWords(point)} after values that are no numbers`,
          expected: "42.5",
          observed: read.last,
        });
        verify("CORE-FIELD-05").equal(
          stream.malformed,
          [],
          `lines of the stream of ${point.id} that are no tag value`,
        );
      }
    },
  }),
];
