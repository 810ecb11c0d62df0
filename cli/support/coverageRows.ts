import { cells } from "../../interface/coverage/index.ts";
import { UsageError, cellIds } from "../../record/index.ts";
import { readStoredRun } from "./storedRun.ts";

export interface CoverageRow extends Readonly<Record<string, unknown>> {
  readonly id: string;
}

/** Every cell of the interface; with a run: whether it observed the cell. */
export async function coverageRows(run: string | undefined): Promise<CoverageRow[]> {
  if (run === undefined)
    return cells.map(({ id, group, place, excluded }) => ({
      id,
      group,
      counted: excluded === undefined ? "yes" : "no",
      place,
      reason: excluded?.text ?? "",
    }));
  const { coverage } = await readStoredRun(run);
  if (coverage === undefined)
    throw new UsageError(
      "RUN_UNREADABLE",
      `run ${run}: the record contains no coverage. Fix: run the campaign again with this version`,
    );
  const observed = new Set(cellIds(coverage.cells));
  const reasons = new Map(
    coverage.unobserved.flatMap(({ reason, counts, cells: some }) =>
      cellIds(some).map((id) => [id, { reason, counts }] as const),
    ),
  );
  const groupOf = new Map(cells.map(({ id, group }) => [id, group]));
  return [...observed, ...reasons.keys()].map((id) => ({
    id,
    group: groupOf.get(id) ?? "",
    counted: reasons.get(id)?.counts === false ? "no" : "yes",
    observed: observed.has(id) ? "yes" : "no",
    reason: reasons.get(id)?.reason ?? "",
  }));
}
