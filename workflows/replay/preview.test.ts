import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type PreviewRun, logKey, readCampaign, verifyLog } from "../../record/index.ts";
import { previewPage } from "../../reports/preview/previewPage.ts";
import { recordedRun, smallCase } from "../../test/support/recordedRun.ts";
import type { TestCase } from "../../harness/index.ts";
import { previewOf } from "./preview.ts";
import { replayRun } from "./replayRun.ts";

const root = await mkdtemp(join(tmpdir(), "rackproof-preview-"));
afterAll(() => rm(root, { recursive: true }));
const folder = await recordedRun(root, logKey());

async function previewUnder(suite: readonly TestCase[]): Promise<PreviewRun> {
  const stored = await readCampaign(folder);
  const result = await verifyLog(folder);
  if ("breach" in result) throw new Error(result.breach.problem);
  return previewOf(folder, stored, await replayRun(result.log, stored, suite, "2.0.0"), () => true);
}

test("the suite that recorded a run changes no verdict of it", async () => {
  expect(await previewUnder([smallCase()])).toMatchObject({ replayed: 1, notReplayable: 0, flips: [] });
});

test("a changed check flips exactly its requirement, with what it observed", async () => {
  const { flips } = await previewUnder([smallCase((enabled) => enabled > 1)]);
  expect(flips).toEqual([
    {
      case: "services/small",
      requirement: "CORE-SERVICE-01",
      was: "pass",
      is: "fail",
      reason: "changed-check",
      detail: "number of enabled services: expected at least 1, observed 1, weather fine",
    },
  ]);
});

test("a case that asks for more than the run recorded is not replayable, with the request", async () => {
  const [small] = [smallCase()];
  const asking: TestCase = {
    ...small,
    async run(context) {
      await context.gateway.anonymous.call("listRoles");
      await small.run(context);
    },
  };
  const { flips } = await previewUnder([asking]);
  expect(flips).toMatchObject([{ is: "inconclusive", reason: "not-replayable" }]);
  expect(flips[0]?.detail).toContain("roles as anonymous");
});

test("new and removed cases are named as such, and the page shows all", async () => {
  const run = await previewUnder([{ ...smallCase(), id: "services/other" }]);
  expect(run.flips.map(({ case: id, reason }) => [id, reason])).toEqual([
    ["services/small", "removed"],
    ["services/other", "new-case"],
  ]);
  const page = previewPage({ format: "rackproof/preview@1", suite: "2.0.0", runs: [run] });
  expect(page).toContain("<h1>2 verdicts would change</h1>");
  expect(page).toContain("<td>services/other</td>");
});
