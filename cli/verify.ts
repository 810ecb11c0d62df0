// `rackproof verify`: checks that a certificate is genuine, complete and valid; needs neither network nor gateway.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { monotonicClock } from "../harness/index.ts";
import { UsageError, type Certificate, type CertificateClass, sha256 } from "../record/index.ts";
import { counted, oneLine } from "../reports/text/visibleText.ts";
import { lookUp, type LookUp } from "../workflows/registry/lookUp.ts";
import { thumbprintOf } from "../workflows/release/signature.ts";
import { verifyCertificate } from "../workflows/release/verify.ts";
import { readPublicKey, readText } from "./support/files.ts";
import { refusalText } from "./support/refusalText.ts";

export interface VerifyOptions {
  readonly publicKey?: string;
  readonly firmware?: string;
  readonly class?: CertificateClass;
  /** Folder of the run that the certificate was made from. */
  readonly run?: string;
  /** The instant at which it must be valid; now when absent. */
  readonly at?: string;
  /** Folder or address of a registry that must contain the certificate, not revoked. */
  readonly registry?: string;
  readonly registryKey?: string;
  /** Checkpoint of the registry that was saved earlier. */
  readonly checkpoint?: string;
  readonly json?: boolean;
}

/** Returns the exit code: 0 valid, 1 refused. */
export async function verify(file: string, options: VerifyOptions): Promise<number> {
  const text = await readText(file, "certificate", "give the path of a certificate");
  const atMs = options.at === undefined ? monotonicClock.epochMs() : Date.parse(options.at);
  if (Number.isNaN(atMs)) {
    throw new UsageError("OPTION_TIME", `--at ${options.at ?? ""}: expected a date`);
  }
  const publicPem = options.publicKey === undefined ? undefined : await readPublicKey(options.publicKey);
  const own = await verifyCertificate(text, {
    atMs,
    ...(publicPem === undefined ? {} : { publicPem }),
    ...(options.class === undefined ? {} : { class: options.class }),
    ...(options.firmware === undefined ? {} : { firmware: options.firmware }),
    ...(options.run === undefined ? {} : { campaignSha256: sha256(await recordOf(options.run)) }),
  });
  const { certificate, keyId } = own;
  const registered =
    options.registry === undefined ? undefined : await inRegistry(options.registry, text, options);
  const refusals = [...own.refusals, ...(registered?.refusals ?? [])];
  if (options.json === true) {
    process.stdout.write(
      `${JSON.stringify({ holds: refusals.length === 0, refusals, keyId, registry: registered?.found, certificate })}\n`,
    );
    return refusals.length === 0 ? 0 : 1;
  }
  if (refusals.length > 0) {
    process.stderr.write(`rackproof: certificate refused: ${counted(refusals.length, "reason")}\n`);
    for (const refusal of refusals) process.stderr.write(refusalText(refusal));
    return 1;
  }
  const { gateway, suite, requirementSet, validTo, waivers, issuer } = certificate ?? {};
  const lines = [
    `valid: ${gateway?.name} ${gateway?.firmware}, ${suite?.interface}, requirement set ${requirementSet?.name}`,
    classLine(certificate),
    `until ${validTo}, ${waivers?.length === 0 ? "no waivers" : counted(waivers?.length ?? 0, "waiver")}`,
    ...(waivers ?? []).map(
      ({ check, requirement, reason, who, expires }) =>
        `waived: ${requirement} in ${check}, ${reason} (${who}, until ${expires})`,
    ),
    `SHA-256 ${sha256(text)}`,
    `signed by ${keyId}${issuer === undefined ? "" : `, issuer by its own account: ${issuer}`}`,
    ...(registered?.found === undefined
      ? []
      : [
          `registered in ${registered.found.origin}, entry ${registered.found.index} of ${registered.found.size}, as of ${registered.found.builtAt}, not revoked`,
          `registry signed by ${await thumbprintOf(registered.publicPem)}`,
        ]),
    ...(options.publicKey === undefined
      ? [
          "The key is the one in the certificate: compare its thumbprint with the certifier's, or give --public-key.",
        ]
      : []),
  ];
  // A certificate may come from anyone: its texts must not control the terminal.
  process.stdout.write(lines.map((line) => `${oneLine(line)}\n`).join(""));
  return 0;
}

/** Who vouches for the record. */
function classLine(certificate: Certificate | undefined): string {
  const { class: own = "self-declared", voucher } = certificate ?? {};
  return [
    `class ${own}`,
    ...(voucher === undefined ? [] : [`record signed by ${voucher.keyId}`]),
    ...(voucher?.lab === undefined ? [] : [`lab ${voucher.lab}`]),
    ...(voucher?.challenge === undefined ? [] : [`challenge of ${voucher.challenge.issuedAt}`]),
  ].join(", ");
}

async function inRegistry(place: string, certificate: string, options: VerifyOptions): Promise<LookUp> {
  const { registryKey, checkpoint } = options;
  return lookUp(place, sha256(certificate), {
    ...(registryKey === undefined ? {} : { publicPem: await readPublicKey(registryKey, "--registry-key") }),
    ...(checkpoint === undefined
      ? {}
      : {
          earlier: await readText(checkpoint, "--checkpoint", "give a checkpoint that the registry served"),
        }),
  });
}

async function recordOf(folder: string): Promise<Buffer> {
  const file = join(folder, "campaign.json");
  return readFile(file).catch(() => {
    throw new UsageError("RUN_UNREADABLE", `--run ${folder}: the record campaign.json cannot be read`);
  });
}
