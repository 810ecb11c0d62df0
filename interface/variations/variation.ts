/** One way in which a gateway may differ from the reference gateway and still keep the interface. */
export interface VariationDefinition {
  /** What is different. */
  readonly differs: string;
  /** What leaves it open: a silence of the interface, a word of it, or a declaration of the profile. */
  readonly freedom: string;
  /** Variations of one aspect exclude one another. */
  readonly aspect?: string;
  /** What such a gateway declares; laid over its profile, objects member by member. */
  readonly profile?: ProfilePatch;
}

export type ProfilePatch = Readonly<Record<string, unknown>>;
export type Variations = Readonly<Record<string, VariationDefinition>>;
