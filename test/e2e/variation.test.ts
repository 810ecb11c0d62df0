// Gateways with legitimate variations: no case fails and none is inconclusive.
import { expect, test } from "vitest";
import { type VariationId, variationIds } from "../../alterations/variations/index.ts";
import { combine } from "../../tools/variationPlan.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { decidedCases } from "../support/decidedCases.ts";

const seed = 7;
const campaigns = 2;
/** After each change, or each opening of a stream, the harness pauses with them: minutes in a run of all cases. */
const pausing: readonly VariationId[] = [
  "changes-shown-later",
  "settings-and-tags-shown-later",
  "users-sign-in-later",
  "changes-after-300-ms",
  "events-after-300-ms",
];
// What is measured, loads the machine or boots the gateway again sees little of how answers look: npm run variations
// runs all of it.
const select = "!field,!throughput,!streams,!timing,!hostile,!concurrency,!reboots,!resets";

test.concurrent.each(
  combine(
    variationIds.filter((id) => !pausing.includes(id)),
    seed,
    18,
  )
    .slice(0, campaigns)
    .map((ids) => [ids.join(",")]),
)(
  "%s",
  async (variation) => {
    await using folder = await temporaryFolder();
    const words = ["--variation", variation, "--level", "smoke", "--seed", String(seed), "--select", select];
    const { exitCode } = await rackproof(["run", "process", ...words, "--json", "--out", folder.path]);
    const { decided, exitCodeOfPass } = await decidedCases(folder.path);
    const open = decided.filter(({ verdict }) => verdict !== "pass" && verdict !== "not-applicable");
    expect({ exitCode, open: open.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`) }).toEqual({
      exitCode: exitCodeOfPass,
      open: [],
    });
    expect(decided.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(80);
  },
  600_000,
);

test("a gateway that shows changes after their answer passes, with a note", async () => {
  await using folder = await temporaryFolder();
  const select = "provision/configuration-is-kept";
  const words = ["--variation", "changes-shown-later", "--level", "smoke", "--select", select];
  await rackproof(["run", "process", ...words, "--json", "--out", folder.path]);
  const { decided } = await decidedCases(folder.path);
  const [ran] = decided.filter(({ id }) => id === select);
  expect(ran).toMatchObject({
    verdict: "pass",
    notes: [expect.stringMatching(/^run again: a change is shown up to \d+ ms after its answer/)],
  });
}, 120_000);

test("variations that exclude each other and unknown ones are named", async () => {
  const clash = await rackproof(["run", "process", "--variation", "long-tokens,short-tokens"]);
  expect(clash.exitCode).toBe(2);
  expect(clash.stderr).toContain("variations long-tokens and short-tokens exclude each other");
  const unknown = await rackproof(["serve", "--variation", "purple"]);
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toContain("--variation: variation purple: not found. Fix: ");
});
