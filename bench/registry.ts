// A registry of 10,000 certificates: how long its site takes to build, and a certificate to look up.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { type Registration, sha256 } from "../record/index.ts";
import { newKeyPair } from "../workflows/release/signature.ts";
import { lookUp } from "../workflows/registry/lookUp.ts";
import { leafHash, MerkleTree } from "../workflows/registry/merkle.ts";
import { type BenchRow, median, outcomeOf } from "./table.ts";

const count = 10_000;
const lookUps = 200;
const buildLimitMs = 30_000;
const lookUpLimitMs = 10;
const program = fileURLToPath(new URL("../bin/rackproof.mjs", import.meta.url));

function entry(number: number): Registration {
  return {
    kind: "certificate",
    at: "2027-01-01T00:00:00.000Z",
    certificateSha256: sha256(`certificate ${number}`),
    keyId: "x".repeat(43),
    issuer: "Test lab",
    class: "lab",
    vendor: `Vendor ${number % 40}`,
    model: `Model ${number % 300}`,
    firmware: `4.${number % 17}.${number % 5}`,
    interface: "Core 2.3.0",
    set: "1.0",
    suite: "1.0.0",
    validFrom: "2027-01-01T00:00:00.000Z",
    validTo: "2028-01-01T00:00:00.000Z",
    passed: 526,
    waived: 0,
  };
}

export async function benchRegistry(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-bench-"));
  try {
    const lines = Array.from({ length: count }, (_, number) => JSON.stringify(entry(number)));
    await writeFile(join(folder, "log.jsonl"), lines.map((line) => `${line}\n`).join(""));
    const key = join(folder, "key");
    const { privatePem, publicPem } = await newKeyPair();
    await writeFile(key, privatePem);
    const startMs = performance.now();
    await execa(process.execPath, [program, "registry", "build", folder, "--key", key]);
    const buildMs = performance.now() - startMs;
    const timesMs: number[] = [];
    let included = 0;
    for (let number = 0; number < lookUps; number++) {
      const beganMs = performance.now();
      const digest = sha256(`certificate ${(number * 7919) % count}`);
      const { refusals } = await lookUp(folder, digest, { publicPem });
      timesMs.push(performance.now() - beganMs);
      if (refusals.length === 0) included += 1;
    }
    const wholeMs = performance.now();
    new MerkleTree(lines.map((line) => leafHash(line))).root();
    const peerMs = performance.now() - wholeMs;
    const lookUpMs = median(timesMs);
    return [
      {
        what: `registry of ${count} certificates: build, with the start of the program`,
        measured: `${(buildMs / 1000).toFixed(1)} s`,
        peer: "-",
        ratio: "-",
        limit: `at most ${buildLimitMs / 1000} s`,
        outcome: outcomeOf(buildMs <= buildLimitMs),
      },
      {
        what: "inclusion and revocation of one certificate, from files",
        measured: `median ${lookUpMs.toFixed(2)} ms, ${included} of ${lookUps} included`,
        peer: `whole log hashed ${peerMs.toFixed(0)} ms`,
        ratio: (lookUpMs / peerMs).toFixed(3),
        limit: `at most ${lookUpLimitMs} ms`,
        outcome: outcomeOf(lookUpMs <= lookUpLimitMs && included === lookUps),
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
