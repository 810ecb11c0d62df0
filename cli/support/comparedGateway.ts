// The two gateways that `rackproof compare` is given.
import { UsageError } from "../../harness/index.ts";
import { findTarget, type Target } from "./target.ts";

/** A gateway to compare, and what it may cost to have another of its kind. */
export interface ComparedGateway {
  readonly title: string;
  readonly target: Target;
  /** Whether each start makes another gateway, which has done nothing yet, in a second or two. */
  readonly isRenewable: boolean;
}

const embedded: Readonly<Record<string, { isRenewable: boolean }>> = {
  process: { isRenewable: true },
  container: { isRenewable: true },
  // An emulated machine takes its time to boot.
  qemu: { isRenewable: false },
};

/** Throws a UsageError when the word cannot be used; `option` is the one that names this gateway's profile. */
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
      `gateway ${word}: a gateway on a URL needs ${option} FILE, which says what it declares`,
    );
  }
  const target = await findTarget(word, {
    ...(profile === undefined ? {} : { profile }),
    ...(rack === undefined || kind !== undefined ? {} : { rack }),
  });
  return { title: word, target, isRenewable: kind?.isRenewable ?? false };
}
