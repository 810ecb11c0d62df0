// Gateways with legitimate variations: no case fails and none is inconclusive.
import { expect, test } from "vitest";
import { type VariationId, variationIds } from "../../alterations/variations/index.ts";
import { combine } from "../../tools/variationPlan.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { decidedCases } from "../support/decidedCases.ts";

const seed = 7;
const campaigns = 2;
/** After each change, or each opening of a stream, the harness pauses with them, minutes in all: they have a test below. */
const pausing = [
  "changes-shown-later",
  "settings-and-tags-shown-later",
  "users-sign-in-later",
  "changes-after-300-ms",
  "events-after-300-ms",
] as const satisfies readonly VariationId[];
// What is measured, loads the machine or boots the gateway again sees little of how answers look: npm run variations
// runs all of it.
const select = "!field,!throughput,!streams,!timing,!hostile,!concurrency,!reboots,!resets";

test.concurrent.each(
  combine(
    variationIds.filter((id) => !pausing.some((one) => one === id)),
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

test.concurrent.each([
  ["changes-shown-later", "provision/configuration-is-kept", "a change is shown up to"],
  ["settings-and-tags-shown-later", "log/configuration-is-kept", "a change is shown up to"],
  ["users-sign-in-later", "auth/check-token", "a change is shown up to"],
  ["changes-after-300-ms", "tags/stream-of-changes", "a stream delivers from"],
  ["events-after-300-ms", "events/stream-sends-new-events", "a stream delivers from"],
] satisfies [(typeof pausing)[number], string, string][])(
  "a gateway with %s passes, with a note",
  async (variation, select, note) => {
    await using folder = await temporaryFolder();
    const words = ["--variation", variation, "--level", "smoke", "--select", select];
    await rackproof(["run", "process", ...words, "--json", "--out", folder.path]);
    const { decided } = await decidedCases(folder.path);
    const [ran] = decided.filter(({ id }) => id === select);
    expect(ran).toMatchObject({
      verdict: "pass",
      notes: expect.arrayContaining([expect.stringMatching(`^run again: .*${note} \\d+ ms`)]) as string[],
    });
  },
  120_000,
);

test("variations that exclude each other and unknown ones are named", async () => {
  const clash = await rackproof(["run", "process", "--variation", "long-tokens,short-tokens"]);
  expect(clash.exitCode).toBe(2);
  expect(clash.stderr).toContain("variations long-tokens and short-tokens exclude each other");
  const unknown = await rackproof(["serve", "--variation", "purple"]);
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toContain("--variation: variation purple: not found. Fix: ");
});
