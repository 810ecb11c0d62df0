import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CampaignRecord, writeCampaign } from "../../record/index.ts";
import { campaignWith } from "../../record/testing/campaigns.ts";
import { leftByRuns } from "./leftByRuns.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-left-"));
});
afterEach(() => rm(folder, { recursive: true }));

const port = { what: "http-server httpPort", from: "80", to: "8080", case: "httpserver/moves" };

async function writeRun(name: string, second: number, change: Partial<CampaignRecord>): Promise<void> {
  await writeCampaign(join(folder, name), campaignWith(change));
  await utimes(join(folder, name, "campaign.json"), second, second);
}

test("the newest run over a gateway at a URL counts", async () => {
  await writeRun("runs/a", 100, { left: [port] });
  expect(await leftByRuns(folder)).toEqual([
    { folder: "runs/a", gateway: "gw at http://192.0.2.1", left: [port] },
  ]);
  const trouble = { kind: "health-check" as const, part: "sign-in", expected: "", found: "", remedy: "" };
  await writeRun("nights/n/gw/attempt-1", 200, { trouble });
  await writeRun("runs/embedded", 300, {
    left: [port],
    gateway: { kind: "process", name: "p", version: "1", baseUrl: "http://127.0.0.1:1" },
  });
  expect(await leftByRuns(folder)).toHaveLength(1);
  await writeRun("runs/b", 400, {});
  expect(await leftByRuns(folder)).toEqual([]);
});
