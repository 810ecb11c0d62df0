// A registry as its readers meet it: what is in it is proven, and no change of its files passes.
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { sha256 } from "../../record/digests.ts";
import { newKeyPair } from "../release/signature.ts";
import { flawlessCertificate } from "../release/testing/certificates.ts";
import { buildRegistry } from "./build.ts";
import { lookUp } from "./lookUp.ts";
import { appendEntry, registrationOf } from "./registryLog.ts";

const nowMs = Date.parse("2027-06-01T00:00:00Z");
const at = "2027-05-01T00:00:00.000Z";
const certificate = flawlessCertificate();
let folder: string;
let keys: { privatePem: string; publicPem: string };

beforeAll(async () => {
  keys = await newKeyPair();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-registry-"));
});
afterEach(() => rm(folder, { recursive: true }));

const digestOf = (number: number): string => sha256(`certificate ${number}`);
const add = (number: number, validTo = certificate.validTo): Promise<void> =>
  appendEntry(
    folder,
    registrationOf({ ...certificate, validTo }, { certificateSha256: digestOf(number), keyId: "k", at }),
  );
const revoke = (number: number): Promise<void> =>
  appendEntry(folder, {
    kind: "revocation",
    at,
    certificateSha256: digestOf(number),
    reason: "key stolen",
  });
const build = (place = folder) => buildRegistry(place, { ...keys, nowMs });
const codes = async (number: number, earlier?: string, place = folder): Promise<string[]> => {
  const wish = { publicPem: keys.publicPem, ...(earlier === undefined ? {} : { earlier }) };
  return (await lookUp(place, digestOf(number), wish)).refusals.map(({ code }) => code);
};

test("a registered certificate is found, another is not, and a revoked one is refused after each build", async () => {
  for (let number = 0; number < 11; number++) await add(number);
  await build();
  expect(await codes(7)).toEqual([]);
  expect(await codes(11)).toEqual(["NOT_REGISTERED"]);
  await revoke(7);
  await add(11);
  const index = await build();
  expect([await codes(7), await codes(8), await codes(11)]).toEqual([["REVOKED"], [], []]);
  expect(index.certificates.filter(({ state }) => state === "revoked")).toMatchObject([
    { certificateSha256: digestOf(7), reason: "key stolen", revokedAt: at, index: 7 },
  ]);
  expect(index.size).toBe(13);
  const { found } = await lookUp(folder, digestOf(11), {});
  expect(found).toMatchObject({ origin: "rackproof-registry", index: 12, size: 13 });
});

test("states are valid, expired and revoked; a revoked certificate stays revoked after its expiry", async () => {
  await add(0);
  await add(1, "2027-05-31T00:00:00.000Z");
  await add(2, "2027-05-31T00:00:00.000Z");
  await revoke(2);
  const { certificates } = await build();
  expect(certificates.map(({ state }) => state)).toEqual(["valid", "expired", "revoked"]);
});

test("a log that was published is not built again after a change, removal or reordering of its entries", async () => {
  for (let number = 0; number < 5; number++) await add(number);
  await build();
  await add(5);
  const file = join(folder, "log.jsonl");
  const text = await readFile(file, "utf8");
  const lines = text.trimEnd().split("\n");
  const changes = [
    lines.with(2, (lines[2] ?? "").replace('"waived":0', '"waived":1')),
    lines.toSpliced(1, 1),
    [lines[1], lines[0], ...lines.slice(2)],
    lines.slice(0, 3),
  ];
  for (const change of changes) {
    await writeFile(file, `${change.join("\n")}\n`);
    await expect(build()).rejects.toMatchObject({ code: "REGISTRY_CHANGED" });
  }
  await writeFile(file, text);
  expect((await build()).size).toBe(6);
  await writeFile(file, text.slice(0, -10));
  await expect(build()).rejects.toMatchObject({ code: "REGISTRY_UNREADABLE" });
});

test("a changed proof, checkpoint, key or list of revocations is refused", async () => {
  for (let number = 0; number < 6; number++) await add(number);
  await revoke(3);
  await build();
  const change = async (path: string, edit: (text: string) => string): Promise<string[]> => {
    const file = join(folder, path);
    const text = await readFile(file, "utf8");
    expect(edit(text)).not.toBe(text);
    await writeFile(file, edit(text));
    const found = await codes(3);
    await writeFile(file, text);
    return found;
  };
  const proof = `certificates/${digestOf(3)}/proof.json`;
  expect(await codes(3)).toEqual(["REVOKED"]);
  // A registry that hides the revocation.
  expect(
    await change("revocations.json", () => '{"format":"rackproof/revocations@1","revocations":[]}\n'),
  ).toEqual(["REGISTRY_PROOF"]);
  const withProof = [
    await change(proof, (text) => text.replace('"index":3', '"index":2')),
    await change(proof, (text) => text.replace(String.raw`\"waived\":0`, String.raw`\"waived\":9`)),
    await change(proof, (text) => text.replaceAll(digestOf(3), digestOf(4))),
    await change(proof, (text) =>
      text.replace(/"hashes":\["(.)/, (_all, digit) => `"hashes":["${digit === "0" ? "1" : "0"}`),
    ),
    await change(proof, () => "{}"),
  ];
  for (const found of withProof) expect(found).toContain("REGISTRY_PROOF");
  expect(await change("checkpoint", (text) => text.replace("\n7\n", "\n8\n"))).toEqual(["REGISTRY_PROOF"]);
  const other = await lookUp(folder, digestOf(1), { publicPem: (await newKeyPair()).publicPem });
  expect(other.refusals.map(({ code }) => code)).toEqual(["REGISTRY_PROOF"]);
  await rm(join(folder, "checkpoint"));
  await expect(codes(1)).rejects.toMatchObject({ code: "REGISTRY_UNREADABLE" });
});

test("a registry that does not continue an earlier checkpoint is refused, although its own proofs fit", async () => {
  for (let number = 0; number < 4; number++) await add(number);
  await build();
  const earlier = await readFile(join(folder, "checkpoint"), "utf8");
  expect(await codes(1, earlier)).toEqual([]);
  await add(4);
  await build();
  expect(await codes(1, earlier)).toEqual([]);
  // A second history of the same registry, without entry 2, signed with the same key.
  const fork = `${folder}-fork`;
  const text = await readFile(join(folder, "log.jsonl"), "utf8");
  try {
    await cp(join(folder, "log.jsonl"), join(fork, "log.jsonl"));
    await writeFile(join(fork, "log.jsonl"), `${text.trimEnd().split("\n").toSpliced(2, 1).join("\n")}\n`);
    await build(fork);
    expect(await codes(1, undefined, fork)).toEqual([]);
    expect(await codes(1, earlier, fork)).toEqual(["REGISTRY_PROOF"]);
  } finally {
    await rm(fork, { recursive: true });
  }
});
