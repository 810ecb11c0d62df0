// Random edits of a record by somebody without the lab's key: each is found, and none is certified. RACKPROOF_EDITS sets
// their number.
import { generateKeyPairSync } from "node:crypto";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Random, seededRandom } from "../harness/suite/random.ts";
import { logKey, readCampaign, verifyLog } from "../record/index.ts";
import { digestsText } from "../record/digests.ts";
import { beginning, contentDigest, hashOf, logFile } from "../record/log/chain.ts";
import { rewriteLog } from "../record/testing/rewriteLog.ts";
import { certifyRun } from "../workflows/release/certify.ts";
import { newestFrozenSet } from "../workflows/release/requirementSet.ts";
import { replayRun } from "../workflows/replay/replayRun.ts";
import { recordedRun, smallCase } from "./support/recordedRun.ts";

const edits = Number(process.env["RACKPROOF_EDITS"] ?? 200);
const root = await mkdtemp(join(tmpdir(), "rackproof-tampering-"));
afterAll(() => rm(root, { recursive: true }));
const { privateKey } = generateKeyPairSync("ed25519");
const lab = logKey(privateKey.export({ type: "pkcs8", format: "pem" }).toString());
const run = await recordedRun(root, lab);
const other = await rowsOf(await recordedRun(root, lab));

type Rows = readonly string[];

async function rowsOf(folder: string): Promise<Rows> {
  return (await readFile(join(folder, logFile), "utf8")).trimEnd().split("\n");
}

/** The rows with every hash and every digest of a content made anew. */
function rechained(rows: Rows): Rows {
  let hash = beginning;
  return rows.map((row) => {
    const [, entryText = "", shown = ""] = row.split("\t");
    const entry = JSON.parse(entryText) as { digests?: Record<string, string> };
    const contents = JSON.parse(shown === "" ? "{}" : shown) as Record<string, [string, string]>;
    const digests = Object.entries(contents).map(([name, [salt, text]]) => [name, contentDigest(salt, text)]);
    const text = JSON.stringify(
      entry.digests === undefined ? entry : { ...entry, digests: Object.fromEntries(digests) as object },
    );
    hash = hashOf(hash, text);
    return [hash, text, shown].join("\t");
  });
}

/** Another digit or letter somewhere in the text, outside of its structure. */
function altered(text: string, random: Random): string {
  const places = [...text.matchAll(/[0-9A-Za-z]/g)].map(({ index }) => index);
  if (places.length === 0) return text;
  const at = random.pick(places);
  const now = text[at] ?? "";
  const next = /\d/.test(now)
    ? String(((Number(now) + random.integer(0, 7)) % 9) + 1)
    : now === "e"
      ? "a"
      : "e";
  return text.slice(0, at) + next + text.slice(at + 1);
}

/** Edits of the log, each as the attacker would leave it. */
const logEdits: Readonly<Record<string, (rows: Rows, random: Random) => Rows>> = {
  "a character": (rows, random) => {
    const at = random.integer(0, rows.length - 1);
    return rows.with(at, altered(rows[at] ?? "", random));
  },
  "a field of an entry, hashes made anew": (rows, random) => {
    const at = random.integer(0, rows.length - 1);
    const [hash = "", entry = "", shown = ""] = (rows[at] ?? "").split("\t");
    const value = entry.replace(/(?<=:)(?:"[\w.-]+"|\d[\d.]*)/, (found) => altered(found, random));
    return rechained(rows.with(at, [hash, value, shown].join("\t")));
  },
  "a status, hashes made anew": (rows) =>
    rechained(rows.map((row) => row.replace('"status":200', '"status":500'))),
  "a time stamp, hashes made anew": (rows, random) => {
    const timed = rows.flatMap((row, at) => (row.includes('"atMs":') ? [at] : []));
    const at = random.pick(timed);
    return rechained(
      rows.with(at, (rows[at] ?? "").replace(/"atMs":\d/, `"atMs":${random.integer(10, 99)}`)),
    );
  },
  "a content, digests made anew": (rows, random) => {
    const open = rows.flatMap((row, at) => (row.endsWith("}") ? [at] : []));
    const at = random.pick(open);
    const [hash = "", entry = "", shown = "{}"] = (rows[at] ?? "").split("\t");
    const contents = Object.fromEntries(
      Object.entries(JSON.parse(shown) as Record<string, [string, string]>).map(([name, [salt, text]]) => [
        name,
        [salt, altered(text, random)],
      ]),
    );
    return rechained(rows.with(at, [hash, entry, JSON.stringify(contents)].join("\t")));
  },
  "a line dropped": (rows, random) => rows.toSpliced(random.integer(0, rows.length - 1), 1),
  "a line dropped, hashes made anew": (rows, random) =>
    rechained(rows.toSpliced(random.integer(0, rows.length - 2), 1)),
  "two lines swapped, hashes made anew": (rows, random) => {
    const at = random.integer(1, rows.length - 3);
    const [one = "", two = ""] = rows.slice(at, at + 2);
    return rechained(rows.toSpliced(at, 2, two, one));
  },
  "a line of another run, hashes made anew": (rows, random) => {
    const at = random.integer(1, rows.length - 2);
    return rechained(rows.with(at, other[Math.min(at, other.length - 2)] ?? ""));
  },
  "the rest of another run": (rows, random) => {
    const at = random.integer(1, rows.length - 2);
    return [...rows.slice(0, at), ...other.slice(at)];
  },
  "the tail cut off": (rows, random) => rows.slice(0, random.integer(1, rows.length - 1)),
};

