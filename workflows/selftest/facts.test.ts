// The stored facts of the fault-free gateway, and checks that are no longer made.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { CampaignRecord } from "../../record/campaign.ts";
import { temporaryFolder } from "../../test/support/commandLine.ts";
import { factsOf, fallenSilent, readFacts, writeFacts } from "./facts.ts";

/** As much of a record as facts are made from. */
function record(verdict: "pass" | "not-applicable"): CampaignRecord {
  const checks = [
    { requirement: "CORE-ROLE-15", verdict: "pass" },
    { requirement: "CORE-ROLE-16", verdict },
  ];
  return {
    level: "nightly",
    cases: [{ id: "roles/a", durationMs: 12.4, checks }],
  } as unknown as CampaignRecord;
}

test("a check without a value to check counts as no longer made", () => {
  const before = factsOf(record("pass"), () => []);
  expect(fallenSilent(before, before)).toEqual([]);
  expect(
    fallenSilent(
      before,
      factsOf(record("not-applicable"), () => []),
    ),
  ).toEqual(["roles/a no longer checks CORE-ROLE-16"]);
});

test("stored facts are read unchanged", async () => {
  await using folder = await temporaryFolder();
  const file = pathToFileURL(join(folder.path, "facts.json"));
  const facts = factsOf(record("pass"), () => ["listRoles", "listRoles"]);
  await writeFacts(file, facts);
  expect(await readFacts(file)).toEqual(facts);
  expect(facts.cases[0]).toMatchObject({ durationMs: 12, operations: ["listRoles"] });
});
