// A redacted copy: no marked body is left in any file, and the log, its key and the verdicts still verify.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { digestsOf, sha256 } from "../../record/digests.ts";
import type { Exchange } from "../../record/exchange.ts";
import { logKey } from "../../record/log/key.ts";
import { verifyLog } from "../../record/log/verify.ts";
import { LogWriter } from "../../record/log/writer.ts";
import { readRedaction } from "../../record/log/redaction.ts";
import { readCampaign, writeCampaign, writeExchanges } from "../../record/store.ts";
import { campaignWith, caseWith } from "../../record/testing/campaigns.ts";
import { redactRun } from "./redactRun.ts";

const secret = "plant 7, line 3";
const plain = "CORE";
const key = logKey();
let folder: string;
let target: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-redact-"));
  target = join(folder, "copy");
});
afterEach(() => rm(folder, { recursive: true }));

function exchange(number: number, operation: "getUser" | "listServices", body: string): Exchange {
  return {
    number,
    operation,
    session: "admin",
    startedMs: number,
    durationMs: 1,
    request: { method: "GET", url: "http://192.0.2.1/x", headers: {} },
    answer: { status: 200, headers: {}, body, bodyBytes: body.length },
  };
}

const check = { requirement: "CORE-USER-01", verdict: "fail" as const, what: "name" };
const requirement = {
  id: "CORE-USER-01",
  level: "stated" as const,
  group: "users",
  statement: "s",
  place: "p",
  verdict: "fail" as const,
  cases: ["users/one"],
};
const record = campaignWith({
  requirements: [requirement],
  cases: [
    caseWith({
      id: "users/one",
      verdict: "fail",
      reason: `name is ${secret}`,
      notes: [secret],
      curl: `curl ${secret}`,
      decided: [{ requirement: "CORE-USER-01", verdict: "fail" }],
      checks: [
        {
          ...check,
          expected: "a",
          observed: secret,
          exchange: 1,
          transcript: { checkedAtMs: 1, lines: [{ atMs: 1, line: secret }] },
        },
      ],
    }),
    caseWith({
      id: "services/one",
      checks: [{ ...check, verdict: "pass", expected: plain, observed: plain }],
    }),
    caseWith({
      id: "shape/getUser",
      checks: [{ ...check, expected: "a", observed: secret, exchange: 1, exchangeCase: "users/one" }],
    }),
  ],
});

/** Writes a run whose user has a secret name. */
async function writeRun(): Promise<void> {
  await writeExchanges(folder, "users/one", [
    exchange(1, "getUser", secret),
    exchange(2, "listServices", plain),
  ]);
  await writeExchanges(folder, "apps/without-requests", []);
  await writeExchanges(folder, "services/one", [exchange(1, "listServices", plain)]);
  await writeCampaign(folder, record);
  using log = new LogWriter(folder, key, {
    run: "ab".repeat(16),
    epochMs: () => 0,
    header: {
      suite: { version: "1.0.0", interface: "Core 2.3.0", sourcesSha256: "ab".repeat(32) },
      requirementSet: { name: "1.0", sha256: "ab".repeat(32) },
      profile: { name: "p", sha256: "00" },
      level: "smoke",
      selection: "",
      seed: 1,
      startedAt: record.startedAt,
    },
  });
  for (const [index, { id, verdict }] of record.cases.entries()) {
    const of = { case: id, atMs: index };
    log.add({ kind: "case-start", ...of, gateway: 0, baseUrl: "http://192.0.2.1" });
    const isUser = id === "users/one";
    log.add(
      {
        kind: "exchange",
        ...of,
        number: 1,
        operation: isUser ? "getUser" : "listServices",
        session: "admin",
        startedMs: 1,
        durationMs: 1,
        request: { method: "GET", url: "http://192.0.2.1/x", headers: {} },
        answer: { status: 200, headers: {}, bodyBytes: 1, stream: 3 },
      },
      { request: "", answer: isUser ? secret : plain },
    );
    log.add({ kind: "stream", ...of, stream: 3 }, { bytes: isUser ? secret : plain });
    log.add({ kind: "outside", ...of, key: "rig", startedMs: 0 }, { value: plain });
    const end = { kind: "case-end" as const, ...of, verdict, recordSha256: sha256(id) };
    log.add(end);
  }
  log.end({ complete: true, files: await digestsOf(folder) });
}

