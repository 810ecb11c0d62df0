// Classes of certificates: each needs its evidence in the signed log, and no other evidence replaces it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { CertificateClass } from "../../record/certificate.ts";
import { logKey } from "../../record/log/key.ts";
import { LogWriter } from "../../record/log/writer.ts";
import { issueChallenge } from "./challenge.ts";
import { newKeyPair, seal, thumbprintOf } from "./signature.ts";
import { flawlessCertificate } from "./testing/certificates.ts";
import { readTrust, type TrustedLab } from "./trust.ts";
import { verifyCertificate } from "./verify.ts";
import { vouch } from "./voucher.ts";

const nowMs = Date.parse("2027-06-01T12:00:00Z");
const startedAt = "2027-06-01T11:00:00.000Z";
let folder: string;
let certifier: { privatePem: string; publicPem: string };
let lab: { privatePem: string; publicPem: string };

beforeAll(async () => {
  [certifier, lab] = await Promise.all([newKeyPair(), newKeyPair()]);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-voucher-"));
});
afterEach(() => rm(folder, { recursive: true }));

const issue = (change: { privatePem?: string; issuedMs?: number; validMin?: number } = {}) =>
  issueChallenge(change.privatePem ?? certifier.privatePem, {
    keyId: "certifier",
    nowMs: change.issuedMs ?? Date.parse("2027-06-01T10:55:00Z"),
    validMin: change.validMin ?? 240,
  });

/** Writes the log of a run. */
function writeLog({ seed = 1, challenge, privatePem = lab.privatePem }: LogWish = {}): void {
  using log = new LogWriter(folder, logKey(privatePem === "" ? undefined : privatePem), {
    run: "ab".repeat(16),
    epochMs: () => nowMs,
    header: {
      suite: { version: "1.0.0", interface: "Core 2.3.0", sourcesSha256: "ab".repeat(32) },
      requirementSet: { name: "1.0", sha256: "ab".repeat(32) },
      profile: { name: "p", sha256: "00" },
      level: "certification",
      selection: "",
      seed,
      startedAt,
      ...(challenge === undefined ? {} : { challenge }),
    },
  });
  log.end({ complete: true, files: {} });
}
interface LogWish {
  readonly seed?: number;
  readonly challenge?: unknown;
  /** Empty for a one-time key. */
  readonly privatePem?: string;
}

const reasons = async (wanted: CertificateClass, labs: readonly TrustedLab[] = [], seed = 1) => {
  const { refusals, voucher } = await vouch(
    folder,
    { seed },
    { class: wanted, labs, publicPem: certifier.publicPem, nowMs },
  );
  return { codes: refusals.map(({ code }) => code), why: refusals[0]?.reason ?? "", voucher };
};

test("a lab's record bears the class lab only while the trust file names its key", async () => {
  writeLog();
  const key = await thumbprintOf(lab.publicPem);
  expect(await reasons("self-declared")).toMatchObject({ codes: [], voucher: { keyId: key } });
  expect((await reasons("lab")).why).toContain("is not in the trust file");
  expect(await reasons("lab", [{ name: "Test lab", key }])).toMatchObject({
    codes: [],
    voucher: { keyId: key, lab: "Test lab" },
  });
  const dated = (from: string, until: string) => [{ name: "Test lab", key, from, until }];
  expect((await reasons("lab", dated("2027-06-01", "2027-06-01"))).codes).toEqual([]);
  expect((await reasons("lab", dated("2027-06-02", "2027-12-31"))).codes).toEqual(["CLASS"]);
  expect((await reasons("lab", dated("2027-01-01", "2027-05-31"))).codes).toEqual(["CLASS"]);
});

