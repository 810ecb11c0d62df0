import type { CaseContext } from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import { gatewayHost } from "../support/certificate.ts";
import { servedFingerprint } from "../support/sockets.ts";

/** Fingerprint of the certificate served at the URL: the wanted one, to all or to those that ask for its host, or what is served after the settling time. */
export async function servedAt(
  context: CaseContext,
  url: string,
  wanted: string,
): Promise<string | undefined> {
  const { waitFor, profile } = context;
  let seen: string | undefined;
  try {
    return await waitFor(
      "the new certificate to be served",
      async () => {
        seen = await servedFingerprint(context, url);
        const isByName = seen !== wanted && (await servedFingerprint(context, url, gatewayHost)) === wanted;
        return isByName || seen === wanted ? wanted : undefined;
      },
      { deadlineMs: profile.patience.settleMs },
    );
  } catch (thrown) {
    if (thrown instanceof Unmet) return seen;
    throw thrown;
  }
}
