// Faults of the selection of an export that show beside another export at the same time.
import { type Fault, faults } from "./fault.ts";
import { changed } from "../mechanism/operationAlterations.ts";

export const exportSelectionFaults: readonly Fault[] = faults([
  [
    "exports-at-the-same-time-share-their-selection",
    "CORE-CONFIG-12",
    "subtle",
    "Of exports at the same time, each has the selection of the last request.",
    (at) => {
      let latest: unknown;
      at.around("exportConfiguration", async (call, proceed) => {
        latest = call.query["select"];
        // Until the other requests that have come by now are read as well.
        await new Promise((resolve) => setTimeout(resolve, 20));
        return proceed(changed(call, { query: { ...call.query, select: latest } }));
      });
    },
  ],
]);
