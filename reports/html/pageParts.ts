import type { CampaignRecord, Dispute } from "../../record/index.ts";
import type { Gallery } from "./charts/gallery.ts";
import type { Evidence } from "./evidence.ts";
import type { CharacterBudget } from "./characterBudget.ts";

/** Data that the sections of one page share. */
export interface PageParts {
  readonly record: CampaignRecord;
  readonly evidence: Evidence;
  readonly disputes: readonly Dispute[];
  readonly gallery: Gallery;
  /** Budget for the pictures of single cases. */
  readonly picturesBudget: CharacterBudget;
}
