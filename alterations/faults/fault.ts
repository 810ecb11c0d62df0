// A fault: one deviation that can be injected into the reference gateway, with the one requirement that it violates.
import type { OperationId } from "../../interface/operations/index.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

/**
 * `crude`: visible in any single answer; `plain`: visible when a request is compared with its effect; `subtle`: visible
 * only at a boundary, in a combination, over time or under load.
 */
type Subtlety = "crude" | "plain" | "subtle";

export interface Fault {
  /** Words joined by `-`, unique. */
  readonly id: string;
  /** Id of the requirement that a gateway with this fault violates. */
  readonly requirement: string;
  readonly subtlety: Subtlety;
  /** The one operation whose answers show the fault; absent when several do. */
  readonly operation?: OperationId;
  /** What the gateway does wrong, in one sentence. */
  readonly what: string;
  /** Registers the fault; called at every boot, so its variables do not survive a power cut. */
  readonly install: (at: GatewayAlterations) => void;
}

type Row = readonly [
  id: string,
  requirement: string,
  subtlety: Subtlety,
  what: string,
  install: Fault["install"],
];

/** Faults from a table. */
export function faults(rows: readonly Row[]): readonly Fault[] {
  return rows.map(([id, requirement, subtlety, what, install]) => ({
    id,
    requirement,
    subtlety,
    what,
    install,
  }));
}
