// Points of a rack, their edge values, and the values that the gateway shows for them.
import { isDeepStrictEqual } from "node:util";
import { DirectRead, MonitoredValue } from "../../interface/resources/tags.ts";
import type { FieldDevice, FieldPoint, FieldRack, PointValue } from "../../rigs/index.ts";
import { allEnded, type CaseContext } from "../../harness/index.ts";

export interface PlacedPoint {
  readonly device: FieldDevice;
  readonly point: FieldPoint;
}

/** Every point of the rack. */
function allPoints({ devices }: FieldRack): PlacedPoint[] {
  return devices.flatMap((device) => device.points.map((point) => ({ device, point })));
}

const formOf = ({ device, point }: PlacedPoint): string => {
  const where = point.at.kind === "modbus" ? `${point.at.table} ${point.at.order}` : "node";
  return [device.kind, where, point.dataType].join(" ");
};

const tableOf = ({ device, point }: PlacedPoint): string =>
  `${device.name} ${point.at.kind === "modbus" ? point.at.table : "node"}`;

const firstOfEach = (placed: readonly PlacedPoint[], keyOf: (one: PlacedPoint) => string): PlacedPoint[] =>
  [...Map.groupBy(placed, keyOf).values()].flatMap((alike) => alike.slice(0, 1));

/** One point of every kind of device, table, word order and data type, and of every table of each device. */
export function onePerForm(field: FieldRack): PlacedPoint[] {
  const points = allPoints(field);
  const forms = firstOfEach(points, formOf);
  const tables = new Set(forms.map(tableOf));
  return [
    ...forms,
    ...firstOfEach(
      points.filter((one) => !tables.has(tableOf(one))),
      tableOf,
    ),
  ];
}

/** For every source one point of each form of its device. */
export function onePerSource(field: FieldRack): PlacedPoint[] {
  return firstOfEach(allPoints(field), (one) => `${pathOf(one.point).source} ${formOf(one)}`);
}

export const pathOf = ({ tag }: FieldPoint): { provider: string; source: string; tag: string } => tag;

const powersOf2 = { uint8: 8, uint16: 16, uint32: 32, int8: 7, int16: 15, int32: 31 } as const;

/** Edge values of the point's type, each different from the previous one, the last an ordinary one. */
export function edgeValues({ dataType, dataSizeBytes }: FieldPoint): PointValue[] {
  switch (dataType) {
    case "uint8":
    case "uint16":
    case "uint32": {
      const top = 2 ** powersOf2[dataType] - 1;
      return [top, 0, Math.floor(top / 3), 1, 0x12];
    }
    case "int8":
    case "int16":
    case "int32": {
      const top = 2 ** powersOf2[dataType] - 1;
      return [top, -top - 1, -1, Math.floor(top / 3), -0x12];
    }
    case "uint64":
      return [2n ** 64n - 1n, 0, 2n ** 53n + 1n, 0x0102030405060708n, 7];
    case "int64":
      return [2n ** 63n - 1n, -(2n ** 63n), -1, -(2n ** 53n) - 1n, 7];
    case "float":
      return [
        Math.fround(3.4028234663852886e38),
        Math.fround(1.1754943508222875e-38),
        Math.fround(0.1),
        -1.5,
        1234.5,
      ];
    case "double":
      return [Number.MAX_VALUE, 2.2250738585072014e-308, 0.1, -1.5e-7, 1234.5678];
    case "boolean":
      return [true, false, true];
    case "string":
      return ["A".repeat(dataSizeBytes), "", "grüße".slice(0, dataSizeBytes / 2), "plain"];
    case "raw":
      return [0xff, 0x00, 0x5a].map((byte) => Buffer.alloc(dataSizeBytes, byte).toString("base64"));
  }
}

/** Whether the value shown equals the value of the device, exact to the precision of its type. */
export function isSame({ dataType, dataSizeBytes }: FieldPoint, shown: unknown, value: PointValue): boolean {
  if (typeof shown === "string" && typeof value !== "string") {
    // Some gateways send 64-bit integers as text, which also preserves every digit.
    return /^-?\d+$/.test(shown) && BigInt(shown) === toBigInt(value);
  }
  // Great numbers shown without a fraction or an exponent are integers to the parser.
  if (dataType === "float" && (typeof shown === "number" || typeof shown === "bigint"))
    return Math.fround(Number(shown)) === Math.fround(Number(value));
  if (dataType === "double" && typeof shown === "bigint") return Number(shown) === value;
  if (dataType === "boolean" && typeof shown === "number") return (shown !== 0) === value;
  if (dataType === "raw" && typeof value === "string")
    return rawForms(shown).some((bytes) => bytes.equals(Buffer.from(value, "base64")));
  if (dataType === "string" && typeof shown === "string" && typeof value === "string") {
    // Registers behind the end of a text are filled with zeros or blanks.
    return withoutPadding(shown, dataSizeBytes) === withoutPadding(value, dataSizeBytes);
  }
  if (typeof shown === "bigint" || typeof value === "bigint")
    return typeof shown !== "boolean" && equalIntegers(shown, value);
  return Object.is(shown, value) || shown === value;
}

/** The bytes that a raw value may stand for, whose notation is not stated: base64, hexadecimal digits, or a list of octets. */
function rawForms(shown: unknown): readonly Buffer[] {
  if (Array.isArray(shown)) return [Buffer.from(shown.map(Number))];
  if (typeof shown !== "string") return [];
  return [Buffer.from(shown, "base64"), Buffer.from(shown.replace(/^0x|[\s:-]/gi, ""), "hex")];
}

