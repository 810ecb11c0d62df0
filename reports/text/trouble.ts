// The failure of the lab that ended a run early, in words.
import type { CampaignRecord } from "../../record/index.ts";

type Trouble = NonNullable<CampaignRecord["trouble"]>;

const healthWords: Readonly<Record<string, string>> = {
  start: "the rig did not start",
  reachable: "the gateway is not reachable",
  certificate: "the gateway shows another certificate",
  "sign-in": "sign-in failed",
  reading: "reading failed",
  wires: "a wire of the rack failed",
};

/** What failed, in a few words: `sign-in failed`. */
export function troubleTitle({ kind, part }: Trouble): string {
  switch (kind) {
    case "health-check":
      return healthWords[part] ?? `health check failed (${part})`;
    case "gateway-lost":
      return "the gateway was lost";
    case "tls-changed":
      return "the gateway's certificate changed";
  }
}

/** What was expected and found, and what to do. */
export function troubleLines({ expected, found, remedy, since }: Trouble): string[] {
  return [
    `Expected: ${expected}`,
    `Found: ${found}${since === undefined ? "" : `, since ${since}`}`,
    `Fix: ${remedy}`,
  ];
}
