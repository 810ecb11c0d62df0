import type { CaseRecord } from "../../record/index.ts";
import type { StreamReading } from "../transport/streamMeter.ts";

/** Receives the events of a running campaign. */
export interface Progress {
  gatewayReady(name: string, baseUrl: string): void;
  planned(count: number): void;
  started(caseId: string): void;
  finished(record: CaseRecord): void;
  /** A case that no gateway of the campaign can run; it is neither planned nor finished. */
  notApplicable?(record: CaseRecord): void;
  remark(text: string): void;
  /** The load of all streams in the last interval. */
  streamed(reading: StreamReading): void;
}
