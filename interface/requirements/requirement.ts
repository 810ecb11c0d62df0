import type { CapabilityId } from "../vocabulary/capabilities.ts";
import type { Equipment } from "../vocabulary/equipment.ts";
import type { GroupId } from "../vocabulary/groups.ts";
import type { RequirementLevel } from "../vocabulary/levels.ts";

/** One statement of the interface that a gateway meets or violates. */
export interface Requirement {
  /** Stable name, `CORE-<GROUP>-<nn>`; never reused for another statement. */
  readonly id: `CORE-${string}-${number}`;
  readonly group: GroupId;
  readonly level: RequirementLevel;
  /** Part and item of the interface document that state the requirement. */
  readonly place: string;
  /** The requirement in our own words, one sentence. */
  readonly statement: string;
  /**
   * What makes a declared requirement apply: a field of the profile (`apps`), or a part of the rack (`rack.field`). A
   * published requirement with it is advice to a gateway whose profile does not have the field.
   */
  readonly declaredBy?: string;
  /** Where a recommended requirement comes from: a standard or guide with its clause. */
  readonly source?: string;
  /** Reason why no black-box test is possible; absent when the requirement is testable. */
  readonly untestable?: string;
  /** Equipment that a test needs beyond a gateway on a URL. */
  readonly needs?: Equipment;
  /** ICS capability that the profile must declare for the requirement to apply; absent: it always applies. */
  readonly capability?: CapabilityId;
}
