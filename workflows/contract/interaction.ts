// One call of the harness as a contract tells it: the state of the gateway, the request, what must come back.
import type { OperationId } from "../../interface/operations/index.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";
import type { StateName } from "./states.ts";

/** A value that only the set-up of a state knows, with an example in its place. */
export class Provided {
  readonly name: string;
  readonly example: string | number;

  constructor(name: string, example: string | number) {
    this.name = name;
    this.example = example;
  }
}

export interface Interaction {
  readonly operation: OperationId;
  /** What the call is for, in words that are unique in the contract. */
  readonly description: string;
  readonly states: readonly StateName[];
  /** The capability without which a gateway need not answer; default the operation's group. */
  readonly needs?: CapabilityId;
  readonly path?: Readonly<Record<string, string | Provided>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Values may be Provided at any depth. */
  readonly json?: unknown;
  /** The call brings no token. */
  readonly isAnonymous?: boolean;
  /** `success` is any 2xx, `refusal` any 4xx; a number where the interface states the status. */
  readonly status: "success" | "refusal" | number;
}

/** The file that an interaction belongs to. */
export type ContractPart = "accounts" | "device" | "events" | "software" | "tags";
