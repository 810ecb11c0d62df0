// From a run to a certificate that others can check. One whole campaign is run; the record that certification needs is
// made from it, because a run of that level takes minutes.
import { appendFile, cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCampaign, writeCampaign } from "../../record/store.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { nightlyRun } from "../support/sharedRuns.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** A run as the certifier would get it. */
let good: string;
let key: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  key = join(folder.path, "key");
  const { exitCode, stderr, ...run } = await nightlyRun();
  good = run.folder;
  const open = stderr.split("\n").filter((line) => /^(fail|error|inconclusive|rackproof)\b/.test(line));
  if (exitCode !== 0) throw new Error(`the run ended with ${exitCode}:\n${open.join("\n")}`);
  await rackproof(["key", "new", key]);
}, 400_000);

afterAll(() => folder[Symbol.asyncDispose]());

/** A copy of the run whose record was changed and its digests made anew, as a run that went so would have left it. */
async function runWith(
  name: string,
  change: (record: Awaited<ReturnType<typeof readCampaign>>) => void,
): Promise<string> {
  const copy = join(folder.path, name);
  await cp(good, copy, { recursive: true });
  const record = await readCampaign(copy);
  record.level = "certification";
  change(record);
  await writeCampaign(copy, record);
  return copy;
}

async function certify(
  run: string,
  ...words: string[]
): Promise<{ exitCode: number | undefined; codes: string[]; stdout: string }> {
  const { exitCode, stderr, stdout } = await rackproof(["certify", run, "--key", key, ...words]);
  return {
    exitCode,
    stdout,
    codes: [...new Set([...stderr.matchAll(/\[([A-Z_]+)\]/g)].map(([, code = ""]) => code))],
  };
}

test("a run is judged again from its record alone, with the same result", async () => {
  const { exitCode, stdout } = await rackproof(["judge", good]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining("same verdicts as the run") as unknown,
  });
  expect((await readCampaign(good)).summary.verdict).toBe("conformant");
});

test("a measurement outside its limits and a broken answer change the judgement", async () => {
  const copy = await runWith("judged", (record) => {
    const timed = record.cases.find((one) =>
      one.measurements.some(({ limitHigh }) => limitHigh !== undefined),
    );
    for (const measurement of timed?.measurements ?? []) {
      if (measurement.limitHigh !== undefined) measurement.low = measurement.high = measurement.limitHigh * 2;
    }
  });
  const listing = join(copy, "exchanges", "general.lists-count-their-items.json");
  await writeFile(
    listing,
    (await readFile(listing, "utf8")).replaceAll(String.raw`\"count\":`, String.raw`\"number\":`),
  );
  const { exitCode, stdout } = await rackproof(["judge", copy]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^CORE-\S+ in \S+: was pass, is fail$/m);
  expect(stdout).toMatch(/^case shape\/\S+: was pass, is fail$/m);
  expect(stdout).toMatch(/^verdict: was conformant, is non-conformant$/m);
});

test("a certificate is made, holds, and is refused for another firmware, another record and after its time", async () => {
  const run = await runWith("certified", () => undefined);
  const { exitCode, stdout } = await certify(run);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  const file = join(run, "certificate.json");
  const firmware = (await readCampaign(run)).gateway.version;
  const verify = async (...words: string[]): Promise<[number | undefined, string | undefined]> => {
    const { exitCode: code, stderr } = await rackproof([
      "verify",
      file,
      "--public-key",
      `${key}.pub`,
      ...words,
    ]);
    return [code, /\[([A-Z_]+)\]/.exec(stderr)?.[1]];
  };
  expect(await verify("--firmware", firmware, "--run", run)).toEqual([0, undefined]);
  expect(await verify("--firmware", "0.0.0")).toEqual([1, "FIRMWARE"]);
  expect(await verify("--run", good)).toEqual([1, "RECORD"]);
  expect(await verify("--at", "2099-01-01")).toEqual([1, "EXPIRED"]);
  const page = await readFile(join(run, "certificate.html"), "utf8");
  expect(page).toContain("<svg");
  expect(page).toContain(/SHA-256 +(\w{64})/.exec(stdout)?.[1] ?? "a digest");
});

