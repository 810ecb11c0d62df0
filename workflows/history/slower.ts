// Whether a quantity became slower over the nights: the last nights against those before them, by the statistics of the gate.
import type { DatabaseSync } from "node:sqlite";
import Type, { type Static } from "typebox";
import { compareMeasurements, type MeasuredRun } from "../gate/measurements.ts";
import { withDefaults } from "../gate/policy.ts";
import { type GateComparison, type Measurement, type TrendNight, median } from "../../record/index.ts";
import { rows } from "./rows.ts";

/** One night cannot distinguish a slower gateway from a busy one; six against 24 nights leave chance 1 in 593,775. */
const lastNights = 6;
const nightsBefore = 24;
const fewestBefore = 10;
// Applied every night to every gateway: stricter than the gate, and only for effects in nearly every night.
const policy = withDefaults({ alpha: 0.001, thresholdPercent: 20, minEffect: 0.9 });

const MeasurementRow = Type.Object({
  night: Type.Integer(),
  case_id: Type.String(),
  name: Type.String(),
  unit: Type.String(),
  low: Type.Number(),
  high: Type.Number(),
  limit_low: Type.Union([Type.Number(), Type.Null()]),
  limit_high: Type.Union([Type.Number(), Type.Null()]),
});

/** Measurements of a gateway's nights, oldest first; only nights of the level of the last one, as repetitions differ. */
export function readMeasured(
  database: DatabaseSync,
  gateway: string,
  nights: readonly TrendNight[],
): MeasuredRun[] {
  const level = nights.at(-1)?.level;
  const alike = nights.filter((one) => one.level === level).slice(-(lastNights + nightsBefore + lastNights));
  const first = alike[0];
  const last = alike.at(-1);
  if (first === undefined || last === undefined) return [];
  const query = "SELECT * FROM measurement WHERE gateway = ? AND night BETWEEN ? AND ?";
  const found = Map.groupBy(
    rows(database, MeasurementRow, query, gateway, first.id, last.id),
    (row) => row.night,
  );
  return alike.flatMap(({ id }) => {
    const byCase = Map.groupBy(found.get(id) ?? [], (row) => row.case_id);
    if (byCase.size === 0) return [];
    const cases = [...byCase].map(([caseId, all]) => ({ id: caseId, measurements: oneOfEach(all) }));
    return [{ cases }];
  });
}

/** A night is one repetition: its several measurements are not independent, and their median represents them. */
function oneOfEach(all: readonly Static<typeof MeasurementRow>[]): Measurement[] {
  return [...Map.groupBy(all, ({ name, unit }) => JSON.stringify([name, unit])).values()].flatMap((alike) => {
    const [one] = alike;
    if (one === undefined) return [];
    return [
      {
        name: one.name,
        unit: one.unit,
        low: median(alike.map(({ low }) => low)),
        high: median(alike.map(({ high }) => high)),
        ...(one.limit_low === null ? {} : { limitLow: one.limit_low }),
        ...(one.limit_high === null ? {} : { limitHigh: one.limit_high }),
        observers: [],
      },
    ];
  });
}

/** Quantities that are worse in the last nights than in those before; none with too few nights. */
export function slowerNow(measured: readonly MeasuredRun[]): GateComparison[] {
  const recent = measured.slice(-lastNights);
  const before = measured.slice(-(lastNights + nightsBefore), -lastNights);
  if (before.length < fewestBefore) return [];
  return compareMeasurements(recent, before, policy).filter(({ result }) => result === "worse");
}

/** Quantities that were worse a few nights ago already: one near the limit is reported once. */
export function slowerLately(measured: readonly MeasuredRun[]): GateComparison[] {
  return Array.from({ length: lastNights }, (_, ago) => slowerNow(measured.slice(0, -(ago + 1)))).flat();
}
