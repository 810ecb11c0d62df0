// Checks a certificate offline: signature, form, completeness against the frozen set, validity, firmware.
import { checker } from "../../interface/schema/validate.ts";
import { type RefusalCode, Certificate, type CertificateClass, expiryMs } from "../../record/index.ts";
import { completeness, type Refusal } from "./completeness.ts";
import { readFrozenSet } from "./requirementSet.ts";
import { open, SignatureFault } from "./signature.ts";
import { bears } from "./voucher.ts";
import { waives } from "./waivers.ts";

export interface VerifyWish {
  /** Public key in PEM of the expected signer; without it the one in the certificate is used. */
  readonly publicPem?: string;
  /** The instant for which it must be valid, milliseconds since the epoch. */
  readonly atMs: number;
  /** The class that its evidence must bear. */
  readonly class?: CertificateClass;
  /** Expected firmware version. */
  readonly firmware?: string;
  /** Expected SHA-256 of its campaign.json. */
  readonly campaignSha256?: string;
}

export interface Verification {
  /** Empty for a valid certificate. */
  readonly refusals: readonly Refusal[];
  /** Present when signature and form are valid. */
  readonly certificate?: Certificate;
  /** Thumbprint of the key that signed, and the key in PEM. */
  readonly keyId?: string;
  readonly publicPem?: string;
}

const check = checker(Certificate);

/** Checks the text of a certificate's file. Never throws for any text. */
export async function verifyCertificate(text: string, wish: VerifyWish): Promise<Verification> {
  let content: unknown;
  let keyId: string;
  let publicPem: string;
  try {
    ({ content, keyId, publicPem } = await open(text, wish.publicPem));
  } catch (thrown) {
    if (!(thrown instanceof SignatureFault)) throw thrown;
    return { refusals: [{ code: "SIGNATURE", reason: thrown.message }] };
  }
  const problem = check(content)[0];
  if (problem !== undefined) {
    const reason = `${problem.pointer}: expected ${problem.expected}, found ${problem.found}`;
    return { refusals: [{ code: "FORM", reason }], keyId };
  }
  const certificate = content as Certificate;
  return {
    refusals: [...validity(certificate, wish), ...fulfilment(certificate)],
    certificate,
    keyId,
    publicPem,
  };
}

function validity(certificate: Certificate, wish: VerifyWish): Refusal[] {
  const refusals: Refusal[] = [];
  const refuse = (code: RefusalCode, reason: string): void => void refusals.push({ code, reason });
  if (wish.atMs < Date.parse(certificate.validFrom)) {
    refuse("NOT_YET_VALID", `valid only from ${certificate.validFrom}`);
  }
  if (wish.atMs > Date.parse(certificate.validTo)) {
    refuse("EXPIRED", `expired on ${certificate.validTo}`);
  }
  for (const { check: caseId, requirement, expires } of certificate.waivers) {
    if (!(expiryMs(expires) >= wish.atMs)) {
      refuse("WAIVER_EXPIRED", `the waiver for ${requirement} in ${caseId} expired on ${expires}`);
    }
  }
  if (wish.class !== undefined && !bears(certificate, wish.class))
    refuse("CLASS", `of class ${certificate.class ?? "self-declared"}, expected ${wish.class}`);
  const { firmware } = certificate.gateway;
  if (wish.firmware !== undefined && wish.firmware !== firmware) {
    refuse("FIRMWARE", `for firmware ${firmware}, expected ${wish.firmware}`);
  }
  if (wish.campaignSha256 !== undefined && wish.campaignSha256 !== certificate.run.campaignSha256) {
    refuse("RECORD", "the record is another one, or was changed after the certificate");
  }
  return refusals;
}

function fulfilment(certificate: Certificate): Refusal[] {
  const { name, sha256 } = certificate.requirementSet;
  const frozen = readFrozenSet(name);
  if (frozen === undefined) {
    return [{ code: "SET_UNKNOWN", reason: `unknown requirement set ${name}. Fix: use a newer rackproof` }];
  }
  if (frozen.sha256 !== sha256) {
    return [
      {
        code: "SET_CHANGED",
        reason: `requirement set ${name} is ${frozen.sha256}, the certificate names ${sha256}`,
      },
    ];
  }
  return completeness(
    frozen.set,
    { ...certificate, capabilities: certificate.profile.capabilities },
    (pair) => waives(certificate.waivers, pair),
  );
}
