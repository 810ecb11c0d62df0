import type { Profile } from "../profile/profile.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import type { Members } from "./setting.ts";

/** What restoring needs besides the reading. */
export interface RestoreSurroundings {
  readonly gateway: GatewayUnderTest;
  readonly profile: Profile;
  /** Where the gateway was reached when the reading was taken. */
  readonly baseUrl: string;
}

/** Writes a reading back; answers the reasons why a part of it was not. */
export type Restore = (surroundings: RestoreSurroundings, before: Members) => Promise<readonly string[]>;
