// `rackproof fleet page`: writes the page of the fleet.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fleetFacts } from "../reports/fleet/fleetFacts.ts";
import { fleetPage } from "../reports/fleet/fleetPage.ts";
import { changedGroupLines } from "../reports/fleet/fleetText.ts";
import { findingsOf, groupFindings } from "../workflows/fleet/findings.ts";
import { readFleetHistory } from "../workflows/fleet/fleetHistory.ts";
import { answer, type FleetOptions, openFleet } from "./support/fleetAccess.ts";
import { messageOf, UsageError, writeWhole } from "../record/index.ts";

export interface FleetPageOptions extends FleetOptions {
  readonly out: string;
  readonly nights: number;
  readonly staleHours: number;
}

/** Returns 0, whatever the page shows. */
export async function fleetPageCommand(options: FleetPageOptions): Promise<number> {
  const { out, nights, staleHours: staleAfterHours } = options;
  await using database = await openFleet(options);
  const history = await readFleetHistory(database, { nights, staleAfterHours });
  const groups = groupFindings(findingsOf(history));
  const file = join(out, "index.html");
  try {
    await mkdir(out, { recursive: true });
    await writeWhole(file, fleetPage({ history, groups }));
  } catch (thrown) {
    throw new UsageError("FLEET_PAGE_FOLDER", `--out ${out}: cannot be written (${messageOf(thrown)})`);
  }
  const value = { page: file, ...fleetFacts(history, groups) };
  answer(options, value, [...changedGroupLines(groups), file]);
  return 0;
}
