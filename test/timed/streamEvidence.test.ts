// A gateway whose stream loses one change: the record, the page and the terminal show the lines around the loss.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCampaign } from "../../record/store.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";

const fault = "derived/stream-loses/monitorTags.onChanged-at-50";

test("a change lost on a stream is shown with the lines around it", async () => {
  await using folder = await temporaryFolder();
  const out = join(folder.path, "run");
  const { exitCode, stdout } = await rackproof([
    "run",
    "process",
    "--fault",
    fault,
    "--select",
    "tags/stream-of-changes",
    "--level",
    "smoke",
    "--out",
    out,
  ]);
  expect(exitCode).toBe(1);
  const record = await readCampaign(out);
  const failed = record.cases[0]?.checks.filter(({ verdict }) => verdict === "fail") ?? [];
  expect(failed.length).toBeGreaterThan(0);
  for (const { transcript, exchange } of failed) {
    expect(exchange).toBeGreaterThan(0);
    const values = transcript?.lines.map(({ line }) => Number(/"dataValue":(\d+)/.exec(line)?.[1])) ?? [];
    expect(values.length).toBeGreaterThan(2);
    // One of the changes around the check is missing, and the times never decrease.
    expect((values.at(-1) ?? 0) - (values[0] ?? 0)).toBeGreaterThanOrEqual(values.length - 1);
    const times = transcript?.lines.map(({ atMs }) => atMs) ?? [];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
  expect(stdout).toMatch(/stream +\d+\.\d{3} s {2}data:/);
  expect(stdout).toContain("(the check)");
  const page = await readFile(join(out, "report.html"), "utf8");
  expect(page).toMatch(/Stream of exchange \d+: lines around the check/);
  expect(page).toMatch(/\d+\.\d{3} s {2}data:/);
});
