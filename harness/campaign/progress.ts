import type { CaseRecord, CheckRecord } from "../../record/index.ts";
import type { StreamReading } from "../transport/streamMeter.ts";

/** Receives the events of a running campaign. */
export interface Progress {
  gatewayReady(name: string, baseUrl: string): void;
  planned(count: number): void;
  started(caseId: string): void;
  /** A check of a case that is not finished. */
  checked?(caseId: string, check: Pick<CheckRecord, "requirement" | "verdict">): void;
  finished(record: CaseRecord): void;
  /** A case that no gateway of the campaign can run; it is neither planned nor finished. */
  notApplicable?(record: CaseRecord): void;
  remark(text: string): void;
  /** The load of all streams in the last interval. */
  streamed(reading: StreamReading): void;
}
