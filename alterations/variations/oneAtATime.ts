// What a gateway does for one client at a time, and rejects meanwhile.
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import type { Variations } from "./variation.ts";

const exportTakesMs = 100;

function oneTransfer(at: GatewayAlterations): void {
  let isUnderWay = false;
  at.around(["exportConfiguration", "uploadConfiguration"], async (call, proceed) => {
    if (isUnderWay) throw new Refusal(409, "another export or import is under way");
    isUnderWay = true;
    try {
      await delay(exportTakesMs);
      return await proceed(call);
    } finally {
      isUnderWay = false;
    }
  });
}

export const oneAtATimeVariations = {
  "one-export-or-import": {
    differs: "While a configuration is exported or imported, another export or import is rejected",
    freedom: "Endpoints 1: how many exports and imports run at the same time is not stated",
    install: oneTransfer,
  },
} as const satisfies Variations;