async function problemsOf(place: string): Promise<readonly string[]> {
  const result = await verifyLog(place, key.id);
  if ("breach" in result) return [result.breach.problem];
  const redaction = await readRedaction(place, result.log);
  const others = result.log.changedFiles.filter(
    (line) => redaction?.files.some((name) => line.startsWith(`${name} `)) !== true,
  );
  return [...others, ...(redaction?.problems ?? ["not redacted"])];
}

async function filesOf(place: string): Promise<Map<string, string>> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const file = join(parentPath, name);
        return [file, await readFile(file, "utf8")] as const;
      }),
    ),
  );
}

test("no file of the copy contains a marked body; other bodies stay; log and verdicts verify", async () => {
  await writeRun();
  const { counts } = await redactRun(folder, target, record, ["getUser"]);
  // Two contents of the exchange and one of the stream that it opened.
  expect(counts).toEqual({ contents: 3, exchanges: 1, cases: 2 });
  const files = await filesOf(target);
  expect([...files].filter(([, text]) => text.includes(secret)).map(([name]) => name)).toEqual([]);
  const texts = [...files.values()].join("\n");
  expect(texts).toContain(`"body": "${plain}"`);
  expect(await problemsOf(target)).toEqual([]);
  const log = await verifyLog(target, key.id);
  expect(log).toMatchObject({ log: { redacted: 3, header: { seed: 1 } } });
  expect((await readCampaign(target)).cases.map(({ verdict }) => verdict)).toEqual(["fail", "pass", "pass"]);
});

test("* removes every content that the run received", async () => {
  await writeRun();
  await redactRun(folder, target, record, ["*"]);
  const log = await readFile(join(target, "evidence.log"), "utf8");
  const contents = log
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t")[2]);
  expect(contents.filter((text) => text !== "")).toEqual([]);
  expect(await problemsOf(target)).toEqual([]);
});

test("a copy whose verdict, seed, level or digests were changed is found", async () => {
  await writeRun();
  await redactRun(folder, target, record, ["getUser"]);
  const campaign = join(target, "campaign.json");
  const text = await readFile(campaign, "utf8");
  const write = async (file: string, from: string, to: string): Promise<readonly string[]> => {
    const before = await readFile(file, "utf8");
    expect(before).toContain(from);
    await writeFile(file, before.replace(from, to));
    const problems = await problemsOf(target);
    await writeFile(file, before);
    return problems;
  };
  // The first verdict of the file is that of the requirement, the second that of the case.
  expect(await write(campaign, '"verdict": "fail"', '"verdict": "pass"')).toEqual([
    "campaign.json: CORE-USER-01 is pass, its cases decide otherwise",
  ]);
  const ofCase = '"effect": "read-only",\n   "verdict": "fail"';
  expect(await write(campaign, ofCase, ofCase.replace("fail", "pass"))).toEqual([
    "campaign.json: users/one is pass, in the log fail",
  ]);
  const decided = /"decided": \[\s*\{\s*"requirement": "CORE-USER-01",\s*"verdict": "fail"/.exec(text)?.[0];
  expect(await write(campaign, decided ?? "none", decided?.replace("fail", "pass") ?? "")).toEqual([
    "campaign.json: CORE-USER-01 is fail, its cases decide otherwise",
    "campaign.json: users/one failed, and decides no failure",
  ]);
  expect(await write(campaign, '"level": "smoke"', '"level": "certification"')).toEqual([
    "campaign.json: level is certification, in the log smoke",
  ]);
  expect(await write(campaign, '"seed": 1', '"seed": 2')).toHaveLength(1);
  const digests = [...(await readFile(join(target, "redacted.json"), "utf8")).matchAll(/[0-9a-f]{64}/g)];
  expect(await write(join(target, "redacted.json"), digests[0]?.[0] ?? "", "0".repeat(64))).toHaveLength(1);
  expect(await write(join(target, "evidence.log"), plain, "BORE")).toEqual([
    expect.stringMatching(/^the content \w+ was changed$/),
  ]);
  expect(await readFile(campaign, "utf8")).toBe(text);
});
