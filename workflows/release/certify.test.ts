import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CampaignRecord, writeCampaign } from "../../record/index.ts";
import { campaignWith, caseWith } from "../../record/testing/campaigns.ts";
import { certifyRun } from "./certify.ts";
import { newestFrozenSet } from "./requirementSet.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-certify-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function refusals(
  change: Partial<CampaignRecord>,
): Promise<readonly { readonly code: string; readonly reason: string }[]> {
  const record = campaignWith({
    level: "certification",
    profile: { name: "p", sha256: "00", capabilities: [] },
    ...change,
  });
  await writeCampaign(folder, record);
  const result = await certifyRun(record, {
    folder,
    frozen: newestFrozenSet(),
    waivers: [],
    nowMs: 0,
    validDays: 1,
    replay: () => Promise.resolve({ differences: [], notReplayable: [] }),
  });
  return "refusals" in result ? result.refusals : [];
}

const declared = (isDeclared: boolean, verdict: "fail" | "advice"): Partial<CampaignRecord> => ({
  requirements: [
    {
      id: "CORE-APP-90",
      level: "declared",
      isDeclared,
      group: "apps",
      statement: "s",
      place: "p",
      verdict,
      cases: ["apps/one"],
    },
  ],
  cases: [
    caseWith({
      requirements: ["CORE-APP-90"],
      verdict: verdict === "advice" ? "pass" : verdict,
      decided: [{ requirement: "CORE-APP-90", verdict }],
    }),
  ],
});

test("a failed declaration of the gateway's own refuses the certificate; a default that nobody declared does not", async () => {
  const own = await refusals(declared(true, "fail"));
  expect(own.filter(({ code }) => code === "DECLARATION_FAILED")).toMatchObject([
    {
      reason: "the gateway's own declaration CORE-APP-90 failed in apps/one",
      waivable: { check: "apps/one" },
    },
  ]);
  const codes = (await refusals(declared(false, "advice"))).map(({ code }) => code);
  expect(codes).not.toContain("DECLARATION_FAILED");
});

test("a run that the lab ended gets one reason instead of every requirement", async () => {
  const trouble = {
    kind: "health-check" as const,
    part: "sign-in",
    expected: "200 with a token",
    found: "401",
    remedy: "check the password",
  };
  const found = await refusals({ complete: false, trouble });
  // The requirements of this record are not those of its cases, of which it has none.
  expect(found.filter(({ code }) => code !== "LOG")).toMatchObject([
    {
      code: "LAB_TROUBLE",
      reason: "the run ended early, not by the gateway (sign-in): expected 200 with a token, found 401",
    },
  ]);
});
