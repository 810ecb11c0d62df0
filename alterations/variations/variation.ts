import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

/** One way in which a gateway may differ from the reference gateway and still conform to the interface. */
export interface Variation {
  /** What is different. */
  readonly differs: string;
  /** What permits it: a silence of the interface, a sentence of it, or a declaration of the profile. */
  readonly freedom: string;
  /** Variations of the same aspect exclude each other. */
  readonly aspect?: string | readonly string[];
  /** What such a gateway declares; laid over its profile, objects member by member. */
  readonly profile?: ProfilePatch;
  /** Puts the variation in place; absent where the declared binding is all of it. */
  readonly install?: (at: GatewayAlterations) => void;
}

export type ProfilePatch = Readonly<Record<string, unknown>>;
export type Variations = Readonly<Record<string, Variation>>;
