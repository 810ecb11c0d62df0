import type { FleetUnit } from "../../record/index.ts";

/** The label `model`. */
export function typeOf({ labels }: FleetUnit): string {
  return labels["model"] ?? "no type";
}

/** Firmware of the last result. */
export function firmwareOf({ turns, last }: FleetUnit): string | undefined {
  return last === undefined ? undefined : turns[last.night]?.firmware;
}
