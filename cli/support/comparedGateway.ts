// The two gateways of `rackproof compare`.
import { findTarget, type Target } from "./target.ts";
import { UsageError } from "../../record/index.ts";

/** A gateway to compare. */
export interface ComparedGateway {
  readonly title: string;
  readonly target: Target;
  /** Whether each start creates a new gateway within two seconds. */
  readonly isRenewable: boolean;
}

const embedded: Readonly<Record<string, { isRenewable: boolean }>> = {
  process: { isRenewable: true },
  container: { isRenewable: true },
  // An emulated machine boots too slowly to be started again for each attempt.
  qemu: { isRenewable: false },
};

/** Finds the gateway that the word names; `option` names its profile. Throws a UsageError for an unusable word. */
export async function findCompared(
  word: string,
  profile: string | undefined,
  rack: string | undefined,
  option: string,
): Promise<ComparedGateway> {
  const kind = Object.hasOwn(embedded, word) ? embedded[word] : undefined;
  if (/^https?:\/\//.test(word) && profile === undefined) {
    throw new UsageError(
      "PROFILE_MISSING",
      `gateway ${word}: expected ${option} FILE for a gateway on a URL, found none`,
    );
  }
  const target = await findTarget(word, {
    ...(profile === undefined ? {} : { profile }),
    ...(rack === undefined || kind !== undefined ? {} : { rack }),
  });
  return { title: word, target, isRenewable: kind?.isRenewable ?? false };
}
