// Faults of retried downloads.
import { once } from "node:events";
import type { Store } from "../../reference-impl/store/store.ts";
import { at as valueAt, type Fields, text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

export const retryFaults: readonly Fault[] = faults([
  [
    "one-retry-too-few",
    "CORE-UPGRADE-63",
    "subtle",
    "A failed download is retried one time less than `retryCount`.",
    retries((count) => count - 1),
  ],
  [
    "one-retry-too-many",
    "CORE-UPGRADE-63",
    "subtle",
    "A failed download is retried one time more than `retryCount`.",
    retries((count) => count + 1),
  ],
  [
    "unlimited-retries-end",
    "CORE-UPGRADE-65",
    "subtle",
    "With `retryCount` 0 a failed download is retried only twice.",
    differs(
      "retryCount",
      () => 2,
      (count) => count === 0,
    ),
  ],
  [
    "retries-come-too-soon",
    "CORE-UPGRADE-64",
    "subtle",
    "No time passes between two tries of a download.",
    intervals(() => 0),
  ],
  [
    "retries-come-too-late",
    "CORE-UPGRADE-64",
    "subtle",
    "Three times `retryInterval` passes between two tries of a download.",
    intervals((seconds) => seconds * 3),
  ],
  [
    "page-of-an-error-counts-as-the-file",
    "CORE-UPGRADE-57",
    "subtle",
    "A download that is answered with the status 404 is completed with the page.",
    (at) =>
      at.download((download) => async (transfer) => {
        await download(transfer).catch((thrown: unknown) => {
          if (!String(thrown).includes("answered 404")) throw thrown;
        });
      }),
  ],
  [
    "received-bytes-renew-the-retries",
    "CORE-UPGRADE-63",
    "subtle",
    "A download of which some bytes arrived is retried without counting.",
    (at) =>
      at.download((download) => async (transfer) => {
        for (;;) {
          let received = 0;
          const onProgress: typeof transfer.onProgress = (bytes, total) => {
            received = bytes;
            transfer.onProgress(bytes, total);
          };
          try {
            return await download({ ...transfer, onProgress });
          } catch (thrown) {
            if (received === 0 || transfer.signal.aborted) throw thrown;
          }
        }
      }),
  ],
  [
    "file-of-a-retry-is-dropped",
    "CORE-UPGRADE-57",
    "subtle",
    "A download of which a try failed never completes, although a later try gets the file.",
    (at) =>
      at.download((download) => {
        const failed = new Set<string>();
        return async (transfer) => {
          await download(transfer).catch((thrown: unknown) => {
            if (!transfer.signal.aborted) failed.add(transfer.url);
            throw thrown;
          });
          if (failed.has(transfer.url)) throw new Error("an earlier try failed");
        };
      }),
  ],
  [
    "failing-downloads-share-their-tries",
    "CORE-UPGRADE-63",
    "subtle",
    "Downloads that fail at the same time have `retryCount` retries together.",
    sharedTries,
  ],
  [
    "retry-settings-rest-after-a-boot",
    "CORE-UPGRADE-64",
    "subtle",
    "After a reboot the stored `retryCount` and `retryInterval` are shown, and their defaults are used until the next set.",
    restAfterBoot,
  ],
  [
    "suspended-transfer-is-tried-again",
    "CORE-UPGRADE-60",
    "subtle",
    "A download that is suspended amid its transfer continues by itself after `retryInterval`.",
    (at) => {
      const urls = new Map<string, string>();
      const received = new Set<string>();
      at.data("createUpgradeJob", (job, { body }) => {
        urls.set(text(job["id"]), text(body["url"]));
        return job;
      });
      at.download((download) => async (transfer) => {
        const onProgress: typeof transfer.onProgress = (bytes, total) => {
          received.add(transfer.url);
          transfer.onProgress(bytes, total);
        };
        await download({ ...transfer, onProgress }).finally(() => received.delete(transfer.url));
      });
      at.around("operateUpgradeJob", async (call, proceed, ask) => {
        const { id = "", action } = call.path;
        const isAmid = action === "suspend" && received.has(urls.get(id) ?? "");
        const answer = await proceed(call);
        const shown = await ask("getUpgradeConfiguration");
        const seconds = shown.kind === "json" ? valueAt(shown.body, "data.retryInterval") : undefined;
        const resume = (): unknown =>
          ask("operateUpgradeJob", { path: { id, action: "resume" }, query: call.query }).catch(
            () => undefined,
          );
        if (isAmid) setTimeout(resume, Number(seconds) * 1000).unref();
        return answer;
      });
    },
  ],
  ...(["cancel", "suspend"] as const).map(
    (action) =>
      [
        `${action}-between-two-tries-leaves-one`,
        action === "cancel" ? "CORE-UPGRADE-55" : "CORE-UPGRADE-60",
        "subtle",
        `The action ${action} of a download that waits for its next try does not prevent this try.`,
        (at: GatewayAlterations) => {
          const urls = new Map<unknown, string>();
          const failed = new Set<string>();
          at.data("createUpgradeJob", (job, { body }) => {
            urls.set(job["id"], text(body["url"]));
            return job;
          });
          at.download((download) => async (transfer) => {
            failed.delete(transfer.url);
            await download(transfer).catch((thrown: unknown) => {
              failed.add(transfer.url);
              throw thrown;
            });
          });
          at.around("operateUpgradeJob", (call, proceed) => {
            const url = urls.get(Number(call.path["id"])) ?? "";
            if (call.path["action"] === action && failed.has(url))
              setTimeout(() => void fetch(url).catch(() => undefined), 1000);
            return proceed(call);
          });
        },
      ] as const,
  ),
]);

/** A download that has no try left ends, although its own count has not come to its end. */
function sharedTries(at: GatewayAlterations): void {
  let retryCount = 3;
  let spent = 0;
  const triesOf = new Map<string, number>();
  const jobOf = new Map<string, unknown>();
  const ended = new Set<unknown>();
  at.data("updateUpgradeConfiguration", (data) => {
    retryCount = Number(data["retryCount"]);
    return data;
  });
  at.data("createUpgradeJob", (job, { body }) => {
    jobOf.set(text(body["url"]), job["id"]);
    return job;
  });
  at.data(["getUpgradeJob", "listUpgradeJobs"], (job) =>
    ended.has(job["id"]) && job["state"] === "running" ? { ...job, state: "failed" } : job,
  );
  at.download((download) => async (transfer) => {
    const { url, signal } = transfer;
    if (triesOf.size === 0) spent = 0;
    const tries = (triesOf.get(url) ?? 0) + 1;
    triesOf.set(url, tries);
    try {
      await download(transfer);
      triesOf.delete(url);
    } catch (thrown) {
      if (tries > 1) spent += 1;
      const isLast = tries > retryCount;
      if (isLast || spent >= retryCount || signal.aborted) triesOf.delete(url);
      if (isLast || spent < retryCount || signal.aborted || retryCount === 0) throw thrown;
      ended.add(jobOf.get(url));
      await once(signal, "abort");
      throw thrown;
    }
  });
}

const stored =
  "SELECT json_extract(value, '$.retryCount', '$.retryInterval') FROM setting WHERE name = 'upgrade'";

/** The settings that are shown stay in a table of their own until one of them is set. */
function restAfterBoot(at: GatewayAlterations): void {
  let rests: Store | undefined;
  const shown = (): Fields => {
    const row = rests?.get("SELECT value FROM resting_retries");
    const [retryCount, retryInterval] = JSON.parse(text(row?.["value"] ?? "[]")) as number[];
    return row === undefined ? {} : { retryCount, retryInterval };
  };
  at.boot((store) => {
    rests = store;
    store.run("CREATE TABLE IF NOT EXISTS resting_retries (value TEXT NOT NULL)");
    store.run(`INSERT INTO resting_retries ${stored} AND NOT EXISTS (SELECT 1 FROM resting_retries)`);
    store.run(
      "UPDATE setting SET value = json_set(value, '$.retryCount', 3, '$.retryInterval', 5) WHERE name = 'upgrade'",
    );
  });
  at.around(["updateUpgradeConfiguration", "setUpgradeConfiguration"], async (call, proceed) => {
    const answer = await proceed(changed(call, { body: { ...shown(), ...call.body } }));
    rests?.run("DELETE FROM resting_retries");
    return answer;
  });
  at.around("resetToDefault", (call, proceed) => {
    rests?.run("DELETE FROM resting_retries");
    return proceed(call);
  });
  at.data("getUpgradeConfiguration", (data) => ({ ...data, ...shown() }));
}

/** The number of tries differs from the number shown. */
function retries(other: (count: number) => number): Fault["install"] {
  return differs("retryCount", other, (count) => count > 0);
}

function intervals(other: (seconds: number) => number): Fault["install"] {
  return differs("retryInterval", other, () => true);
}

function differs(
  member: string,
  other: (value: number) => number,
  isMeant: (value: number) => boolean,
): Fault["install"] {
  return (at) => {
    let shown: unknown;
    at.around(["updateUpgradeConfiguration", "setUpgradeConfiguration"], async (call, proceed) => {
      const wish = valueAt(call.body, member);
      if (typeof wish !== "number" || !isMeant(wish)) {
        if (wish !== undefined) shown = undefined;
        return proceed(call);
      }
      shown = wish;
      return proceed(changed(call, { body: { ...call.body, [member]: Math.max(0, other(wish)) } }));
    });
    at.data(["getUpgradeConfiguration", "updateUpgradeConfiguration", "setUpgradeConfiguration"], (data) =>
      shown === undefined ? data : { ...data, [member]: shown },
    );
  };
}
