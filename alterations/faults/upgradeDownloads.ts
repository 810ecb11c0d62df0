// Faults of downloads that are suspended and resumed, and of what a job is asked to download and to do.
import { appendFileSync, statSync } from "node:fs";
import { type Fault, faults } from "./fault.ts";

export const upgradeDownloadFaults: readonly Fault[] = faults([
  [
    "resumed-download-adds-the-whole-file",
    "CORE-UPGRADE-57",
    "subtle",
    "A download that is resumed from a server without ranges adds the file from its beginning to the part, up to the size.",
    (at) =>
      at.download((download) => async (transfer) => {
        const { url, file, signal, onProgress } = transfer;
        let received = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
        const head = received > 0 ? await fetch(url, { method: "HEAD", signal }) : undefined;
        if (head === undefined || head.headers.has("accept-ranges")) return download(transfer);
        const whole = await fetch(url, { signal });
        const total = Number(whole.headers.get("content-length"));
        for await (const chunk of whole.body ?? []) {
          appendFileSync(file, chunk);
          received += chunk.length;
          onProgress(Math.min(received, total), total);
          if (received >= total) return;
        }
      }),
  ],
]);
