// Planted causes of new failures: how many the search of a fleet names, through its real agents, queues and holds.
import type { CauseVerdict } from "../record/index.ts";
import { newer, older, type Planted, PlantedFleet, type RunFacts } from "../test/support/plantedFleet.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { randomOf } from "../test/support/syntheticFleet.ts";
import { type BenchRow, outcomeOf } from "./table.ts";

const rounds = 5;
const flakes = 0.3;

/** By the right verdict; each is asked once a run. */
const plants: Readonly<Record<string, (facts: RunFacts) => boolean>> = {
  firmware: ({ firmware }) => firmware === "2.0",
  suite: ({ suite }) => suite === newer,
  unit: ({ gateway }) => gateway === "left",
  rig: ({ lab }) => lab === "a",
};

export async function benchFleetCauses(): Promise<BenchRow[]> {
  await using postgres = await startPostgres();
  const found = await Promise.all(
    [...Object.keys(plants), "flaky"].map(async (cause, index) => {
      const planted: Planted = { fails: () => false };
      await using fleet = await PlantedFleet.make(await postgres.create(`cause_${cause}`), planted);
      const random = randomOf(index);
      const verdicts: (CauseVerdict | "none")[] = [];
      for (let round = 0; round < rounds; round++) {
        planted.fails = () => false;
        await fleet.putFirmware("1.0");
        await fleet.startAgents(older);
        await fleet.night(older);
        await fleet.putFirmware("2.0");
        await fleet.startAgents(newer);
        planted.fails = plants[cause] ?? flakyCase(random);
        const [first] = await fleet.night(newer);
        verdicts.push(first?.cases[0]?.verdict ?? "none");
      }
      return verdicts.map((verdict) => ({ cause, verdict }));
    }),
  );
  const all = found.flat();
  const right = all.filter(({ cause, verdict }) => cause === verdict).length;
  const open = all.filter(({ verdict }) => verdict === "unknown").length;
  const wrong = all.length - right - open;
  return [
    {
      what: `${all.length} planted causes (firmware, suite, unit, rig, ${flakes * 100} % flaky): named`,
      measured: `${right} right, ${open} unknown, ${wrong} wrong`,
      peer: "-",
      ratio: "-",
      limit: "at least 95 % right, none wrong",
      outcome: outcomeOf(right >= 0.95 * all.length && wrong === 0),
    },
  ];
}

/** Both attempts of the night fail: otherwise no search begins. */
function flakyCase(random: () => number): (facts: RunFacts) => boolean {
  let runs = 0;
  return ({ gateway, lab }) => gateway === "left" && lab === "a" && (runs++ < 2 || random() < flakes);
}
