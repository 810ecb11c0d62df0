// The state of a dispute is shown beside its check, and beside no other.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { campaignWith, caseWith } from "../record/testing/campaigns.ts";
import { writePage } from "./html/page.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-dispute-"));
});
afterEach(() => rm(folder, { recursive: true }));

const failing = (id: string) =>
  caseWith({
    id,
    requirements: ["CORE-APP-17"],
    verdict: "fail",
    checks: [
      { requirement: "CORE-APP-17", verdict: "fail", what: `state in ${id}`, expected: "1", observed: "2" },
    ],
    decided: [{ requirement: "CORE-APP-17", verdict: "fail" }],
  });

test("the report shows each state of a dispute with the failure and with the case", async () => {
  const states = {
    open: "disputed, not examined yet",
    upheld: "dispute upheld: the check will change",
    rejected: "dispute rejected: the check stays",
    "specification-silent": "dispute upheld: the interface leaves it open",
  } as const;
  for (const state of ["open", "upheld", "rejected", "specification-silent"] as const) {
    const dispute = {
      case: "apps/one",
      requirement: "CORE-APP-17",
      state,
      title: "State <after> a start",
      opened: "2027-01-15",
      file: "apps.md",
    };
    await writePage({
      record: campaignWith({ cases: [failing("apps/one"), failing("apps/two")] }),
      exchangesOf: () => [],
      folder,
      disputes: [dispute, { ...dispute, case: "apps/two", requirement: "CORE-APP-18" }],
    });
    const page = await readFile(join(folder, "report.html"), "utf8");
    const note = `${states[state]} (State &lt;after&gt; a start, docs/disputes/apps.md)`;
    expect(page.split(note)).toHaveLength(3);
    const second = page.slice(page.indexOf('id="case:apps/two"'));
    expect(second).not.toContain("dispute");
  }
});