function toBigInt(value: PointValue): bigint | undefined {
  return typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))
    ? BigInt(value)
    : undefined;
}

function equalIntegers(shown: unknown, value: PointValue): boolean {
  if (typeof shown !== "bigint" && typeof shown !== "number") return false;
  return toBigInt(shown) !== undefined && toBigInt(shown) === toBigInt(value);
}

function withoutPadding(text: string, size: number): string {
  return text.slice(0, size).replace(/[\0 ]+$/, "");
}

/** Members of a shown value beyond those of the interface, such as a quality. */
type Marks = Readonly<Record<string, unknown>>;

export interface Shown {
  readonly shown: unknown;
  readonly marks?: Marks;
}

/** One way to read a value: undefined when the gateway rejects the request, does not answer, or has no value. */
export type View = (context: CaseContext, point: FieldPoint) => Promise<Shown | undefined>;

/** The value of a direct read. */
export const shownByRead: View = async ({ gateway }, point) => {
  const answer = await gateway.admin.call("readTag", { path: pathOf(point) });
  return answer.accepted ? withValue(answer.body().dataValue, marksIn(answer.json)) : undefined;
};

/** The monitored value. */
export const shownByMonitoring: View = async ({ gateway }, point) => {
  const { provider, source, tag } = pathOf(point);
  const answer = await gateway.admin.call("monitorTags", {
    path: { provider, source },
    query: { tags: tag },
  });
  if (!answer.accepted) return undefined;
  const index = [answer.data()].flat().findLastIndex(({ tagName }) => tagName === tag);
  const whole: unknown = [(answer.json as { data: unknown }).data].flat()[index];
  return withValue([answer.data()].flat()[index]?.dataValue, marksIn(whole));
};

const listedMembers = new Set(
  [MonitoredValue, DirectRead].flatMap(({ properties }) => Object.keys(properties)),
);

const marksIn = (value: unknown): Marks =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([member]) => !listedMembers.has(member)));

function withValue(shown: unknown, marks: Marks = {}): Shown | undefined {
  return shown === null || shown === undefined ? undefined : { shown, marks };
}

/**
 * Whether a mark differs from both usual readings of the view, in which it was alike or absent: the gateway shows the value
 * as no value of its device.
 */
export function isMarked({ marks = {} }: Shown, [one, other]: readonly (Shown | undefined)[]): boolean {
  if (one === undefined || other === undefined) return false;
  const [usual, again] = [one.marks ?? {}, other.marks ?? {}];
  return [...Object.keys(usual), ...Object.keys(marks)].some(
    (name) => isDeepStrictEqual(usual[name], again[name]) && !isDeepStrictEqual(marks[name], usual[name]),
  );
}

/** Time until a value must be shown: some poll intervals and the settling time of the profile. */
export function settleMs({ profile }: CaseContext, point: FieldPoint): number {
  return 3 * point.pollIntervalMs + profile.patience.settleMs;
}

/** What `awaitShown` returns as the last value where there was none. */
export const noValue = "rejected, or without a value";

/** Waits until a direct read (or `view`) shows the value; returns the last value shown. */
export async function awaitShown(
  context: CaseContext,
  point: FieldPoint,
  value: PointValue,
  { withinMs = settleMs(context, point), view = shownByRead }: { withinMs?: number; view?: View } = {},
): Promise<{ readonly holds: boolean; readonly last: unknown }> {
  const { clock, signal } = context;
  const startedMs = clock.nowMs();
  let last: unknown;
  for (;;) {
    const seen = await view(context, point);
    last = seen === undefined ? noValue : seen.shown;
    if (seen !== undefined && isSame(point, seen.shown, value)) return { holds: true, last };
    if (clock.nowMs() - startedMs > withinMs) return { holds: false, last };
    await clock.delay(Math.min(50, point.pollIntervalMs), signal);
  }
}

/** After so many wrong points of one device the remaining ones add no evidence. */
const enoughWrongPoints = 5;
/** So many points of one device are checked at a time: most of a check is waiting for the next poll. */
const pointsAtATime = 6;

/**
 * Checks the points of each device a few at a time and the devices in parallel; `check` returns whether the point was
 * right. Skips the remaining points of a device when several were wrong, because every wait runs to its end.
 */
export async function checkEach(
  { note }: CaseContext,
  placed: readonly PlacedPoint[],
  check: (one: PlacedPoint) => Promise<boolean>,
): Promise<void> {
  const checkDevice = async (points: readonly PlacedPoint[]): Promise<void> => {
    const waiting = [...points];
    let wrong = 0;
    const checkSome = async (): Promise<void> => {
      while (wrong < enoughWrongPoints) {
        const one = waiting.shift();
        if (one === undefined) return;
        if (!(await check(one))) wrong += 1;
      }
    };
    await allEnded(Array.from({ length: pointsAtATime }, checkSome));
    const [left] = waiting;
    if (left !== undefined)
      note(
        `${left.device.name}: ${waiting.length} further points skipped after ${enoughWrongPoints} wrong ones`,
      );
  };
  await allEnded([...Map.groupBy(placed, ({ device }) => device.name).values()].map(checkDevice));
}

export function inWords({ id, dataType, at }: FieldPoint): string {
  return at.kind === "modbus" ? `${id} (${dataType}, ${at.table}, ${at.order})` : `${id} (${dataType})`;
}
