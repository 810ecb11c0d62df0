import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { logKey, readCampaign, verifyLog } from "../../record/index.ts";
import { type LoggedLine, rewriteLog } from "../../record/testing/rewriteLog.ts";
import { ReplayFault } from "./replayFault.ts";
import { type Replayed, replayRun } from "./replayRun.ts";
import { recordedRun, smallCase } from "../../test/support/recordedRun.ts";

const root = await mkdtemp(join(tmpdir(), "rackproof-replay-"));
afterAll(() => rm(root, { recursive: true }));
const key = logKey();

async function replay(folder: string, suite = [smallCase()]): Promise<Replayed> {
  const result = await verifyLog(folder);
  if ("breach" in result) throw new Error(result.breach.problem);
  return replayRun(result.log, await readCampaign(folder), suite, "1.1.0");
}

/** The result of a replay of the run with its log rewritten. */
async function replayChanged(change: (line: LoggedLine) => LoggedLine | undefined): Promise<Replayed> {
  const folder = await recordedRun(root, key);
  await rewriteLog(folder, key, change);
  return replay(folder);
}

test("a case that is replayed sends the same requests, meets the same answers at the same times, and has the same verdict", async () => {
  const folder = await recordedRun(root, key);
  const { record, differences, notReplayable, replayed } = await replay(folder);
  expect({ differences, notReplayable, replayed }).toEqual({
    differences: [],
    notReplayable: [],
    replayed: 1,
  });
  const [stored] = (await readCampaign(folder)).cases;
  expect(stored?.verdict).toBe("pass");
  expect(record.cases[0]?.checks[0]).toEqual(stored?.checks[0]);
  expect(record.suite.version).toBe("1.1.0");
});

test.each([
  ["gateway", "facts", '{"kind":"boat"}', /^the gateway in the record cannot be used: /],
  ["header", "profile", '{"document":{"nmae":"x"},"credentials":{"name":"a","password":"b"}}', /nmae/],
  ["header", "profile", "{}", /^the profile in the record cannot be used: .*document/],
  ["reads", "value", '["soon"]', /^the readings of .* are not in the format of a log$/],
  ["reads", "value", "[[", /^a content of the log cannot be read: /],
])(
  "a content of a log that is not what its %s must be is named: %s %s",
  async (kind, name, text, message) => {
    const changed = replayChanged((line) =>
      line.entry.kind === kind ? { ...line, contents: { ...line.contents, [name]: text } } : line,
    );
    await expect(changed).rejects.toThrow(message);
    await expect(changed).rejects.toThrow(ReplayFault);
  },
);

test("verdicts come from the present code, not from the record", async () => {
  const folder = await recordedRun(root, key);
  const stricter = await replay(folder, [smallCase((enabled) => enabled > 1)]);
  expect(stricter.differences).toContain("case services/small: was pass, is fail");
  expect(stricter.record.summary.verdict).toBe("non-conformant");
});

test("a verdict that was written over is judged by the evidence", async () => {
  const folder = await recordedRun(root, key);
  const stored = await readCampaign(folder);
  for (const one of stored.cases) {
    one.verdict = "fail";
    for (const decided of one.decided) decided.verdict = "fail";
  }
  const result = await verifyLog(folder);
  if ("breach" in result) throw new Error(result.breach.problem);
  const { differences } = await replayRun(result.log, stored, [smallCase()], "1.0.0");
  expect(differences).toContain("case services/small: was fail, is pass");
});

test("a request that the record does not hold ends the case as not replayable, with the request named", async () => {
  let left = 2;
  const { notReplayable, record } = await replayChanged((line) =>
    line.entry["operation"] === "listServices" && (left -= 1) < 0 ? undefined : line,
  );
  expect(notReplayable).toEqual([
    { case: "services/small", lacks: expect.stringMatching(/^GET \S+services as someone$/) },
  ]);
  expect(record.cases[0]).toMatchObject({ verdict: "inconclusive", reasonCode: "not-replayable" });
});

test("another answer, and another reading of what is outside, change what the case observes", async () => {
  const other = await replayChanged(({ entry, contents }) => ({
    entry,
    contents: Object.fromEntries(
      Object.entries(contents).map(([name, text]) => [
        name,
        text.replace('"enable":true', '"enable":false').replace('"fine"', '"rain"'),
      ]),
    ),
  }));
  expect(other.notReplayable).toHaveLength(1);
  const rain = await replayChanged(({ entry, contents }) => ({
    entry,
    contents: Object.fromEntries(
      Object.entries(contents).map(([name, text]) => [name, text.replace('"fine"', '"rain"')]),
    ),
  }));
  expect(rain.record.cases[0]?.checks[0]?.observed).toBe("1, weather rain");
});

test("a case that the record does not contain is not judged as passed", async () => {
  const folder = await recordedRun(root, key);
  const newer = { ...smallCase(), id: "services/newer" };
  const { record } = await replay(folder, [smallCase(), newer]);
  expect(record.cases[1]).toMatchObject({ verdict: "inconclusive", reasonCode: "not-run" });
});
