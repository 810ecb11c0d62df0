// What every power driver is made of: a switch that claims a state, and the wire that only one run at a time may use.
import Type from "typebox";

/** A switch claims that it is on or off; power.ts proves whether the gateway has power. */
export interface Switch {
  /** In words, for messages. */
  readonly name: string;
  /** Throws an Error when the switch cannot be reached. */
  set(isOn: boolean): Promise<void>;
  /** What the switch itself reports; absent where it cannot be queried. */
  read?(): Promise<boolean>;
}

/** A switch of a rack file. */
export interface DrivenSwitch extends Switch {
  /** Names what only one run at a time can use, in the same words for every rack file of this machine. */
  readonly wire: string;
}

export const strict = { additionalProperties: false };
export const Words = Type.Array(Type.String(), { minItems: 1 });
export const answerWithinMs = 5000;

/** Whether the answer has the words, as words: "connection lost" does not report that something is on. */
export function reports(answer: string, words: string): boolean {
  const escaped = words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(^|\\W)${escaped}(\\W|$)`).test(answer);
}
