// What a certificate says. It is the signed content: everything in it was true of one run, and can be checked offline.
import Type, { type Static } from "typebox";
import { type CampaignLevel, requirementLevels } from "../interface/vocabulary/levels.ts";
import { requirementVerdicts, verdicts } from "./verdict.ts";
import { Measurement } from "./campaign.ts";

const Strict = { additionalProperties: false };
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Instant = Type.String({ format: "rfc3339" });
const VerdictName = Type.Enum([...verdicts]);

/** A known departure that a person answers for. It holds for one piece of evidence and for a limited time. */
export const Waiver = Type.Object(
  {
    /** Id of the case. */
    check: Type.String({ minLength: 1 }),
    requirement: Type.String({ minLength: 1 }),
    reason: Type.String({ minLength: 1 }),
    who: Type.String({ minLength: 1 }),
    /** The last day on which it holds, or an instant. */
    expires: Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}(T.*)?$` }),
    evidenceSha256: Sha256,
  },
  Strict,
);
export type Waiver = Static<typeof Waiver>;

/** What one case decided, as far as the requirement set asks for it. */
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

export const Certificate = Type.Object(
  {
    format: Type.Literal("rackproof/certificate@1"),
    /** Who signs, in words; the key says it for machines. */
    issuer: Type.Optional(Type.String()),
    issuedAt: Instant,
    validFrom: Instant,
    validTo: Instant,
    gateway: Type.Object(
      { name: Type.String(), kind: Type.String(), firmware: Type.String({ minLength: 1 }) },
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
    /** Published and declared requirements that did not hold: they do not decide, and are not hidden. */
    beside: Type.Array(
      Type.Object(
        { id: Type.String(), level: Type.Enum([...requirementLevels]), verdict: Type.String() },
        Strict,
      ),
    ),
    waivers: Type.Array(Waiver),
  },
  Strict,
);
export type Certificate = Static<typeof Certificate>;
