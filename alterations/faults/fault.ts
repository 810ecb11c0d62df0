// What a fault is: one misbehaviour that the gateway can be told to have, tied to the one requirement it breaks.
import type { OperationId } from "../../interface/operations/index.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

/**
 * `crude`: seen in any single answer; `plain`: seen when what was asked for is compared with what came of it;
 * `subtle`: seen only at a boundary, in a combination, over time or under load.
 */
type Subtlety = "crude" | "plain" | "subtle";

export interface Fault {
  /** Words joined by `-`, unique. */
  readonly id: string;
  /** Id of the requirement that a gateway with this fault breaks. */
  readonly requirement: string;
  readonly subtlety: Subtlety;
  /** The one operation whose answers show it; absent for what is seen in several. */
  readonly operation?: OperationId;
  /** What the gateway does wrong: one sentence. */
  readonly what: string;
  /** Puts the fault in place; called once at every boot, so what it keeps in variables is lost with the power. */
  readonly install: (at: GatewayAlterations) => void;
}

type Row = readonly [
  id: string,
  requirement: string,
  subtlety: Subtlety,
  what: string,
  install: Fault["install"],
];

/** The faults of a list of rows: it reads as a table. */
export function faults(rows: readonly Row[]): readonly Fault[] {
  return rows.map(([id, requirement, subtlety, what, install]) => ({
    id,
    requirement,
    subtlety,
    what,
    install,
  }));
}
