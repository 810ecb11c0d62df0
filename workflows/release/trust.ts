// The trust file of a certifier: labs whose signed records bear the class `lab`.
import Type, { type Static } from "typebox";
import { checkDocument, readDocument } from "../../harness/index.ts";

const Day = Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });

const TrustedLab = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    /** Thumbprint of the lab's key, as `rackproof key new` prints it. */
    key: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" }),
    /** First and last day on which a run may have started. */
    from: Type.Optional(Day),
    until: Type.Optional(Day),
  },
  { additionalProperties: false },
);
export type TrustedLab = Static<typeof TrustedLab>;
const TrustFile = Type.Object({ labs: Type.Array(TrustedLab) }, { additionalProperties: false });

/** Reads a trust file; throws a UsageError with line and field. */
export async function readTrust(file: string): Promise<TrustedLab[]> {
  return checkDocument("trust", await readDocument("trust", file), file, TrustFile).value.labs;
}

/** The lab that holds the key and was trusted when the run started. */
export function trustedLab(
  labs: readonly TrustedLab[],
  keyId: string,
  startedAt: string,
): TrustedLab | undefined {
  const day = new Date(startedAt).toISOString().slice(0, 10);
  return labs.find(({ key, from = day, until = day }) => key === keyId && from <= day && day <= until);
}
