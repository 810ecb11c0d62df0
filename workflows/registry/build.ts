// Builds the files of a registry from its log: signed checkpoint, proofs, revocations and index.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  UsageError,
  type RegisteredCertificate,
  type RegistryIndex,
  type Revocation,
  sha256,
  writeWhole,
} from "../../record/index.ts";
import { isOrigin, readCheckpoint, sealCheckpoint } from "./checkpoint.ts";
import { leafHash, MerkleTree } from "./merkle.ts";
import { type LogLine, readRegistryLog } from "./registryLog.ts";
import {
  certificateFolder,
  checkpointFile,
  consistencyFile,
  type InclusionFile,
  indexFile,
  oldCheckpoints,
  publicKeyFile,
  revocationsFile,
} from "./registryFiles.ts";

export interface BuildWish {
  readonly privatePem: string;
  readonly publicPem: string;
  /** Name of the registry; that of the last build when absent. */
  readonly origin?: string;
  readonly nowMs: number;
}

const defaultOrigin = "rackproof-registry";
const writesAtATime = 64;

/** Writes everything but the pages and answers the index. Refuses a log that does not continue the published one. */
export async function buildRegistry(folder: string, wish: BuildWish): Promise<RegistryIndex> {
  const lines = await readRegistryLog(folder);
  const tree = new MerkleTree(lines.map(({ text }) => leafHash(text)));
  const published = await publishedCheckpoints(folder);
  const last = published.at(-1);
  const origin = wish.origin ?? last?.origin ?? defaultOrigin;
  if (!isOrigin(origin))
    throw new UsageError("REGISTRY_ORIGIN", `--origin ${origin}: expected no spaces and no +`);
  for (const { size, root } of published)
    if (size > tree.size || Buffer.compare(tree.root(size), root) !== 0)
      throw new UsageError(
        "REGISTRY_CHANGED",
        `registry ${folder}: expected a log that begins with the ${size} published entries, found another`,
      );
  const builtAt = new Date(wish.nowMs).toISOString();
  const root = tree.root();
  const certificates = registered(lines, wish.nowMs);
  const index: RegistryIndex = {
    format: "rackproof/registry@1",
    origin,
    builtAt,
    size: tree.size,
    root: root.toString("hex"),
    certificates,
  };
  const revocations = revocationsText(lines);
  const checkpoint = sealCheckpoint(
    { origin, size: tree.size, root, builtAt, revocationsSha256: sha256(revocations) },
    wish.privatePem,
  );
  const proofs = certificates.map(({ certificateSha256, index: place }): [string, string] => {
    const proof: InclusionFile = {
      format: "rackproof/inclusion@1",
      index: place,
      size: tree.size,
      entry: lines[place]?.text ?? "",
      hashes: tree.inclusionProof(place).map((hash) => hash.toString("hex")),
    };
    return [`${certificateFolder(certificateSha256)}/proof.json`, `${JSON.stringify(proof)}\n`];
  });
  const consistency = published.map(({ size }): [string, string] => [
    consistencyFile(size),
    `${JSON.stringify({ older: size, size: tree.size, hashes: tree.consistencyProof(size).map((hash) => hash.toString("hex")) })}\n`,
  ]);
  // First: proofs that are read during the build lead to this checkpoint.
  await writeWhole(join(folder, oldCheckpoints, String(tree.size)), checkpoint);
  await writeFiles(folder, [
    ...proofs,
    ...consistency,
    [revocationsFile, revocations],
    [indexFile, `${JSON.stringify(index)}\n`],
    [publicKeyFile, wish.publicPem],
    // Last: a reader of an unfinished build finds the previous checkpoint.
    [checkpointFile, checkpoint],
  ]);
  return index;
}

/** Writes files by their paths in the folder, many at a time, the last one after all others. */
export async function writeFiles(
  folder: string,
  files: readonly (readonly [path: string, text: string])[],
): Promise<void> {
  for (let start = 0; start < files.length - 1; start += writesAtATime)
    await Promise.all(
      files
        .slice(start, Math.min(start + writesAtATime, files.length - 1))
        .map(([path, text]) => writeWhole(join(folder, path), text)),
    );
  const last = files.at(-1);
  if (last !== undefined) await writeWhole(join(folder, last[0]), last[1]);
}

/** Every certificate of the log with its state. */
function registered(lines: readonly LogLine[], nowMs: number): RegisteredCertificate[] {
  const revoked = new Map<string, Revocation>();
  for (const { entry } of lines)
    if (entry.kind === "revocation" && !revoked.has(entry.certificateSha256))
      revoked.set(entry.certificateSha256, entry);
  return lines.flatMap(({ entry }, index): RegisteredCertificate[] => {
    if (entry.kind !== "certificate") return [];
    const { kind: _kind, ...facts } = entry;
    const revocation = revoked.get(entry.certificateSha256);
    if (revocation !== undefined)
      return [{ ...facts, index, state: "revoked", revokedAt: revocation.at, reason: revocation.reason }];
    return [{ ...facts, index, state: Date.parse(entry.validTo) < nowMs ? "expired" : "valid" }];
  });
}

function revocationsText(lines: readonly LogLine[]): string {
  const entries = lines.flatMap(({ entry }) => (entry.kind === "revocation" ? [entry] : []));
  return `${JSON.stringify({ format: "rackproof/revocations@1", revocations: entries })}\n`;
}

/** Checkpoints of all builds, the smallest first. */
async function publishedCheckpoints(folder: string) {
  const names = await readdir(join(folder, oldCheckpoints)).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, oldCheckpoints, name), "utf8")));
  return texts.flatMap((text) => readCheckpoint(text) ?? []).toSorted((a, b) => a.size - b.size);
}
