import type { Measurement } from "../../record/index.ts";

/** A measured interval and its limits in words. */
export interface MeasurementText {
  /** `4.97 to 5.31 s`. */
  readonly measured: string;
  /** `4.5 to 5.5 s`, `at most 5 s`, `no limit`. */
  readonly allowed: string;
  /** Position of the interval relative to the limits. */
  readonly relation: "inside" | "outside" | "overlaps a limit" | "no limit";
}

export function measurementText(measurement: Measurement): MeasurementText {
  const { low, high, limitLow, limitHigh, unit } = measurement;
  return {
    measured: low === high ? `${figure(low)} ${unit}` : `${figure(low)} to ${figure(high)} ${unit}`,
    allowed: allowed(limitLow, limitHigh, unit),
    relation: relation(measurement),
  };
}

function allowed(limitLow: number | undefined, limitHigh: number | undefined, unit: string): string {
  if (limitLow !== undefined && limitHigh !== undefined) {
    return `${figure(limitLow)} to ${figure(limitHigh)} ${unit}`;
  }
  if (limitHigh !== undefined) return `at most ${figure(limitHigh)} ${unit}`;
  if (limitLow !== undefined) return `at least ${figure(limitLow)} ${unit}`;
  return "no limit";
}

function relation({ low, high, limitLow, limitHigh }: Measurement): MeasurementText["relation"] {
  if (limitLow === undefined && limitHigh === undefined) return "no limit";
  const lowest = limitLow ?? -Infinity;
  const highest = limitHigh ?? Infinity;
  if (low >= lowest && high <= highest) return "inside";
  return high < lowest || low > highest ? "outside" : "overlaps a limit";
}

/** A number with at most four significant digits, without an exponent for common sizes. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}
