import { type Answer, type CaseContext, smallReading } from "../../harness/index.ts";

/** Reads as administrator any resource that this gateway offers: shows whether it serves at all. */
export async function anyReading(
  { gateway, profile, unmet }: Pick<CaseContext, "gateway" | "profile" | "unmet">,
  patienceMs?: number,
): Promise<Answer> {
  const operation = smallReading(profile);
  if (operation === undefined) return unmet("the profile declares no readable resource");
  return await gateway.admin.callChecked(operation, patienceMs === undefined ? {} : { patienceMs });
}
