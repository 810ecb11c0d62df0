// What every power driver is made of: a switch that claims a state, and the wire that only one run at a time may use.
import Type from "typebox";
import type { Terminal } from "../host/terminal.ts";

/** A switch claims that it is on or off; power.ts proves whether the gateway has power. */
export interface Switch {
  /** In words, for messages. */
  readonly name: string;
  /** Throws an Error when the switch cannot be reached. */
  set(isOn: boolean): Promise<void>;
  /** What the switch itself reports, undefined if it cannot tell; absent where it cannot be queried. */
  read?(): Promise<boolean | undefined>;
  /** Presses a reset button and lets it go; absent where that is `set` twice. */
  press?(): Promise<void>;
}

/** A switch of a rack file. */
export interface DrivenSwitch extends Switch {
  /** Names what only one run at a time can use, in the same words for every rack file of this machine. */
  readonly wire: string;
  /** For `doctor`: what was found without switching; absent where that is the state. */
  check?(): Promise<string>;
  /** Ends what holds the switch in its state; absent where the state lasts by itself. */
  release?(): Promise<void>;
}

/** What drivers use of this machine. */
export interface BenchAccess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The person at the bench. */
  readonly terminal: Terminal;
  /** The place of labgrid that this run has acquired. */
  readonly place?: PlaceAccess | undefined;
}

/** How labgrid-client speaks for the holder of a place. */
export interface PlaceAccess {
  readonly coordinator: string;
  readonly place: string;
  /** HOST/USER */
  readonly holder: string;
}

/** Thrown when a person was to act and nobody did. */
export class NobodyActed extends Error {
  override readonly name = "NobodyActed";
}

export const strict = { additionalProperties: false };
export const Words = Type.Array(Type.String(), { minItems: 1 });
/** Name of the environment variable that has a secret. */
export const SecretName = Type.String({ minLength: 1 });
export const answerWithinMs = 5000;

/** The secret in the named environment variable. */
export function secretIn({ environment }: Pick<BenchAccess, "environment">, name: string): string {
  const value = environment[name];
  if (value === undefined || value === "")
    throw new Error(`environment variable ${name} is not set. Fix: set it`);
  return value;
}

/** Whether the answer has the words, as words: "connection lost" does not report that something is on. */
export function reports(answer: string, words: string): boolean {
  const escaped = words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(^|\\W)${escaped}(\\W|$)`).test(answer);
}
