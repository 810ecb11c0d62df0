import { type Answer, type CaseContext, smallReading } from "../../harness/index.ts";

/** The administrator reads something that this gateway offers, whatever it is: whether it serves at all. Unmet without any. */
export async function anyReading(
  { gateway, profile, unmet }: Pick<CaseContext, "gateway" | "profile" | "unmet">,
  patienceMs?: number,
): Promise<Answer> {
  const operation = smallReading(profile);
  if (operation === undefined) return unmet("the profile declares nothing that could be read");
  return await gateway.admin.callInvalid(operation, patienceMs === undefined ? {} : { patienceMs });
}