/** Edits of the record beside the log, with `digests.json` made anew. */
const recordEdits: Readonly<Record<string, (text: string, random: Random) => string>> = {
  "a verdict": (text) => text.replaceAll('"verdict": "pass"', '"verdict": "fail"'),
  "the level": (text) => text.replace('"level": "nightly"', '"level": "certification"'),
  "the profile": (text, random) => text.replace('"sha256": "00"', `"sha256": "${random.word(8)}"`),
  "the seed": (text, random) => text.replace(/"seed": \d+/, `"seed": ${random.integer(100, 999)}`),
  "a character": altered,
};

async function edit(folder: string, random: Random): Promise<string> {
  const log = join(folder, logFile);
  if (random.integer(1, 10) === 1) {
    const own = logKey();
    await rewriteLog(folder, own, ({ entry, contents }) => ({
      entry,
      contents: Object.fromEntries(
        Object.entries(contents).map(([name, text]) => [
          name,
          entry.kind === "header" ? text : altered(text, random),
        ]),
      ),
    }));
    return "signed with another key";
  }
  if (random.integer(1, 3) === 1) {
    const name = random.pick(Object.keys(recordEdits));
    const files = [
      "campaign.json",
      ...(await readdir(join(folder, "exchanges")).catch(() => [])).map((one) => `exchanges/${one}`),
    ];
    const file = join(folder, name === "a character" ? random.pick(files) : "campaign.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, recordEdits[name]?.(text, random) ?? text);
    await writeFile(join(folder, "digests.json"), await digestsText(folder));
    return `${name} of the record`;
  }
  const name = random.pick(Object.keys(logEdits));
  const rows = await rowsOf(folder);
  await writeFile(log, `${(logEdits[name]?.(rows, random) ?? rows).join("\n")}\n`);
  return name;
}

async function stateOf(folder: string): Promise<string> {
  const names = [logFile, "campaign.json"];
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.join("\n");
}

/** Reasons against a certificate that come from the evidence; a record that is no JSON of its format has none. */
async function evidenceRefusals(folder: string): Promise<readonly string[]> {
  const record = await readCampaign(folder).catch(() => undefined);
  if (record === undefined) return ["RUN_UNREADABLE"];
  const result = await certifyRun(record, {
    folder,
    frozen: newestFrozenSet(),
    waivers: [],
    nowMs: 0,
    validDays: 1,
    replay: (log) => replayRun(log, record, [smallCase()], "1.0.0"),
  });
  const codes: readonly string[] = "refusals" in result ? result.refusals.map(({ code }) => code) : [];
  const ofEvidence = ["LOG", "LOG_KEY", "RECORD_CHANGED", "JUDGED_OTHERWISE", "NOT_REPLAYABLE"];
  return codes.filter((code) => ofEvidence.includes(code));
}

test("every edit of a record without the lab's key is found, and refused by certify", async () => {
  const random = seededRandom(20_261_122);
  const before = await stateOf(run);
  const unseen: string[] = [];
  let made = 0;
  expect(await verifyLog(run, lab.id)).toMatchObject({ log: { changedFiles: [] } });
  expect(await evidenceRefusals(run)).toEqual([]);
  while (made < edits) {
    const folder = join(root, `edit-${made}`);
    await cp(run, folder, { recursive: true });
    const what = await edit(folder, random);
    if ((await stateOf(folder)) !== before) {
      made += 1;
      const result = await verifyLog(folder, lab.id);
      const isFound =
        "breach" in result || result.log.end === undefined || result.log.changedFiles.length > 0;
      if (!isFound) unseen.push(`${made}: ${what}`);
      if ((await evidenceRefusals(folder)).length === 0) unseen.push(`${made}: ${what}: certified`);
    }
    await rm(folder, { recursive: true, force: true });
  }
  expect(unseen).toEqual([]);
}, 120_000);