test("a run is witnessed when it answers the certifier's own challenge, with its seed and in time", async () => {
  const { challenge, envelope } = issue();
  const { seed } = challenge;
  writeLog({ seed, challenge: envelope });
  expect(await reasons("witnessed", [], seed)).toMatchObject({
    codes: [],
    voucher: { challenge: { nonce: challenge.nonce } },
  });
  // The record says another seed than its log.
  expect((await reasons("witnessed", [], seed + 1)).why).toContain(`the challenge has seed ${seed}`);
  writeLog({ seed: seed + 1, challenge: envelope });
  expect((await reasons("witnessed", [], seed + 1)).why).toContain("the challenge has seed");
  writeLog({ seed });
  expect((await reasons("witnessed", [], seed)).why).toContain("answered no challenge");
  writeLog({ seed, challenge: envelope, privatePem: "" });
  expect((await reasons("witnessed", [], seed)).why).toContain("a key that was made for the run");
});

test("a challenge of another key, of after the start, expired, or changed bears no class", async () => {
  const other = issue({ privatePem: lab.privatePem });
  const late = issue({ issuedMs: Date.parse("2027-06-01T11:30:00Z") });
  const expired = issue({ validMin: 30 });
  const good = issue();
  const changed = {
    ...good.envelope,
    payload: Buffer.from(JSON.stringify({ ...good.challenge, answerBy: "2030-01-01T00:00:00Z" })).toString(
      "base64",
    ),
  };
  const cases = [
    [other.envelope, other.challenge.seed, "not issued by the certifying key"],
    [late.envelope, late.challenge.seed, "the run started before"],
    [expired.envelope, expired.challenge.seed, "had to be answered by"],
    [changed, good.challenge.seed, "not issued by the certifying key"],
    ["text", 1, "not issued by the certifying key"],
  ] as const;
  for (const [envelope, seed, why] of cases) {
    writeLog({ seed, challenge: envelope });
    expect((await reasons("witnessed", [], seed)).why).toContain(why);
  }
});

test("without a log that verifies there is no voucher", async () => {
  expect(await reasons("lab")).toMatchObject({ codes: ["CLASS"], voucher: undefined });
  await writeFile(join(folder, "evidence.log"), "x\n");
  expect((await reasons("witnessed")).codes).toEqual(["CLASS"]);
  expect((await reasons("self-declared")).codes).toEqual([]);
});

test("verify requires that the evidence of a certificate bears the class", async () => {
  const at = { atMs: nowMs, publicPem: certifier.publicPem };
  const voucher = { keyId: "k", challenge: { nonce: "n", issuedAt: startedAt, answerBy: startedAt } };
  const codes = async (change: Parameters<typeof flawlessCertificate>[0], wanted: CertificateClass) => {
    const text = await seal(flawlessCertificate(change), certifier.privatePem);
    return (await verifyCertificate(text, { ...at, class: wanted })).refusals.map(({ code }) => code);
  };
  expect(await codes({}, "self-declared")).toEqual([]);
  expect(await codes({}, "lab")).toEqual(["CLASS"]);
  expect(await codes({ class: "lab", voucher: { keyId: "k", lab: "L" } }, "lab")).toEqual([]);
  expect(await codes({ class: "lab", voucher: { keyId: "k", lab: "L" } }, "witnessed")).toEqual(["CLASS"]);
  expect(await codes({ class: "witnessed", voucher }, "witnessed")).toEqual([]);
  expect(await codes({ class: "witnessed", voucher }, "lab")).toEqual(["CLASS"]);
  expect(await codes({ class: "witnessed", voucher: { ...voucher, lab: "L" } }, "lab")).toEqual([]);
});

test("a trust file is read, and a mistake is named with its line", async () => {
  const file = join(folder, "trust.yaml");
  const key = await thumbprintOf(lab.publicPem);
  await writeFile(file, `labs:\n  - name: Test lab\n    key: ${key}\n    until: 2028-01-01\n`);
  expect(await readTrust(file)).toEqual([{ name: "Test lab", key, until: "2028-01-01" }]);
  await writeFile(file, "labs:\n  - name: Test lab\n    key: abc\n");
  await expect(readTrust(file)).rejects.toMatchObject({
    code: "TRUST_FIELD",
    message: expect.stringContaining(":3") as unknown,
  });
});
