// `rackproof registry`: a registry of certificates that is only files: add, revoke, build.
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { monotonicClock } from "../harness/index.ts";
import { sha256, writeWhole } from "../record/index.ts";
import { certificatePage } from "../reports/certificate/certificatePage.ts";
import { certificateSiteFiles } from "../reports/registrySite/certificateSitePage.ts";
import { listPages, type SiteFile } from "../reports/registrySite/listPages.ts";
import { counted, oneLine } from "../reports/text/visibleText.ts";
import { buildRegistry, writeFiles } from "../workflows/registry/build.ts";
import { certificateFolder } from "../workflows/registry/registryFiles.ts";
import { appendEntry, readRegistryLog, registrationOf } from "../workflows/registry/registryLog.ts";
import { digestsIn } from "../workflows/release/statement.ts";
import { thumbprintOf } from "../workflows/release/signature.ts";
import { verifyCertificate } from "../workflows/release/verify.ts";
import { readKeyPair, readPublicKey, readText } from "./support/files.ts";
import { refusalText } from "./support/refusalText.ts";

export interface RegistryAddOptions {
  readonly publicKey?: string;
  readonly json?: boolean;
}

/** Adds certificates that are valid now; returns the exit code: 0 added or present, 1 refused. */
export async function registryAdd(
  folder: string,
  files: readonly string[],
  options: RegistryAddOptions,
): Promise<number> {
  const publicPem = options.publicKey === undefined ? undefined : await readPublicKey(options.publicKey);
  const known = new Set(
    (await readRegistryLog(folder)).flatMap(({ entry }) =>
      entry.kind === "certificate" ? [entry.certificateSha256] : [],
    ),
  );
  const results = [];
  for (const file of files) {
    const text = await readText(file, "certificate", "give the path of a certificate");
    const digest = sha256(text);
    const nowMs = monotonicClock.epochMs();
    const {
      refusals,
      certificate,
      keyId,
      publicPem: signer,
    } = await verifyCertificate(text, {
      atMs: nowMs,
      ...(publicPem === undefined ? {} : { publicPem }),
    });
    const isRefused =
      refusals.length > 0 || certificate === undefined || keyId === undefined || signer === undefined;
    results.push({ file, certificateSha256: digest, added: !isRefused && !known.has(digest), refusals });
    if (isRefused || known.has(digest)) continue;
    const target = join(folder, certificateFolder(digest));
    const facts = { fileSha256: digest, keyId, fileName: "certificate.json" };
    await writeWhole(join(target, "certificate.json"), text);
    await writeWhole(join(target, "certificate.html"), certificatePage(certificate, facts));
    await copyFormats(file, target, { digest, publicPem: signer });
    const at = new Date(nowMs).toISOString();
    await appendEntry(folder, registrationOf(certificate, { certificateSha256: digest, keyId, at }));
    known.add(digest);
  }
  const isRefused = results.some(({ refusals }) => refusals.length > 0);
  if (options.json === true) process.stdout.write(`${JSON.stringify({ certificates: results })}\n`);
  else
    for (const { file, added, refusals } of results) {
      if (refusals.length === 0) {
        process.stdout.write(`${oneLine(file)}: ${added ? "added" : "already registered"}\n`);
        continue;
      }
      process.stderr.write(`rackproof: ${oneLine(file)} refused: ${counted(refusals.length, "reason")}\n`);
      for (const refusal of refusals) process.stderr.write(refusalText(refusal));
    }
  return isRefused ? 1 : 0;
}

/** Copies the other formats of a certificate that lie beside it, if its signer signed them for this certificate. */
async function copyFormats(
  file: string,
  target: string,
  own: { readonly digest: string; readonly publicPem: string },
): Promise<void> {
  const stem = join(dirname(file), basename(file).replace(/\.json$/, ""));
  const [envelope, oscal] = await Promise.all(
    [".dsse.json", ".oscal.json"].map((ending) =>
      readFile(`${stem}${ending}`, "utf8").catch(() => undefined),
    ),
  );
  const signed = envelope === undefined ? undefined : digestsIn(envelope, own.publicPem);
  if (envelope === undefined || signed?.includes(own.digest) !== true) return;
  await writeWhole(join(target, "certificate.dsse.json"), envelope);
  if (oscal !== undefined && signed.includes(sha256(oscal)))
    await writeWhole(join(target, "certificate.oscal.json"), oscal);
}

export interface RegistryRevokeOptions {
  readonly reason: string;
  readonly json?: boolean;
}

/** Revokes a registered certificate, named by its file or its SHA-256; returns the exit code. */
export async function registryRevoke(
  folder: string,
  word: string,
  options: RegistryRevokeOptions,
): Promise<number> {
  const certificateSha256 = /^[0-9a-f]{64}$/.test(word)
    ? word
    : sha256(await readText(word, "certificate", "give the path or the SHA-256 of a certificate"));
  const entries = (await readRegistryLog(folder))
    .map(({ entry }) => entry)
    .filter((entry) => entry.certificateSha256 === certificateSha256);
  const isRegistered = entries.some(({ kind }) => kind === "certificate");
  const isRevoked = entries.some(({ kind }) => kind === "revocation");
  if (isRegistered && !isRevoked)
    await appendEntry(folder, {
      kind: "revocation",
      at: new Date(monotonicClock.epochMs()).toISOString(),
      certificateSha256,
      reason: options.reason,
    });
  const refusals = isRegistered
    ? []
    : [
        {
          code: "NOT_REGISTERED" as const,
          reason: `the registry does not contain the certificate ${certificateSha256}`,
        },
      ];
  if (options.json === true)
    process.stdout.write(
      `${JSON.stringify({ certificateSha256, revoked: isRegistered && !isRevoked, refusals })}\n`,
    );
  else if (isRegistered)
    process.stdout.write(`${certificateSha256}: ${isRevoked ? "already revoked" : "revoked"}\n`);
  else for (const refusal of refusals) process.stderr.write(refusalText(refusal));
  return isRegistered ? 0 : 1;
}

export interface RegistryBuildOptions {
  readonly key: string;
  readonly origin?: string;
  readonly json?: boolean;
}

/** Builds the signed head, the proofs and the pages; returns the exit code. */
export async function registryBuild(folder: string, options: RegistryBuildOptions): Promise<number> {
  const { privatePem, publicPem } = await readKeyPair(options.key);
  const index = await buildRegistry(folder, {
    privatePem,
    publicPem,
    ...(options.origin === undefined ? {} : { origin: options.origin }),
    nowMs: monotonicClock.epochMs(),
  });
  const pages: SiteFile[] = [];
  for (const certificate of index.certificates) {
    const names = await readdir(join(folder, certificateFolder(certificate.certificateSha256))).catch(
      () => [],
    );
    pages.push(...certificateSiteFiles(index, certificate, names));
  }
  await writeFiles(folder, [...pages, ...listPages(index)]);
  const count = (state: string): number => index.certificates.filter((one) => one.state === state).length;
  const facts = {
    folder,
    origin: index.origin,
    size: index.size,
    root: index.root,
    keyId: await thumbprintOf(publicPem),
    valid: count("valid"),
    expired: count("expired"),
    revoked: count("revoked"),
  };
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify(facts)}\n`
      : `${counted(index.certificates.length, "certificate")}: ${facts.valid} valid, ${facts.expired} expired, ${facts.revoked} revoked\n` +
          `page         ${join(folder, "index.html")}\nroot         ${facts.root}, ${counted(facts.size, "log entry")}\nsigned by    ${facts.keyId}\n`,
  );
  return 0;
}
