import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CampaignRecord, writeCampaign } from "../../record/index.ts";
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
  const record: CampaignRecord = {
    format: "rackproof/campaign@1",
    suite: { version: "1.0.0", interface: "Core 2.3.0" },
    gateway: { kind: "remote", name: "gw", version: "1", baseUrl: "http://192.0.2.1" },
    profile: { name: "p", sha256: "00", capabilities: [] },
    level: "certification",
    seed: 1,
    selection: "",
    startedAt: "2027-01-01T00:00:00.000Z",
    endedAt: "2027-01-01T00:01:00.000Z",
    complete: true,
    machine: { cpu: "c", cores: 2, node: "v24", os: "Linux" },
    summary: { verdict: "conformant", pass: 1, fail: 0, inconclusive: 0, error: 0, notApplicable: 0 },
    requirements: [],
    cases: [],
    notes: [],
    ...change,
  };
  await writeCampaign(folder, record);
  const result = await certifyRun(record, {
    folder,
    frozen: newestFrozenSet(),
    waivers: [],
    nowMs: 0,
    validDays: 1,
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
    {
      id: "apps/one",
      title: "t",
      group: "apps",
      requirements: ["CORE-APP-90"],
      effect: "read-only",
      verdict: verdict === "advice" ? "pass" : verdict,
      durationMs: 1,
      seed: 1,
      checks: [],
      measurements: [],
      notes: [],
      decided: [{ requirement: "CORE-APP-90", verdict }],
    },
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
  expect(found.filter(({ code }) => code !== "JUDGED_OTHERWISE")).toMatchObject([
    {
      code: "LAB_TROUBLE",
      reason: "the run ended early, not by the gateway (sign-in): expected 200 with a token, found 401",
    },
  ]);
});
