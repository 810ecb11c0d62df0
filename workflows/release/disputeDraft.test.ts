// A drafted dispute is one that reports read, contains its evidence, and no secret.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readDisputes } from "../../record/dispute.ts";
import { sha256 } from "../../record/digests.ts";
import { campaignWith, caseWith } from "../../record/testing/campaigns.ts";
import { disputeDraft, disputeFileName } from "./disputeDraft.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-dispute-"));
});
afterEach(() => rm(folder, { recursive: true }));

const requirement = "CORE-APP-17";
const secret = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl";
const disputed = caseWith({
  id: "apps/one",
  requirements: [requirement],
  verdict: "fail",
  checks: [
    {
      requirement,
      verdict: "fail",
      what: '`state` of "app": after start',
      expected: "running",
      observed: "```starting```",
      exchange: 2,
    },
    { requirement, verdict: "pass", what: "status", expected: "200", observed: "200" },
  ],
  decided: [{ requirement, verdict: "fail" }],
});
const draft = {
  record: campaignWith({ cases: [disputed] }),
  disputed,
  requirement,
  exchanges: [
    {
      number: 2,
      operation: "getApp" as const,
      session: "admin",
      startedMs: 0,
      durationMs: 1,
      request: { method: "GET", url: "http://192.0.2.1/apps/1", headers: {} },
      answer: {
        status: 200,
        headers: {},
        body: `{"state":"starting","token":"abc","note":"${secret}"}`,
        bodyBytes: 1,
      },
    },
  ],
  evidenceSha256: sha256("exchanges"),
  day: "2027-01-15",
};

test("reports read the draft, which has the evidence of the failed check and no secret", async () => {
  const text = disputeDraft(draft);
  await writeFile(join(folder, disputeFileName(draft)), text);
  await writeFile(join(folder, "README.md"), "no dispute\n");
  expect(await readDisputes(folder)).toEqual([
    {
      case: "apps/one",
      requirement,
      state: "open",
      title: '`state` of "app": after start',
      opened: "2027-01-15",
      evidenceSha256: sha256("exchanges"),
      file: "apps.one-CORE-APP-17.md",
    },
  ]);
  expect(text).toContain("expected  running\nobserved  ```starting```");
  expect(text).toContain('{"state":"starting","token":"********"');
  expect(text).not.toContain(secret);
  expect(text).not.toContain("### status");
});

test("a file with a wrong state, day or field is named", async () => {
  const text = disputeDraft(draft);
  for (const [wrong, right] of [
    ["state: closed", "state: open"],
    ["opened: 15.1.2027", "opened: 2027-01-15"],
    ["stat: open", "state: open"],
  ] as const) {
    await writeFile(join(folder, "a.md"), text.replace(right, wrong));
    await expect(readDisputes(folder)).rejects.toThrow(/^dispute a\.md/);
  }
  await writeFile(join(folder, "a.md"), "# no facts\n");
  await expect(readDisputes(folder)).rejects.toThrow(/^dispute a\.md/);
});

test("the disputes of this release can be read, and a folder without any is empty", async () => {
  expect(Array.isArray(await readDisputes())).toBe(true);
  expect(await readDisputes(join(folder, "none"))).toEqual([]);
});
