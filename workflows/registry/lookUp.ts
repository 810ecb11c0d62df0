// Looks a certificate up in a registry by its files alone: inclusion in the signed log, and revocation.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TSchema, Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { messageOf, UsageError, sha256 } from "../../record/index.ts";
import type { Refusal } from "../release/completeness.ts";
import { type Checkpoint, openCheckpoint } from "./checkpoint.ts";
import { isConsistent, isIncluded, leafHash } from "./merkle.ts";
import {
  certificateFolder,
  checkpointFile,
  consistencyFile,
  ConsistencyFile,
  InclusionFile,
  oldCheckpoints,
  publicKeyFile,
  revocationsFile,
  RevocationsFile,
} from "./registryFiles.ts";
import { parseEntry } from "./registryLog.ts";

/** Reads a file of the registry by its path; undefined when there is no such file. */
export type RegistryReader = (path: string) => Promise<string | undefined>;

export interface LookUpWish {
  /** Public key in PEM of the registry; without it the one that the registry serves is used. */
  readonly publicPem?: string;
  /** An earlier checkpoint of this registry, whose entries must still be there. */
  readonly earlier?: string;
}

export interface LookUp {
  readonly refusals: readonly Refusal[];
  readonly publicPem: string;
  /** Present when the certificate is included. */
  readonly found?: Pick<Checkpoint, "origin" | "size" | "builtAt"> & { readonly index: number };
}

const answerWithinMs = 20_000;

/** Reader of a folder, or of an address that begins with http. */
function registryReader(place: string): RegistryReader {
  return /^https?:\/\//.test(place) ? webReader(place) : folderReader(place);
}

function folderReader(folder: string): RegistryReader {
  return (path) =>
    readFile(join(folder, path), "utf8").catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code === "ENOENT") return undefined;
      throw unreadable(folder, thrown.message);
    });
}

function webReader(address: string): RegistryReader {
  return async (path) => {
    const url = new URL(path, address.endsWith("/") ? address : `${address}/`);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) });
      if (response.status === 404) return undefined;
      if (response.ok) return await response.text();
      throw new Error(`${url.pathname}: expected 200, found ${response.status}`);
    } catch (thrown) {
      throw unreadable(address, messageOf(thrown));
    }
  };
}

/** Throws a UsageError when the place is no registry or cannot be read. */
export async function lookUp(
  place: string,
  certificateSha256: string,
  wish: LookUpWish,
  read: RegistryReader = registryReader(place),
): Promise<LookUp> {
  const needed = async (path: string): Promise<string> => {
    const text = await read(path);
    if (text === undefined) throw unreadable(place, `${path} is missing`);
    return text;
  };
  const publicPem = wish.publicPem ?? (await needed(publicKeyFile));
  const checkpoint = openCheckpoint(await needed(checkpointFile), publicPem);
  if (checkpoint === undefined)
    return { publicPem, refusals: [wrong("the checkpoint is not signed with the key of the registry")] };
  const included = await inclusion(read, certificateSha256, checkpoint, publicPem);
  const refusals = [
    ...included.refusals,
    ...(await revocation(read, certificateSha256, checkpoint)),
    ...(wish.earlier === undefined ? [] : await continuation(read, wish.earlier, checkpoint, publicPem)),
  ];
  if (included.index === undefined) return { publicPem, refusals };
  const { origin, size, builtAt } = checkpoint;
  return { publicPem, refusals, found: { origin, size, builtAt, index: included.index } };
}

async function inclusion(
  read: RegistryReader,
  certificateSha256: string,
  checkpoint: Checkpoint,
  publicPem: string,
): Promise<{ refusals: Refusal[]; index?: number }> {
  const text = await read(`${certificateFolder(certificateSha256)}/proof.json`);
  if (text === undefined) {
    const reason = `the registry ${checkpoint.origin} does not contain the certificate`;
    return { refusals: [{ code: "NOT_REGISTERED", reason }] };
  }
  const proof = parse(InclusionFile, text);
  if (proof === undefined) return { refusals: [wrong("proof.json is not an inclusion proof")] };
  const entry = parseEntry(proof.entry);
  if (entry?.kind !== "certificate" || entry.certificateSha256 !== certificateSha256)
    return { refusals: [wrong("the proof is for another entry")] };
  // During a build a proof may belong to the next or the last checkpoint.
  const head =
    proof.size === checkpoint.size
      ? checkpoint
      : openCheckpoint((await read(`${oldCheckpoints}/${proof.size}`)) ?? "", publicPem);
  const isProven =
    head !== undefined && isIncluded(leafHash(proof.entry), proof.index, head, bytes(proof.hashes));
  return isProven
    ? { refusals: [], index: proof.index }
    : { refusals: [wrong("the proof does not lead to the signed root")] };
}

async function revocation(
  read: RegistryReader,
  certificateSha256: string,
  checkpoint: Checkpoint,
): Promise<Refusal[]> {
  const text = (await read(revocationsFile)) ?? "";
  const list = parse(RevocationsFile, text);
  if (list === undefined || sha256(text) !== checkpoint.revocationsSha256)
    return [wrong(`${revocationsFile} is not the list that the checkpoint names`)];
  return list.revocations
    .filter((one) => one.certificateSha256 === certificateSha256)
    .slice(0, 1)
    .map(({ at, reason }) => ({ code: "REVOKED", reason: `revoked on ${at}: ${reason}` }));
}

async function continuation(
  read: RegistryReader,
  earlierText: string,
  checkpoint: Checkpoint,
  publicPem: string,
): Promise<Refusal[]> {
  const earlier = openCheckpoint(earlierText, publicPem);
  if (earlier === undefined) return [wrong("the earlier checkpoint is not signed with the same key")];
  const proof =
    earlier.size === checkpoint.size
      ? { size: checkpoint.size, hashes: [] }
      : parse(ConsistencyFile, (await read(consistencyFile(earlier.size))) ?? "");
  return proof?.size === checkpoint.size && isConsistent(earlier, checkpoint, bytes(proof.hashes))
    ? []
    : [wrong(`the log does not continue the earlier one of ${earlier.size} entries`)];
}

function wrong(reason: string): Refusal {
  return { code: "REGISTRY_PROOF", reason: `the registry is not consistent: ${reason}` };
}

function unreadable(place: string, problem: string): UsageError {
  return new UsageError("REGISTRY_UNREADABLE", `registry ${place}: ${problem}`);
}

function bytes(hashes: readonly string[]): Buffer[] {
  return hashes.map((hash) => Buffer.from(hash, "hex"));
}

function parse<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return checker(schema)(value).length === 0 ? (value as Static<Schema>) : undefined;
  } catch {
    return undefined;
  }
}
