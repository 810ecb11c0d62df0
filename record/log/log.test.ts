import { generateKeyPairSync } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { beginning, hashOf, lineOf, logFile, Salts, sealContents } from "./chain.ts";
import { logKey, publicKeyId } from "./key.ts";
import { packText, unpackText } from "./pack.ts";
import { verifyLog } from "./verify.ts";
import { LogWriter } from "./writer.ts";

const pair = generateKeyPairSync("ed25519");
const privatePem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const publicPem = pair.publicKey.export({ type: "spki", format: "pem" }).toString();

const root = await mkdtemp(join(tmpdir(), "rackproof-log-"));
afterAll(() => rm(root, { recursive: true }));

function newFolder(): Promise<string> {
  return mkdtemp(join(root, "run-"));
}

async function begin(run = "0".repeat(32)): Promise<{ folder: string; writer: LogWriter }> {
  const folder = await newFolder();
  let nowMs = Date.UTC(2026, 0, 1);
  const writer = new LogWriter(folder, logKey(privatePem), {
    run,
    header: {
      suite: { version: "1.0.0", interface: "Core 2.3.0", sourcesSha256: "a".repeat(64) },
      requirementSet: { name: "1.1", sha256: "b".repeat(64) },
      profile: { name: "p", sha256: "c".repeat(64) },
      level: "nightly",
      selection: "",
      seed: 1,
      startedAt: "2026-01-01T00:00:00.000Z",
    },
    contents: { profile: "{}" },
    epochMs: () => (nowMs += 2000),
  });
  return { folder, writer };
}

/** A log of ten values that a case read, with its end. */
async function written(run?: string, value = "1"): Promise<string> {
  const { folder, writer } = await begin(run);
  for (let at = 0; at < 10; at++)
    writer.add({ kind: "reads", case: "a/b", atMs: at, key: "k" }, { value: `[${value},${at}]` });
  writer.end({ complete: true, files: {} });
  return folder;
}

async function rowsOf(folder: string): Promise<string[]> {
  return (await readFile(join(folder, logFile), "utf8")).trimEnd().split("\n");
}

async function breachOf(folder: string, rows: readonly string[], keyId?: string): Promise<string> {
  await writeFile(join(folder, logFile), `${rows.join("\n")}\n`);
  const result = await verifyLog(folder, keyId);
  return "breach" in result ? `${result.breach.line}: ${result.breach.problem}` : "none";
}

test("an unchanged log verifies with its contents, its end and the key of the lab", async () => {
  const result = await verifyLog(await written(), publicKeyId(publicPem));
  if ("breach" in result) throw new Error(result.breach.problem);
  const { header, lines, end, redacted, changedFiles } = result.log;
  expect(header).toMatchObject({ level: "nightly", seed: 1, key: { isOneTime: false } });
  expect(lines[0]?.contents).toEqual({ profile: "{}" });
  expect(lines.filter(({ entry }) => entry.kind === "reads")).toHaveLength(10);
  expect(end).toMatchObject({ complete: true });
  expect([redacted, changedFiles]).toEqual([0, []]);
});

test("a file of the record that changed after the end is named", async () => {
  const { folder, writer } = await begin();
  await writeFile(join(folder, "campaign.json"), "{}");
  const digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
  writer.end({ complete: true, files: { "campaign.json": digest, "gone.json": digest } });
  const before = await verifyLog(folder);
  expect(before).toMatchObject({ log: { changedFiles: ["gone.json is missing"] } });
  await writeFile(join(folder, "campaign.json"), "{ }");
  expect(await verifyLog(folder)).toMatchObject({
    log: { changedFiles: ["campaign.json was changed after the run", "gone.json is missing"] },
  });
});

test("every dropped, doubled or swapped line is found", async () => {
  const folder = await written();
  const rows = await rowsOf(folder);
  for (let at = 0; at < rows.length - 2; at++) {
    const [one = "", two = ""] = rows.slice(at, at + 2);
    expect(await breachOf(folder, rows.toSpliced(at, 1))).not.toBe("none");
    expect(await breachOf(folder, rows.toSpliced(at, 0, one))).not.toBe("none");
    expect(await breachOf(folder, rows.toSpliced(at, 2, two, one))).not.toBe("none");
  }
});

