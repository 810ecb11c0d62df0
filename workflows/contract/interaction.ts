// One call of the harness as the contract describes it: the gateway's state, the request, the expected answer.
import type { OperationId } from "../../interface/operations/index.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";
import type { InvalidInputs } from "../../harness/index.ts";
import type { StateName, StateValues } from "./states.ts";

/** A value that only the set-up of a state can provide, with an example in its place. */
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
  /** Purpose of the call; unique in the contract. */
  readonly description: string;
  readonly states: readonly StateName[];
  /** Capability without which a gateway need not offer the call; default the operation's group. */
  readonly needs?: CapabilityId;
  readonly path?: Readonly<Record<string, string | Provided>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Values may be Provided at any depth. */
  readonly json?: unknown;
  /** The call carries no token. */
  readonly isAnonymous?: boolean;
  /** `success` is any 2xx, `refusal` any 4xx; a number where the interface states the status. */
  readonly status: "success" | "refusal" | number;
}

/** The file that an interaction belongs to. */
export type ContractPart = "accounts" | "device" | "events" | "software" | "tags";

/** What the harness's client sends; examples stand for the values that are not given. */
export function inputsOf({ path, query, json }: Interaction, values: StateValues = {}): InvalidInputs {
  return {
    ...(path === undefined
      ? {}
      : {
          path: Object.fromEntries(
            Object.entries(path).map(([name, value]) => [name, resolved(value, values)]),
          ),
        }),
    ...(query === undefined ? {} : { query }),
    ...(json === undefined ? {} : { json: mapProvided(json, (value) => resolved(value, values)) }),
  };
}

function resolved(value: string | Provided, values: StateValues): string | number {
  return value instanceof Provided ? (values[value.name] ?? value.example) : value;
}

/** The same value with each Provided replaced. */
export function mapProvided(value: unknown, replace: (provided: Provided) => unknown): unknown {
  if (value instanceof Provided) return replace(value);
  if (Array.isArray(value)) return value.map((inner) => mapProvided(inner, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapProvided(inner, replace)]),
  );
}
