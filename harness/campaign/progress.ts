import type { CaseRecord } from "../../record/index.ts";
import type { StreamReading } from "../transport/streamMeter.ts";

/** Told what a campaign does while it runs. */
export interface Progress {
  gatewayReady(name: string, baseUrl: string): void;
  planned(count: number): void;
  started(caseId: string): void;
  finished(record: CaseRecord): void;
  remark(text: string): void;
  /** What all streams carried in the last stretch of time. */
  streamed(reading: StreamReading): void;
}
