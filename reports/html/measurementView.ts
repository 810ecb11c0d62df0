// Measurements of a case: charts of those with limits or several observers, and a table of all.
import type { Measurement } from "../../record/index.ts";
import { measurementText } from "../text/measurementText.ts";
import { type IntervalRow, intervalChart } from "./charts/intervalChart.ts";
import type { PageParts } from "./pageParts.ts";
import { measurementTable } from "./parts.ts";
import { html, type Html } from "../markup/template.ts";

const mostRows = 40;

/** Undefined for a case without measurements. */
export function measurementView(
  measurements: readonly Measurement[],
  { gallery, picturesBudget }: PageParts,
): Html | undefined {
  if (measurements.length === 0) return undefined;
  const worthIt = (group: readonly Measurement[]): boolean =>
    group.length > 1 || isLimited(group[0]) || (group[0]?.seenBy?.length ?? 0) > 1;
  const groups = alike(measurements).filter(worthIt);
  return html`${[
    ...picturesBudget.fitting(
      groups,
      (group) =>
        html`<figure class="chart small">
          <figcaption>${titleOf(group)}</figcaption>
          ${gallery.picture(intervals(titleOf(group), rowsOf(group), true))}
        </figure>`,
    ),
  ]}
  ${measurementTable(measurements)}`;
}

/** A chart of measured intervals. */
export function intervals(title: string, rows: readonly IntervalRow[], withObservers: boolean) {
  const shown = rows.slice(0, mostRows);
  const words = shown.map(({ label, measurement }) => {
    const { measured, relation } = measurementText(measurement);
    return `${label}: ${measured}, ${relation}`;
  });
  const left = rows.length - shown.length;
  return {
    title,
    description: `Each bar is the interval that contains the value. ${words.join("; ")}${left > 0 ? `; ${left} more in the table` : ""}.`,
    draw: intervalChart(shown, withObservers),
  };
}

/** Measurements that can share an axis: of one unit and with the same limits, or of one name without any. */
export function alike<T extends Measurement>(measurements: readonly T[]): T[][] {
  const key = ({ name, unit, limitLow, limitHigh }: Measurement): string =>
    JSON.stringify([
      unit,
      limitLow,
      limitHigh,
      limitLow === undefined && limitHigh === undefined ? name : "",
    ]);
  return [...Map.groupBy(measurements, key).values()];
}

export function isLimited(measurement: Measurement | undefined): boolean {
  return measurement?.limitLow !== undefined || measurement?.limitHigh !== undefined;
}

/** The common name, or the number of measurements; with the limits. */
export function titleOf(group: readonly Measurement[]): string {
  const names = new Set(group.map(({ name }) => name));
  const [first] = group;
  if (first === undefined) return "";
  const { allowed } = measurementText(first);
  const limits = isLimited(first) ? `, limits ${allowed}` : "";
  return names.size === 1 ? `${first.name}${limits}` : `${group.length} measurements${limits}`;
}

function rowsOf(group: readonly Measurement[]): IntervalRow[] {
  const isOneQuantity = new Set(group.map(({ name }) => name)).size === 1;
  return group.map((measurement, index) => ({
    label: isOneQuantity ? (group.length === 1 ? "measured" : `repetition ${index + 1}`) : measurement.name,
    measurement,
  }));
}
