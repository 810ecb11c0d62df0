// The certificates that a gateway showed over HTTPS, in words.
import type { CampaignRecord } from "../../record/index.ts";
import { instant } from "./durations.ts";

type Shown = NonNullable<CampaignRecord["gateway"]["tls"]>;

/** One line for each certificate, in the order in which they were shown. */
export function tlsLines(certificates: Shown = []): string[] {
  return certificates.map(
    ({ fingerprint, subject, issuer, validTo }) =>
      `SHA-256 ${fingerprint}, ${subject || "no subject"}, issued by ${subject === issuer ? "itself" : issuer || "no issuer"}, valid to ${instant(validTo)}`,
  );
}
