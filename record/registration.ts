// A registry of certificates: the entries of its append-only log, and its index for pages and programs.
import Type, { type Static } from "typebox";

const Strict = { additionalProperties: false };
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Instant = Type.String({ format: "rfc3339" });

/** A registered certificate: its digest, and what lists and badges show. The certificate itself is the evidence. */
export const Registration = Type.Object(
  {
    kind: Type.Literal("certificate"),
    at: Instant,
    certificateSha256: Sha256,
    /** Thumbprint of the key that signed the certificate. */
    keyId: Type.String(),
    issuer: Type.Optional(Type.String()),
    class: Type.Optional(Type.String()),
    vendor: Type.Optional(Type.String()),
    /** The declared model, or the name of the gateway in the run. */
    model: Type.String(),
    firmware: Type.String(),
    interface: Type.String(),
    set: Type.String(),
    suite: Type.String(),
    validFrom: Instant,
    validTo: Instant,
    passed: Type.Integer({ minimum: 0 }),
    waived: Type.Integer({ minimum: 0 }),
  },
  Strict,
);
export type Registration = Static<typeof Registration>;

export const Revocation = Type.Object(
  {
    kind: Type.Literal("revocation"),
    at: Instant,
    certificateSha256: Sha256,
    reason: Type.String({ minLength: 1 }),
  },
  Strict,
);
export type Revocation = Static<typeof Revocation>;

type RegistrationState = "valid" | "expired" | "revoked";

/** A registered certificate with its state at the time when the registry was built. */
export interface RegisteredCertificate extends Omit<Registration, "kind"> {
  /** Place in the log. */
  readonly index: number;
  readonly state: RegistrationState;
  readonly revokedAt?: string;
  readonly reason?: string;
}

/** `index.json` of a registry. */
export interface RegistryIndex {
  readonly format: "rackproof/registry@1";
  readonly origin: string;
  readonly builtAt: string;
  /** Entries of the log. */
  readonly size: number;
  /** Root of the Merkle tree, in hexadecimal. */
  readonly root: string;
  readonly certificates: readonly RegisteredCertificate[];
}
