// Direct reads and writes of field points that the gateway has to reject, and that change no field device.
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { FieldPoint } from "../../rigs/index.ts";
import { edgeValues, inWords, isSame, onePerForm, pathOf, type PlacedPoint } from "../support/fieldPoints.ts";
import { requireDevices } from "../support/following.ts";
import { verifyMessage } from "../tags/readOnlyTags.ts";

/** Beyond the range of each integer type, where it ends at a power of two. */
const beyond: Partial<Record<FieldPoint["dataType"], number | bigint>> = {
  uint8: 2 ** 8,
  uint16: 2 ** 16,
  uint32: 2 ** 32,
  uint64: 2n ** 64n,
  int8: 2 ** 7,
  int16: 2 ** 15,
  int32: 2 ** 31,
  int64: 2n ** 63n,
};
const mostWriteOnly = 8;
const numbers: ReadonlySet<string> = new Set([...Object.keys(beyond), "float", "double"]);

/** Checks that a point with access r rejects the write of another value. */
async function verifyReadOnly(context: CaseContext, { device, point }: PlacedPoint): Promise<void> {
  const { gateway, verify } = context;
  const before = await device.get(point);
  const value = edgeValues(point).find((one) => !isSame(point, one, before));
  const answer = await gateway.admin.call("writeTag", {
    path: pathOf(point),
    json: { dataType: point.dataType, dataValue: value },
  });
  verify("CORE-FIELD-08").refused(answer, 400);
  verifyMessage(verify("CORE-TAG-33"), answer);
  const after = await device.get(point);
  verify("CORE-FIELD-08").that(isSame(point, after, before), {
    what: `value of ${inWords(point)} in the field device after a rejected write`,
    expected: String(before),
    observed: after,
    evidence: answer,
  });
}

/** Checks that a point that clients may write rejects what is no value of its type. */
async function verifyWrongValues(context: CaseContext, { device, point }: PlacedPoint): Promise<void> {
  const { gateway, verify } = context;
  const before = await device.get(point);
  const tooLarge = beyond[point.dataType];
  for (const [requirement, dataValue, statuses] of [
    ["CORE-TAG-36", "seven", [400]],
    // The status of this rejection is not stated.
    ...(tooLarge === undefined ? [] : [["CORE-TAG-60", tooLarge, []] as const]),
  ] as const) {
    const answer = await gateway.admin.callInvalid("writeTag", {
      path: pathOf(point),
      json: { dataType: point.dataType, dataValue },
    });
    const isRejected = verify(requirement).refused(answer, ...statuses);
    if (answer.status === 400) verifyMessage(verify("CORE-TAG-36"), answer);
    const after = await device.get(point);
    if (isRejected)
      verify(requirement).that(isSame(point, after, before), {
        what: `value of ${inWords(point)} in the field device after a rejected write of ${String(dataValue)}`,
        expected: String(before),
        observed: after,
        evidence: answer,
      });
    else await device.set(point, before);
  }
}

export const rejectedWriteCases: readonly TestCase[] = [
  testCase({
    group: "tags",
    effect: "reversible",
    touches: ["field-devices"],
    equipment: ["field-devices"],
    capabilities: ["tags"],
    deadlineMs: 120_000,
    id: "field/read-only-points-refuse-writes",
    title: "Field points reject reads, writes and values that they do not permit",
    requirements: ["CORE-FIELD-08", "CORE-TAG-32", "CORE-TAG-33", "CORE-TAG-36", "CORE-TAG-60"],
    async run(context) {
      const { gateway, verify, field } = context;
      const placed = onePerForm(field);
      const readOnly = placed.filter(({ point }) => point.access === "r");
      const points = field.devices.flatMap((device) => device.points);
      const writeOnly = points.filter(({ access }) => access === "w").slice(0, mostWriteOnly);
      const writable = placed.filter(({ point }) => point.access !== "r" && numbers.has(point.dataType));
      await requireDevices(context, new Set([...readOnly, ...writable].map(({ device }) => device)));
      for (const one of readOnly) await verifyReadOnly(context, one);
      for (const point of writeOnly)
        verify("CORE-TAG-32").refused(await gateway.admin.call("readTag", { path: pathOf(point) }), 400);
      for (const one of writable) await verifyWrongValues(context, one);
      for (const [requirement, points, what] of [
        ["CORE-FIELD-08", readOnly, "point with access r"],
        ["CORE-TAG-33", readOnly, "point with access r"],
        ["CORE-TAG-32", writeOnly, "point with access w"],
        ["CORE-TAG-36", writable, "number that clients may write"],
        [
          "CORE-TAG-60",
          writable.filter(({ point }) => point.dataType in beyond),
          "integer that clients may write",
        ],
      ] as const)
        if (points.length === 0)
          verify(requirement).notApplicable("rejected access of field points", `the rack has no ${what}`);
    },
  }),
];
