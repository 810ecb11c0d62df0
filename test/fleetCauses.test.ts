// The cause of a new failure: found by further turns of a fleet, stored, shown and told, and nothing of it left behind.
import { afterAll, beforeAll, expect, test } from "vitest";
import Type from "typebox";
import { fleetFacts } from "../reports/fleet/fleetFacts.ts";
import { fleetPage } from "../reports/fleet/fleetPage.ts";
import { noticeLines } from "../reports/fleet/noticeText.ts";
import { findingsOf, groupFindings } from "../workflows/fleet/findings.ts";
import { readFleetHistory } from "../workflows/fleet/fleetHistory.ts";
import { noticeOf } from "../workflows/notify/notice.ts";
import { newer, older, type Planted, PlantedFleet, type RunFacts } from "./support/plantedFleet.ts";
import { lacksPostgres, type Postgres, startPostgres } from "./support/postgres.ts";

let postgres: Postgres | undefined;

beforeAll(async () => {
  if (!lacksPostgres()) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

/** Fails in both attempts of the night, then in 30 % of the runs. */
function sometimes(): (facts: RunFacts) => boolean {
  const pattern = "11" + "0100100010".repeat(3);
  let index = 0;
  return ({ gateway }) => gateway === "left" && pattern[index++] === "1";
}

const planted: readonly (readonly [cause: string, fails: (facts: RunFacts) => boolean])[] = [
  ["firmware", ({ firmware }) => firmware === "2.0"],
  ["suite", ({ suite }) => suite === newer],
  ["unit", ({ gateway }) => gateway === "left"],
  ["rig", ({ lab }) => lab === "a"],
];

test.skipIf(lacksPostgres()).concurrent.each(planted)(
  "a new failure by %s is found, and everything is restored",
  async (cause, fails) => {
    const world: Planted = { fails: () => false };
    await using fleet = await PlantedFleet.make((await postgres?.create(`cause_${cause}`)) ?? "", world);
    await fleet.putFirmware("1.0");
    await fleet.startAgents(older);
    expect(await fleet.night(older)).toEqual([]);
    await fleet.putFirmware("2.0");
    await fleet.startAgents(newer);
    world.fails = fails;
    const [found, ...others] = await fleet.night(newer);
    expect(others).toEqual([]);
    expect(found?.cases).toMatchObject([{ id: "x/a", verdict: cause }]);
    expect(found?.turns.filter(({ isExtra }) => isExtra).length).toBeLessThanOrEqual(4);
    expect(await fleet.firmwareOf("a", "left")).toBe("2.0");
    const history = await readFleetHistory(fleet.database, { nights: 60, staleAfterHours: 26 });
    expect(history.nights).toHaveLength(2);
    expect(history.causes).toEqual([found]);
    const groups = groupFindings(findingsOf(history));
    expect(fleetFacts(history, groups)).toMatchObject({ findings: [{ new: true, causes: [found] }] });
    const page = fleetPage({ history, groups });
    expect(page).toContain(`Cause: ${cause} (`);
    const notice = noticeOf({ history, rule: { alertAfter: 1, clearAfter: 1 }, source: "fleet" });
    expect(notice?.alerts[0]?.causes).toMatchObject([{ gateway: "a/left", turns: found?.turns }]);
    expect(notice === undefined ? [] : noticeLines(notice)).toContainEqual(
      expect.stringMatching(new RegExp(`^cause: ${cause} \\(.*: failed 0 of 5`)),
    );
    const [idle] = await fleet.database.rows(
      Type.Object({ holds: Type.Number() }),
      "SELECT count(*)::float8 AS holds FROM rackproof.hold",
    );
    expect(idle).toEqual({ holds: 0 });
  },
  120_000,
);

test.skipIf(lacksPostgres()).concurrent("a failure of a flaky case is found as flaky", async () => {
  const world: Planted = { fails: () => false };
  await using fleet = await PlantedFleet.make((await postgres?.create("cause_flaky")) ?? "", world);
  await fleet.putFirmware("1.0");
  await fleet.startAgents(newer);
  await fleet.night(newer);
  world.fails = sometimes();
  const [found] = await fleet.night(newer);
  expect(found?.cases).toMatchObject([{ verdict: "flaky" }]);
});

test
  .skipIf(lacksPostgres())
  .concurrent("a search without time runs no turn, and finds no cause", async () => {
    const world: Planted = { fails: () => false };
    await using fleet = await PlantedFleet.make((await postgres?.create("cause_time")) ?? "", world);
    await fleet.putFirmware("1.0");
    await fleet.startAgents(newer);
    await fleet.night(newer);
    world.fails = ({ gateway }) => gateway === "left";
    const [found] = await fleet.night(newer, 1);
    expect(found).toMatchObject({
      cases: [{ verdict: "unknown" }],
      note: "the time of --cause-min has ended",
      turns: [{ isExtra: false }, { isExtra: false }],
    });
    expect(await fleet.night(newer, 0)).toEqual([]);
  });