test("a log without its last lines verifies as far as it is signed, and says that its end is missing", async () => {
  const folder = await written();
  const rows = await rowsOf(folder);
  for (const left of [rows.length - 1, rows.length - 2, rows.length - 5]) {
    expect(await breachOf(folder, rows.slice(0, left))).toBe(
      left === rows.length - 1 ? `${left}: the end is not signed` : "none",
    );
  }
  await appendFile(join(folder, logFile), "half a li");
  const result = await verifyLog(folder);
  expect(result).toMatchObject({ log: { end: undefined } });
});

test("an entry that is rewritten with a new chain of hashes fails at the next signature", async () => {
  const folder = await written();
  const rows = await rowsOf(folder);
  let hash = beginning;
  const forged = rows.map((row, index) => {
    const [, entry = "", shown = "{}"] = row.split("\t");
    const { digests, contents } = sealContents({ value: "[2,0]" }, new Salts());
    const text =
      index === 3 ? JSON.stringify({ kind: "reads", case: "a/b", atMs: 1, key: "k", digests }) : entry;
    hash = hashOf(hash, text);
    return lineOf(hash, text, index === 3 ? contents : JSON.parse(shown === "" ? "{}" : shown)).trimEnd();
  });
  expect(await breachOf(folder, forged)).toMatch(/the signature does not fit the lines before it/);
});

test("lines of two runs with the same key do not mix, and another key is refused by its thumbprint", async () => {
  const folder = await written("1".repeat(32));
  const other = await rowsOf(await written("2".repeat(32)));
  const rows = await rowsOf(folder);
  expect(await breachOf(folder, [...rows.slice(0, 5), ...other.slice(5)])).toMatch(
    /^6: the line was changed/,
  );
  const stranger = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" });
  expect(await breachOf(folder, rows, publicKeyId(stranger.toString()))).toMatch(/^1: signed by the key/);
});

test("a content may be taken out, but not changed", async () => {
  const folder = await written();
  const rows = await rowsOf(folder);
  const at = rows.findIndex((row) => row.includes('"reads"'));
  const [hash = "", entry = "", shown = ""] = (rows[at] ?? "").split("\t");
  const changed = rows.with(at, [hash, entry, shown.replace("[1,", "[7,")].join("\t"));
  expect(await breachOf(folder, changed)).toBe(`${at + 1}: the content value was changed`);
  expect(await breachOf(folder, rows.with(at, `${hash}\t${entry}\t`))).toBe("none");
  expect(await verifyLog(folder)).toMatchObject({ log: { redacted: 1 } });
});

test("lines longer than the pieces in which the file is read are whole", async () => {
  const { folder, writer } = await begin();
  const texts = [3_000_000, 10, 1_048_576, 2_500_000].map((length) => "é€1".repeat(length / 3));
  for (const [at, value] of texts.entries())
    writer.add({ kind: "reads", case: "a/b", atMs: at, key: "k" }, { value });
  writer.end({ complete: true, files: {} });
  const result = await verifyLog(folder);
  if ("breach" in result) throw new Error(result.breach.problem);
  const read = result.log.lines.flatMap(({ contents }) => contents["value"] ?? []);
  expect(read.map(({ length }) => length)).toEqual(texts.map(({ length }) => length));
  expect(read).toEqual(texts);
});

test("a missing log and an unreadable one have different problems", async () => {
  const folder = await newFolder();
  expect(await verifyLog(folder)).toEqual({ breach: { problem: "evidence.log is missing" } });
  await mkdir(join(folder, logFile));
  expect(await verifyLog(folder)).toMatchObject({
    breach: { problem: expect.stringMatching(/^evidence\.log cannot be read \(EISDIR/) },
  });
});

test("a long text is packed, a short one is not, and a text that was never packed is refused", () => {
  const long = 'data:{"tagName":"sequence[1]","dataValue":1}\n\nü€😀'.repeat(200);
  const packed = packText(long);
  expect(packed.isPacked).toBe(true);
  expect(packed.text.length).toBeLessThan(long.length / 10);
  expect(unpackText(packed.text).toString("utf8")).toBe(long);
  expect(packText("short")).toEqual({ text: "short", isPacked: false });
  expect(() => unpackText("bm90IHBhY2tlZA==")).toThrow(/invalid|unexpected/);
});
