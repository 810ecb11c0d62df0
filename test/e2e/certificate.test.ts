// From a run to a certificate that others can check. Records of level certification are made from other runs, because a run of that level
// takes minutes: from the whole campaign that other tests share, and from a run of one group where nothing else counts.
import { appendFile, cp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type CertifyOptions, certify as certifyFolder } from "../../cli/certify.ts";
import { UsageError, type CampaignRecord, readCampaign } from "../../record/index.ts";
import { type FrozenSet, newestFrozenSet } from "../../workflows/release/requirementSet.ts";
import { type LabRecord, logOf, replayAsRun, writeLabRecord } from "../support/labRecord.ts";
import { rackproof, temporaryFolder } from "../support/commandLine.ts";
import { nightlyRun } from "../support/sharedRuns.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** A whole run as the certifier would get it. */
let good: string;
/** A run of the cases of one group, and of one case whose effort depends on the level. */
let short: string;
let key: string;

/** The part of the newest set that the short run decides. */
function shortSet(): FrozenSet {
  const { set, sha256 } = newestFrozenSet();
  const cases = set.cases.filter(({ id }) => id.startsWith("services/"));
  const ids = new Set(cases.map(({ id }) => id));
  const requirements = set.requirements.filter(
    (one) => one.cases.length > 0 && one.cases.every((id) => ids.has(id)),
  );
  const kept = new Set(requirements.map(({ id }) => id));
  const decidedBy = ({ requirements: ofCase }: (typeof cases)[number]) => ofCase.filter((id) => kept.has(id));
  return {
    set: { ...set, requirements, cases: cases.map((one) => ({ ...one, requirements: decidedBy(one) })) },
    sha256,
  };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  key = join(folder.path, "key");
  const whole = await nightlyRun();
  good = whole.folder;
  short = join(folder.path, "short");
  const select = "services,reboot/other-schedule-before-the-time";
  for (const { exitCode, stderr } of [
    whole,
    await rackproof(["run", "process", "--select", select, "--out", short]),
  ]) {
    const open = stderr.split("\n").filter((line) => /^(fail|error|inconclusive|rackproof)\b/.test(line));
    if (exitCode !== 0) throw new Error(`the run ended with ${exitCode}:\n${open.join("\n")}`);
  }
  await rackproof(["key", "new", key]);
}, 600_000);

afterAll(() => folder[Symbol.asyncDispose]());

/** A copy of the run as a lab with a key would hand it in, with a record or observations that differ. */
function runWith(
  name: string,
  change: (record: CampaignRecord) => void = () => undefined,
  { observed, of = short }: { observed?: LabRecord["observed"]; of?: string } = {},
): Promise<string> {
  const changeWhole = (record: CampaignRecord): void => {
    record.selection = "";
    change(record);
  };
  const record = { key, change: changeWhole, ...(observed === undefined ? {} : { observed }) };
  return writeLabRecord(of, join(folder.path, name), record);
}

