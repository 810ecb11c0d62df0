// The signed content of a certificate: facts of one run that can be checked offline.
import Type, { type Static } from "typebox";
import { type CampaignLevel, requirementLevels } from "../interface/vocabulary/levels.ts";
import { requirementVerdicts, verdicts } from "./verdict.ts";
import { Measurement, TlsCertificate } from "./campaign.ts";
import { CoverageCounts } from "./coverage.ts";
import { SetQuality } from "./setQuality.ts";

const Strict = { additionalProperties: false };
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Instant = Type.String({ format: "rfc3339" });
const VerdictName = Type.Enum([...verdicts]);

/** A known deviation that a person accepts, for one piece of evidence and a limited time. */
export const Waiver = Type.Object(
  {
    /** Id of the case. */
    check: Type.String({ minLength: 1 }),
    requirement: Type.String({ minLength: 1 }),
    reason: Type.String({ minLength: 1 }),
    who: Type.String({ minLength: 1 }),
    /** The last day of its validity, or an instant. */
    expires: Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}(T.*)?$` }),
    evidenceSha256: Sha256,
  },
  Strict,
);
export type Waiver = Static<typeof Waiver>;

/** The verdicts of one case on requirements of the set. */
export const CertifiedCase = Type.Object(
  {
    id: Type.String(),
    verdict: VerdictName,
    /** Present when the case was not applicable: why. */
    reasonCode: Type.Optional(Type.String()),
    decided: Type.Array(Type.Object({ requirement: Type.String(), verdict: VerdictName }, Strict)),
  },
  Strict,
);
export type CertifiedCase = Static<typeof CertifiedCase>;

/**
 * Who vouches for the record, the weakest first. `self-declared`: the holder of the key that signed the record; `lab`: a
 * lab that the certifier trusts; `witnessed`: the run answered a challenge that the certifier had issued just before.
 */
export const certificateClasses = ["self-declared", "lab", "witnessed"] as const;
export type CertificateClass = (typeof certificateClasses)[number];

/** What the class rests on. */
const Voucher = Type.Object(
  {
    /** Thumbprint of the key that signed the record. */
    keyId: Type.String(),
    /** Name of the lab in the certifier's trust file. */
    lab: Type.Optional(Type.String()),
    challenge: Type.Optional(
      Type.Object({ nonce: Type.String(), issuedAt: Instant, answerBy: Instant }, Strict),
    ),
  },
  Strict,
);
export type Voucher = Static<typeof Voucher>;

export const Certificate = Type.Object(
  {
    format: Type.Literal("rackproof/certificate@1"),
    /** Absent in certificates of older versions, which are self-declared. */
    class: Type.Optional(Type.Enum([...certificateClasses])),
    voucher: Type.Optional(Voucher),
    /** The signer in words; the key identifies it for programs. */
    issuer: Type.Optional(Type.String()),
    issuedAt: Instant,
    validFrom: Instant,
    validTo: Instant,
    gateway: Type.Object(
      {
        name: Type.String(),
        kind: Type.String(),
        firmware: Type.String({ minLength: 1 }),
        /** As the profile declares them; the digest is that of the vendor's firmware file. */
        vendor: Type.Optional(Type.String()),
        model: Type.Optional(Type.String()),
        firmwareSha256: Type.Optional(Sha256),
        /** Certificates that it showed over HTTPS during the run, in order. */
        tls: Type.Optional(Type.Array(Type.Object(TlsCertificate.properties, Strict))),
      },
      Strict,
    ),
    profile: Type.Object(
      { name: Type.String(), sha256: Type.String(), capabilities: Type.Array(Type.String()) },
      Strict,
    ),
    suite: Type.Object({ version: Type.String(), interface: Type.String() }, Strict),
    requirementSet: Type.Object({ name: Type.String(), sha256: Sha256 }, Strict),
    run: Type.Object(
      {
        level: Type.Literal("certification" satisfies CampaignLevel),
        seed: Type.Integer(),
        startedAt: Type.String(),
        endedAt: Type.String(),
        /** Of the run's campaign.json, which lists the rest of the evidence. */
        campaignSha256: Sha256,
        /** Of the run's digests.json, which covers every exchange. */
        digestsSha256: Sha256,
      },
      Strict,
    ),
    requirements: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          verdict: Type.Enum([...requirementVerdicts]),
        },
        Strict,
      ),
    ),
    cases: Type.Array(CertifiedCase),
    measurements: Type.Array(Type.Object({ case: Type.String(), ...Measurement.properties }, Strict)),
    /** Published requirements, and defaults that nobody declared, without a pass: they do not decide, but are shown. */
    beside: Type.Array(
      Type.Object(
        { id: Type.String(), level: Type.Enum([...requirementLevels]), verdict: Type.String() },
        Strict,
      ),
    ),
    /** Requirements with advice, each with its source. */
    advice: Type.Optional(Type.Array(Type.Object({ id: Type.String(), source: Type.String() }, Strict))),
    /** Observed cells of the interface; absent in certificates of older versions. */
    coverage: Type.Optional(Type.Object(CoverageCounts.properties, Strict)),
    /** What the requirement set can detect; absent when it was not measured. */
    setQuality: Type.Optional(SetQuality),
    waivers: Type.Array(Waiver),
  },
  Strict,
);
export type Certificate = Static<typeof Certificate>;
