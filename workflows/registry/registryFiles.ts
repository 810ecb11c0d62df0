// Paths and formats of the files of a registry, which any web server can serve.
import Type, { type Static } from "typebox";
import { Revocation } from "../../record/index.ts";

export const checkpointFile = "checkpoint";
/** Checkpoints of earlier builds, each named by its size. */
export const oldCheckpoints = "checkpoints";
export const indexFile = "index.json";
export const revocationsFile = "revocations.json";
export const publicKeyFile = "registry.key.pub";

/** Everything about one certificate. */
export function certificateFolder(certificateSha256: string): string {
  return `certificates/${certificateSha256}`;
}

/** Proof that the present tree continues the tree of this size. */
export function consistencyFile(size: number): string {
  return `consistency/${size}.json`;
}

const Strict = { additionalProperties: false };
const Count = Type.Integer({ minimum: 0 });
const Hashes = Type.Array(Type.String({ pattern: "^[0-9a-f]{64}$" }));

/** `proof.json` of a certificate. */
export const InclusionFile = Type.Object(
  {
    format: Type.Literal("rackproof/inclusion@1"),
    index: Count,
    size: Count,
    /** The line of the log; its hash is the leaf. */
    entry: Type.String(),
    hashes: Hashes,
  },
  Strict,
);
export type InclusionFile = Static<typeof InclusionFile>;

export const ConsistencyFile = Type.Object({ older: Count, size: Count, hashes: Hashes }, Strict);

export const RevocationsFile = Type.Object(
  { format: Type.Literal("rackproof/revocations@1"), revocations: Type.Array(Revocation) },
  Strict,
);
