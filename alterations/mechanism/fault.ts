// A fault: one deviation that can be injected into the reference gateway, with the one requirement that it violates.
import type { OperationId } from "../../interface/operations/index.ts";
import type { GatewayAlterations } from "./gatewayAlterations.ts";

/**
 * `crude`: visible in any single answer; `plain`: visible when a request is compared with its effect; `subtle`: visible
 * only at a boundary, in a combination, over time or under load.
 */
export type Subtlety = "crude" | "plain" | "subtle";

export interface Fault {
  /** Words joined by `-`, unique; `derived/<operator>/<place>` for a derived one. */
  readonly id: string;
  /** Id of the requirement that a gateway with this fault violates. */
  readonly requirement: string;
  /** Other requirements that it violates as well; any of them detects it as rightly. */
  readonly alsoViolates?: readonly string[];
  readonly subtlety: Subtlety;
  /** The one operation whose answers show the fault; absent when several do. */
  readonly operation?: OperationId;
  /** The level whose cases detect it, where those of shorter runs do not. */
  readonly level?: "certification";
  /** What the gateway does wrong, in one sentence. */
  readonly what: string;
  /** Registers the fault; called at every boot, so its variables do not survive a power cut. */
  readonly install: (at: GatewayAlterations) => void;
}