test("no certificate for a run of another level, a restricted, interrupted, faulty or development one", async () => {
  expect(await certify(good)).toMatchObject({ exitCode: 1, codes: ["LEVEL"] });
  const run = await runWith("unfit", (record) => {
    record.selection = "users";
    record.gateway.fault = "users.some-fault";
    record.suite.version = "1.0.0-dev.3";
  });
  expect(await certify(run)).toMatchObject({
    exitCode: 1,
    codes: ["SELECTION", "FAULT", "DEVELOPMENT_BUILD"],
  });
  const profile = join(folder.path, "other.yaml");
  await writeFile(profile, "name: another\n");
  expect(await certify(await runWith("other-profile", () => undefined), "--profile", profile)).toMatchObject({
    exitCode: 1,
    codes: ["PROFILE"],
  });
});

test("no certificate for a record that was changed, with digests made anew or not", async () => {
  const touched = await runWith("touched", () => undefined);
  await appendFile(join(touched, "exchanges", "services.listed-once.json"), " ");
  expect(await certify(touched)).toMatchObject({ exitCode: 1, codes: ["RECORD_CHANGED"] });
  // Someone who writes a pass over a failure has to make the checks agree as well.
  const forged = await runWith("forged", (record) => {
    const check = record.cases.find((one) => one.id === "services/listed-once")?.checks[0];
    if (check !== undefined) check.verdict = "fail";
  });
  const { exitCode, codes } = await certify(forged);
  expect({ exitCode, codes }).toEqual({ exitCode: 1, codes: ["JUDGED_OTHERWISE"] });
  const short = await runWith("short", (record) => {
    record.cases = record.cases.filter((one) => one.id !== "services/listed-once");
  });
  expect((await certify(short)).codes).toContain("CASE_MISSING");
});

test("a failure can be waived by someone, for this evidence and a time", async () => {
  const run = await runWith("waived", (record) => {
    const failing = record.cases.find((one) => one.id === "services/listed-once");
    if (failing === undefined) return;
    failing.verdict = "fail";
    failing.reasonCode = "check-failed";
    for (const one of [...failing.checks, ...failing.decided]) one.verdict = "fail";
    for (const requirement of record.requirements) {
      if (failing.requirements.includes(requirement.id)) requirement.verdict = "fail";
    }
    record.summary.verdict = "non-conformant";
  });
  const file = join(folder.path, "waivers.yaml");
  expect(await certify(run, "--draft-waivers", file)).toMatchObject({
    exitCode: 1,
    codes: ["REQUIREMENT_FAILED"],
  });
  const draft = await readFile(file, "utf8");
  expect((await certify(run, "--waivers", file)).codes).toEqual(["WAIVERS_FIELD"]);
  const waivers = (expires: string, digest?: string): string =>
    draft
      .replaceAll('reason: ""', "reason: fixed in 4.2")
      .replaceAll('who: ""', "who: Ada")
      .replaceAll('expires: ""', `expires: ${expires}`)
      .replaceAll(/evidenceSha256: \w+/g, (line) =>
        digest === undefined ? line : `evidenceSha256: "${digest}"`,
      );
  await writeFile(file, waivers("2090-01-01"));
  expect(await certify(run, "--waivers", file)).toMatchObject({ exitCode: 0 });
  expect((await rackproof(["verify", join(run, "certificate.json")])).stdout).toMatch(/\d waivers?$/m);
  await writeFile(file, waivers("2020-01-01"));
  expect((await certify(run, "--waivers", file)).codes).toEqual(["WAIVER_EXPIRED"]);
  await writeFile(file, waivers("2090-01-01", "0".repeat(64)));
  expect((await certify(run, "--waivers", file)).codes).toEqual(["WAIVER_STALE"]);
  // Once the check passes, the waiver must go.
  await writeFile(file, waivers("2090-01-01"));
  expect((await certify(await runWith("mended", () => undefined), "--waivers", file)).codes).toEqual([
    "WAIVER_STALE",
  ]);
});
