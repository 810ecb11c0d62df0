// Messages after a night: failures that last, and failures that have ended.
import type { Cause } from "./cause.ts";

/** A gateway as a message names it. */
export interface NoticeGateway {
  readonly name: string;
  readonly lab: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly firmware?: string;
}

/** Requirements that began or ceased to fail on the same gateways. */
export interface Alert {
  /** `alert`: failed for the wanted number of nights; `clear`: passed for the wanted number of nights since. */
  readonly state: "alert" | "clear";
  /** Empty: the gateways were not run. */
  readonly requirements: readonly string[];
  readonly gateways: readonly NoticeGateway[];
  /** Start of the first night of the failure. */
  readonly since: string;
  /** Start of the last night in which the requirement passed. */
  readonly lastGood?: string;
  readonly reason?: string;
  readonly evidence?: string;
  /** Verdict and evidence table of the search for the cause. */
  readonly causes?: readonly Cause[];
}

export interface Notice {
  readonly format: "rackproof/notice@1";
  /** The same for every attempt to deliver it. */
  readonly id: string;
  /** `test`: sent by hand to try the channels. */
  readonly event: "night" | "test";
  /** The rack file, or `fleet`. */
  readonly source: string;
  readonly night: number;
  readonly startedAt: string;
  readonly exitCode?: number;
  /** Changes of this night. */
  readonly alerts: readonly Alert[];
  /** Failures that last after this night, by gateway and requirement. */
  readonly open: number;
  /** Address of the page. */
  readonly page?: string;
}
