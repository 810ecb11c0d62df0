import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCampaign } from "../../record/store.ts";
import { rackproof } from "../support/commandLine.ts";
import { nightlyRun } from "../support/sharedRuns.ts";

test("a full campaign on the embedded gateway is conformant and leaves a whole record", async () => {
  const { folder, exitCode, stdout, stderr } = await nightlyRun();
  expect({
    exitCode,
    open: stderr.split("\n").filter((line) => /^(fail|error|inconclusive) /.test(line)),
  }).toEqual({ exitCode: 0, open: [] });
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "conformant", fail: 0, inconclusive: 0, error: 0 });
  const record = await readCampaign(folder);
  expect(record.complete).toBe(true);
  const uncovered = record.requirements.filter(
    (one) => one.level === "stated" && one.verdict === "not-covered" && one.reason?.startsWith("no case"),
  );
  expect(uncovered.map((one) => one.id)).toEqual([]);
  expect(await readdir(folder)).toEqual(
    expect.arrayContaining([
      "allure-results",
      "campaign.json",
      "console.log",
      "exchanges",
      "junit.xml",
      "report.html",
    ]),
  );
  expect((await readdir(join(folder, "exchanges"))).length).toBeGreaterThan(100);
});

test("a command that cannot be used is reported in one line and ends with 2", async () => {
  const { exitCode, stderr } = await rackproof(["run", "http://127.0.0.1:1"]);
  expect(exitCode).toBe(2);
  expect(stderr.trim()).toMatch(/^rackproof: .*--profile FILE.*\[PROFILE_MISSING\]$/);
});
