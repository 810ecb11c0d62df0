// The gate over records of a real short run: copies of it with measurements and verdicts as later releases would have.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CampaignRecord } from "../../record/campaign.ts";
import { readCampaign, writeCampaign } from "../../record/store.ts";
import { seededRandom } from "../../harness/suite/random.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let real: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  real = join(folder.path, "real");
  const words = ["--select", "services,log", "--parallel", "1", "--out", real, "--json"];
  const { exitCode, stderr } = await rackproof(["run", "process", ...words]);
  if (exitCode !== 0) throw new Error(`the run ended with ${exitCode}:\n${stderr.slice(-2000)}`);
});

afterAll(() => folder[Symbol.asyncDispose]());

async function runLike(name: string, change: (record: CampaignRecord) => void): Promise<string> {
  const record = await readCampaign(real);
  change(record);
  await writeCampaign(join(folder.path, name), record);
  return join(folder.path, name);
}

/** Ten runs with a stream of so many changes a second, with 3 % of noise. */
function tenRuns(name: string, changesPerSec: number): Promise<string[]> {
  const random = seededRandom(7, name);
  return Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const middle = changesPerSec * (1 + random.integer(-30, 30) / 1000);
      return runLike(`${name}-${index}`, (record) =>
        record.cases[0]?.measurements.push({
          name: "changes kept up",
          unit: "1/s",
          low: middle - 1,
          high: middle + 1,
          observers: ["sequence numbers"],
        }),
      );
    }),
  );
}

function caseOf(record: CampaignRecord, id: string): CampaignRecord["cases"][number] {
  const found = record.cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`the run has no case ${id}`);
  return found;
}

function setVerdict(record: CampaignRecord, id: string, verdict: "fail" | "inconclusive"): void {
  const changed = caseOf(record, id);
  changed.verdict = verdict;
  changed.reason = "as the test wants it";
  for (const one of changed.decided) one.verdict = verdict;
  for (const one of record.requirements) if (changed.requirements.includes(one.id)) one.verdict = verdict;
}

test("a run against itself may be released, and says what it could not compare", async () => {
  const { exitCode, stdout } = await rackproof(["gate", real, "--baseline", real]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^May be released/) as unknown,
  });
});

test("a stream 20 % slower is a reason, one 2 % slower is not", async () => {
  const before = await tenRuns("before", 1000);
  const slow = await rackproof(["gate", ...(await tenRuns("slow", 800)), "--baseline", ...before, "--json"]);
  expect(slow.exitCode).toBe(1);
  expect(JSON.parse(slow.stdout)).toMatchObject({ verdict: "hold", reasons: [{ kind: "slower" }] });
  const same = await rackproof(["gate", ...(await tenRuns("same", 980)), "--baseline", ...before]);
  expect(same.exitCode).toBe(0);
  const few = await rackproof([
    "gate",
    ...(await tenRuns("few", 500)).slice(0, 2),
    "--baseline",
    ...before.slice(0, 2),
  ]);
  expect(few).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("too few repetitions") as unknown,
  });
});

test("a new failure, a lost decision and a listed failure that passes each hold the release back", async () => {
  const failing = await runLike("failing", (record) => setVerdict(record, "services/listed-once", "fail"));
  const lost = await runLike("lost", (record) => setVerdict(record, "services/listed-once", "inconclusive"));
  const policy = join(folder.path, "policy.yaml");
  await writeFile(policy, "expectedFailures:\n  - { case: services/listed-once, reason: ticket 12 }\n");
  const kindsOf = async (...words: string[]): Promise<[number | undefined, string[]]> => {
    const { exitCode, stdout } = await rackproof(["gate", ...words, "--json"]);
    const { reasons } = JSON.parse(stdout) as { reasons: { kind: string }[] };
    return [exitCode, [...new Set(reasons.map((one) => one.kind))]];
  };
  expect(await kindsOf(failing, "--baseline", real)).toEqual([1, ["new-failure"]]);
  expect(await kindsOf(failing, "--baseline", failing)).toEqual([0, []]);
  expect(await kindsOf(failing)).toEqual([1, ["failure"]]);
  expect(await kindsOf(failing, "--baseline", real, "--policy", policy)).toEqual([0, []]);
  expect(await kindsOf(real, "--baseline", failing, "--policy", policy)).toEqual([
    1,
    ["expected-failure-passes"],
  ]);
  expect(await kindsOf(lost, "--baseline", real)).toEqual([1, ["no-longer-decided"]]);
  expect(await kindsOf(lost, "--baseline", lost)).toEqual([3, []]);

  const markdown = await readFile(join(lost, "gate.md"), "utf8");
  expect(markdown).toMatch(/^## ❔ Inconclusive/);
  expect(await readFile(join(lost, "gate.html"), "utf8")).toContain("is inconclusive");
});

test("an expected failure excuses its own requirement alone; a mistyped id is an error with the similar one", async () => {
  const failing = await runLike("failing-other", (record) =>
    setVerdict(record, "services/listed-once", "fail"),
  );
  const policy = join(folder.path, "pairs.yaml");
  const gateWith = async (entry: string) => {
    await writeFile(policy, `expectedFailures:\n  - { ${entry}, reason: ticket 12 }\n`);
    const { exitCode, stderr } = await rackproof(["gate", failing, "--baseline", real, "--policy", policy]);
    return [exitCode, stderr.trim()];
  };
  expect(await gateWith("requirement: CORE-SERVICE-11")).toEqual([0, ""]);
  expect(await gateWith("requirement: CORE-SERVICE-11, case: services/listed-once")).toEqual([0, ""]);
  expect(await gateWith("requirement: CORE-SERVICE-12")).toEqual([1, ""]);
  expect(await gateWith("requirement: CORE-SERVCE-11")).toEqual([
    2,
    expect.stringMatching(
      /pairs\.yaml:2: unknown requirement CORE-SERVCE-11; did you mean CORE-SERVICE-11\?.*\[EXPECTED_FAILURES_UNKNOWN\]$/,
    ),
  ]);
});

test("a policy that cannot be used is named with its line", async () => {
  const policy = join(folder.path, "wrong.yaml");
  await writeFile(policy, "alpha: 0.05\nthresholdPercent: much\n");
  expect(await rackproof(["gate", real, "--policy", policy])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /wrong\.yaml:2: thresholdPercent: expected number.*\[GATE_POLICY_FIELD\]/,
    ) as unknown,
  });
});