async function certify(
  run: string,
  options: Partial<CertifyOptions> = {},
  frozen = shortSet(),
): Promise<{ exitCode: number; codes: string[]; stdout: string }> {
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    const exitCode = await certifyFolder(
      run,
      { key, class: "self-declared", validDays: 365, ...options },
      { replay: replayAsRun, frozen },
    ).catch((thrown: unknown) => {
      if (!(thrown instanceof UsageError)) throw thrown;
      written.stderr += `[${thrown.code}]`;
      return 2;
    });
    const codes = [...new Set([...written.stderr.matchAll(/\[([A-Z_]+)\]/g)].map(([, code = ""]) => code))];
    return { exitCode, stdout: written.stdout, codes };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The list of services with a service that appears twice. */
const listedTwice: LabRecord["observed"] = (line) =>
  line.entry["case"] === "services/listed-once" && line.entry["operation"] === "listServices"
    ? {
        ...line,
        contents: {
          ...line.contents,
          answer: line.contents["answer"]?.replace(/(\[)(\{[^{}]*\})/, "$1$2,$2") ?? "",
        },
      }
    : line;

test("a run is judged again from its record alone, with the same result", async () => {
  const { stdout } = await rackproof(["judge", good]);
  const [, replayed, lacking] = /(\d+) cases replayed, (\d+) not replayable/.exec(stdout) ?? [];
  // On a busy machine a loop that is paced by time alone may have asked once more or less.
  expect(Number(lacking) / Number(replayed)).toBeLessThan(0.05);
  const changed = [...stdout.matchAll(/^case (\S+): was/gm)].map(([, id = ""]) => id);
  const notReplayed = [...stdout.matchAll(/^not replayable: (\S+):/gm)].map(([, id = ""]) => id);
  expect(changed.toSorted()).toEqual(notReplayed.toSorted());
  expect(stdout).not.toMatch(/, is fail$/m);
  expect((await readCampaign(good)).summary.verdict).toBe("conformant");
});

test("what the gateway answered decides, whatever the record says", async () => {
  const copy = await runWith("judged", undefined, { observed: listedTwice });
  await cp(join(short, "campaign.json"), join(copy, "campaign.json"));
  const { exitCode, stdout } = await rackproof(["judge", copy]);
  expect(exitCode).not.toBe(0);
  expect(stdout).toMatch(/^campaign\.json was changed after the run$/m);
  expect(stdout).toMatch(/^CORE-SERVICE-\d+ in services\/listed-once: was pass, is fail$/m);
  expect(stdout).toMatch(/^verdict: was conformant, is non-conformant$/m);
  await appendFile(logOf(copy), "more\n");
  expect((await rackproof(["judge", copy])).stderr).toContain("[RUN_CHANGED]");
  await rm(logOf(copy));
  expect((await rackproof(["judge", copy])).stdout).toContain("recorded before replay: conformant");
});

test("no certificate for a record without a log, with an edited one, or signed by a discarded key", async () => {
  expect((await certify(short)).codes).toEqual(["LEVEL", "SELECTION", "LOG_KEY"]);
  const bare = await runWith("bare");
  await truncate(logOf(bare), (await stat(logOf(bare))).size - 1000);
  expect(await certify(bare)).toMatchObject({ exitCode: 1, codes: ["LOG"] });
  await rm(logOf(bare));
  expect(await certify(bare)).toMatchObject({ exitCode: 1, codes: ["LOG"] });
});

test("a record that was relabelled does not hold what its level asks for", async () => {
  const { exitCode, stderr } = await rackproof(["certify", await runWith("relabelled"), "--key", key]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("[NOT_REPLAYABLE]");
});

test("a certificate is made, holds, and is refused for another firmware, another record and after its time", async () => {
  const run = await runWith("certified", undefined, { of: good });
  const { exitCode, stdout } = await certify(run, {}, newestFrozenSet());
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
  expect(await certify(await runWith("other-profile"), { profile })).toMatchObject({
    exitCode: 1,
    codes: ["PROFILE"],
  });
});

test("no certificate for a record that was changed, with digests made anew or not", async () => {
  const touched = await runWith("touched");
  await appendFile(join(touched, "exchanges", "services.listed-once.json"), " ");
  expect(await certify(touched)).toMatchObject({ exitCode: 1, codes: ["RECORD_CHANGED"] });
  // Someone who writes a pass over a failure has to make the checks agree as well.
  const forged = await runWith("forged", (record) => {
    const check = record.cases.find((one) => one.id === "services/listed-once")?.checks[0];
    if (check !== undefined) check.verdict = "fail";
  });
  const { exitCode, codes } = await certify(forged);
  expect({ exitCode, codes }).toEqual({ exitCode: 1, codes: ["JUDGED_OTHERWISE"] });
  const lacking = await runWith("lacking", (record) => {
    record.cases = record.cases.filter((one) => one.id !== "services/listed-once");
  });
  expect((await certify(lacking)).codes).toContain("CASE_MISSING");
});

test("a failure can be waived by someone, for this evidence and a time", async () => {
  const run = await runWith("waived", undefined, { observed: listedTwice });
  const file = join(folder.path, "waivers.yaml");
  expect(await certify(run, { draftWaivers: file })).toMatchObject({
    exitCode: 1,
    codes: ["REQUIREMENT_FAILED"],
  });
  const draft = await readFile(file, "utf8");
  expect((await certify(run, { waivers: file })).codes).toEqual(["WAIVERS_FIELD"]);
  const waivers = (expires: string, digest?: string): string =>
    draft
      .replaceAll('reason: ""', "reason: fixed in 4.2")
      .replaceAll('who: ""', "who: Ada")
      .replaceAll('expires: ""', `expires: ${expires}`)
      .replaceAll(/evidenceSha256: \w+/g, (line) =>
        digest === undefined ? line : `evidenceSha256: "${digest}"`,
      );
  await writeFile(file, waivers("2090-01-01"));
  expect(await certify(run, { waivers: file })).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(run, "certificate.html"), "utf8")).toContain("fixed in 4.2");
  await writeFile(file, waivers("2020-01-01"));
  expect((await certify(run, { waivers: file })).codes).toEqual(["WAIVER_EXPIRED"]);
  await writeFile(file, waivers("2090-01-01", "0".repeat(64)));
  expect((await certify(run, { waivers: file })).codes).toEqual(["WAIVER_STALE"]);
  // Once the check passes, the waiver must go.
  await writeFile(file, waivers("2090-01-01"));
  expect((await certify(await runWith("mended"), { waivers: file })).codes).toEqual(["WAIVER_STALE"]);
});
