// Which program of the reference gateway is started: the plain one, or the one with faults and variations.
import { fileURLToPath } from "node:url";

/** Program that takes `--fault` and `--variation`. */
export const alteredProgram = fileURLToPath(new URL("../../alterations/main.ts", import.meta.url));

/** The words that inject the fault. */
export function faultWords(fault: string | undefined): readonly string[] {
  return fault === undefined ? [] : ["--fault", fault];
}

/** Whether only the program with faults and variations takes these options. */
export function isAltered(words: readonly string[]): boolean {
  return words.some((word) => /^--(fault|variation)(=|$)/.test(word));
}
