import type { GroupId } from "../vocabulary/groups.ts";

/**
 * Where a requirement comes from. `stated`: the interface document says it, and it decides conformance.
 * `published`: only the published binding says it. `declared`: only a gateway's profile says it.
 */
type RequirementLevel = "stated" | "published" | "declared";

/** What equipment a requirement needs before any case can decide it. Absent: a gateway on a URL is enough. */
type Equipment = "clock" | "field-devices" | "network" | "power" | "reset-button" | "storage";

/** One statement of the interface that a gateway either keeps or breaks. */
export interface Requirement {
  /** Stable name, `CORE-<GROUP>-<nn>`; never reused for another statement. */
  readonly id: `CORE-${string}-${number}`;
  readonly group: GroupId;
  readonly level: RequirementLevel;
  /** Part and item of the interface document, as a reader would look it up. */
  readonly place: string;
  /** The requirement in our own words, one sentence. */
  readonly statement: string;
  /** Present when no black-box test can decide it, with the reason. */
  readonly untestable?: string;
  /** Present when deciding it needs equipment beyond a gateway on a URL. */
  readonly needs?: Equipment;
  /** ICS capability that must be declared for the requirement to apply; absent: it always applies. */
  readonly capability?: string;
}
