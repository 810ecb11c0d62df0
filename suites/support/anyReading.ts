import type { Answer } from "../../harness/client/answer.ts";
import type { CaseContext } from "../../harness/suite/context.ts";
import { isOffered } from "../authorisation/facts.ts";

/** Small readings, the ones that most gateways have first. */
const readings = [
  "getCurrentUser",
  "getSsh",
  "getReboot",
  "getProvision",
  "getEventConfiguration",
  "listTags",
  "listServices",
  "listApps",
  "getUpgradeConfiguration",
  "getLog",
  "getHttpServer",
] as const;

/** The administrator reads something that this gateway offers, whatever it is: whether it serves at all. Unmet without any. */
export async function anyReading(
  context: Pick<CaseContext, "gateway" | "profile" | "unmet">,
  patienceMs?: number,
): Promise<Answer> {
  const offered = readings.find((operation) => isOffered(context, operation));
  if (offered === undefined) return context.unmet("the profile declares nothing that could be read");
  return await context.gateway.admin.callInvalid(offered, patienceMs === undefined ? {} : { patienceMs });
}
