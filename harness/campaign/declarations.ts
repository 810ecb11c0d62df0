// Which requirements somebody made: the interface, the binding, or what this profile and rack say themselves.
import { requirements } from "../../interface/requirements/index.ts";
import type { RunningGateway } from "../../rigs/index.ts";
import type { Profile } from "../profile/profile.ts";

const byId = new Map(requirements.map((requirement) => [requirement.id as string, requirement]));

/**
 * Whether the profile, or the rack around the gateway, says itself what the requirement holds the gateway against. `field`:
 * the one field of the profile that a check rests on, where the requirement is about several.
 */
export function isDeclared(
  id: string,
  { declared }: Pick<Profile, "declared">,
  rack: Pick<RunningGateway, "field" | "servers">,
  field?: string,
): boolean {
  const source = byId.get(id)?.declaredBy;
  if (source === undefined) return false;
  if (field?.startsWith(source) === true) return declared.has(field);
  if (source === "rack.field") return rack.field !== undefined;
  if (source === "rack.servers") return rack.servers !== undefined;
  return declared.has(source);
}

/** Whether a gateway that does not meet the requirement gets advice instead of a failure. */
export function isAdvice(
  id: string,
  profile: Pick<Profile, "declared">,
  rack: Pick<RunningGateway, "field" | "servers">,
  field?: string,
): boolean {
  const requirement = byId.get(id);
  if (requirement?.level === "recommended") return true;
  const isOfDeclaration = requirement?.level === "declared" || requirement?.declaredBy !== undefined;
  return isOfDeclaration && !isDeclared(id, profile, rack, field);
}
