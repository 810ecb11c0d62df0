// Which program of the reference gateway is started: the plain one, or the one with faults and variations.
import { join } from "node:path";
import { cachedImage } from "../image/cachedImage.ts";
import { contentHash, ownNode, programFolder, writeProgram } from "../image/gatewayProgram.ts";

/** The state of a process of this machine outlives every end of that process without waiting for the disk. */
export const unsynced = "--no-sync";

/** Files of the program, bundled because a bundle boots in half the time, and gateways boot often. */
export interface BundledProgram {
  readonly supervisor: string;
  /** Program that takes `--fault` and `--variation`. */
  readonly altered: string;
}

/** The bundle of these sources; the first use after they changed makes it (about two seconds). */
export async function bundledProgram(): Promise<BundledProgram> {
  const image = await cachedImage("process", await contentHash(ownNode), (folder) =>
    writeProgram(folder, ownNode, "readable"),
  );
  const file = (name: string): string => join(image, programFolder, "dist", `${name}.js`);
  return { supervisor: file("supervisor"), altered: file("altered") };
}

/** The words for a gateway that ends with its run: its passwords are worth nothing then, and it may have a fault. */
export function runWords(fault: string | undefined): readonly string[] {
  return ["--light-hashes", ...(fault === undefined ? [] : ["--fault", fault])];
}

/** Whether only the program with faults and variations takes these options. */
export function isAltered(words: readonly string[]): boolean {
  return words.some((word) => /^--(fault|variation)(=|$)/.test(word));
}
