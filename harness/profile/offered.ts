// What a gateway offers by its profile: an operation counts when it is served and its capability is declared.
import { isOffered } from "../../interface/operations/capabilities.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { Profile } from "./profile.ts";

type Declared = Pick<Profile, "binding" | "capabilities">;

/** Small readings, the most common first. */
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
] as const satisfies readonly OperationId[];

/** A small reading that tells whether the gateway serves at all; undefined where the profile declares none. */
export function smallReading(profile: Declared): (typeof readings)[number] | undefined {
  return readings.find((operation) => isOffered(profile, operation));
}
