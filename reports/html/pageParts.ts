import type { CampaignRecord } from "../../record/index.ts";
import type { Gallery } from "./charts/gallery.ts";
import type { Evidence } from "./evidence.ts";
import type { Room } from "./room.ts";

/** What the sections of one page share. */
export interface PageParts {
  readonly record: CampaignRecord;
  readonly evidence: Evidence;
  readonly gallery: Gallery;
  /** Room for pictures of single cases. */
  readonly picturesRoom: Room;
}
