import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CampaignRecord, writeCampaign } from "../../record/index.ts";
import { leftByRuns } from "./leftByRuns.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-left-"));
});
afterEach(() => rm(folder, { recursive: true }));

const port = { what: "http-server httpPort", from: "80", to: "8080", case: "httpserver/moves" };

async function writeRun(name: string, second: number, change: Partial<CampaignRecord>): Promise<void> {
  const record: CampaignRecord = {
    format: "rackproof/campaign@1",
    suite: { version: "1.0.0", interface: "Core 2.3.0" },
    gateway: { kind: "remote", name: "gw", version: "1", baseUrl: "http://192.0.2.1" },
    profile: { name: "p", sha256: "00" },
    level: "smoke",
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
  await writeCampaign(join(folder, name), record);
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
