// Faults that show the second time, in another order, or in what others have after a reboot.
import type { Call } from "../../reference-impl/http/handler.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { onTable } from "./durability.ts";
import { type Fault, faults } from "./fault.ts";
import { at as valueAt, fields, items, put, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed, type Step } from "../mechanism/operationAlterations.ts";
import { namedBySender } from "../mechanism/uploadNames.ts";

const setters = ["updateHttpServer", "setHttpServer"] as const;

/** HTTPS is closed and shown as open, from the returned call on until the HTTP server is set the next time. */
export function shownOpen(at: GatewayAlterations): (isClosed: boolean) => void {
  let isShown = false;
  at.around(setters, async (call, proceed) => {
    const answer = await proceed(
      isShown ? changed(call, { body: { httpsEnable: true, ...call.body } }) : call,
    );
    isShown = false;
    return answer;
  });
  at.data("getHttpServer", (data) => (isShown ? { ...data, httpsEnable: true } : data));
  at.data("listServices", (groups) =>
    put(
      groups,
      "service",
      items(groups["service"]).map((one) =>
        isShown && one["id"] === "httpsservice" ? { ...one, enable: true } : one,
      ),
    ),
  );
  return (isClosed) => {
    isShown = isClosed;
  };
}

/** HTTPS is closed by a rejected set as described, where HTTP is open beside it. */
const closedByRejection =
  (isMeant: (call: Call) => boolean): Fault["install"] =>
  (at) => {
    const show = shownOpen(at);
    at.around(setters, (call, proceed, ask) =>
      proceed(call).catch(async (thrown: unknown) => {
        const now = await ask("getHttpServer");
        const shown = now.kind === "json" ? fields(valueAt(now.body, "data")) : {};
        if (shown["httpsEnable"] === true && shown["httpEnable"] === true && isMeant(call)) {
          await ask("updateHttpServer", { body: { httpsEnable: false } });
          // A listener of the reference gateway closes some time after its answer.
          await new Promise((resolve) => setTimeout(resolve, 300));
          show(true);
        }
        throw thrown;
      }),
    );
  };

/** Jobs that meet the condition are changed at every boot. */
const jobsAtBoot =
  (sql: string): Fault["install"] =>
  (at) =>
    at.boot(onTable("upgrade_job", sql));

/** The action does nothing for a job for which it was done before; the answer shows the state that it leads to. */
const onlyOnce =
  (action: string, from: string, to: string): Fault["install"] =>
  (at) => {
    const done = new Set<string>();
    const shown = new Set<string>();
    const step: Step = async (call, proceed, ask) => {
      const { id = "", action: wanted } = call.path;
      shown.delete(id);
      if (wanted !== action) return proceed(call);
      if (!done.has(id)) {
        done.add(id);
        return proceed(call);
      }
      shown.add(id);
      return ask("getUpgradeJob", { path: { id } });
    };
    at.around("operateUpgradeJob", step);
    at.data(["operateUpgradeJob", "getUpgradeJob", "listUpgradeJobs"], (job) =>
      shown.has(text(job["id"])) && job["state"] === from ? { ...job, state: to } : job,
    );
  };

export const secondTimeFaults: readonly Fault[] = faults([
  [
    "second-upload-of-a-name-is-not-kept",
    "CORE-CONFIG-42",
    "subtle",
    "Uploaded files have the names of their senders; a second one of a name is answered like any other, and not stored.",
    (at) => namedBySender(at, "first"),
  ],
  [
    "later-uploads-of-a-name-have-the-first-content",
    "CORE-CONFIG-42",
    "subtle",
    "Every file that is uploaded under a name that an earlier one had has the content of that one; each has a name of its own.",
    (at) => {
      const sent = new Map<string, string>();
      const first = new Map<string, string>();
      at.around("uploadConfiguration", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "json") return answer;
        const given = text(valueAt(answer.body, "data.fileName"));
        const own = call.files[0]?.fileName ?? "";
        sent.set(given, own);
        if (!first.has(own)) first.set(own, given);
        return answer;
      });
      at.around("applyConfiguration", (call, proceed) => {
        const filename = first.get(sent.get(String(call.path["filename"])) ?? "");
        return proceed(filename === undefined ? call : changed(call, { path: { ...call.path, filename } }));
      });
    },
  ],
  [
    "upload-with-apply-applies-the-earlier-file-of-its-name",
    "CORE-CONFIG-33",
    "subtle",
    "An upload with `apply` under a name that an earlier upload had applies the content of the earlier one.",
    (at) => {
      const first = new Map<string, string>();
      at.around("uploadConfiguration", async (call, proceed, ask) => {
        const own = call.files[0]?.fileName ?? "";
        const filename = first.get(own);
        const isApplied = call.body["apply"] === true;
        if (isApplied && filename !== undefined) {
          const answer = await proceed(changed(call, { body: { ...call.body, apply: false } }));
          await ask("applyConfiguration", { path: { filename } });
          return answer;
        }
        const answer = await proceed(call);
        if (answer.kind === "json" && !isApplied) first.set(own, text(valueAt(answer.body, "data.fileName")));
        return answer;
      });
    },
  ],
  [
    "https-stays-closed-after-a-reboot",
    "CORE-HTTP-24",
    "subtle",
    "After a reboot HTTPS is not served although `httpsEnable` is shown as true, until the HTTP server is set.",
    (at) => {
      const show = shownOpen(at);
      at.boot((store) => {
        const isOn = "name = 'httpserver' AND value ->> '$.httpsEnable' AND value ->> '$.httpEnable'";
        const wasOn = store.get(`SELECT 1 FROM setting WHERE ${isOn}`) !== undefined;
        show(wasOn);
        if (wasOn)
          store.run(
            "UPDATE setting SET value = json_set(value, '$.httpsEnable', json('false')) WHERE name = 'httpserver'",
          );
      });
    },
  ],
  [
    "http-boots-in-place-of-https",
    "CORE-HTTP-24",
    "subtle",
    "Where only HTTPS is enabled, a reboot opens HTTP on its port in place of it.",
    (at) => {
      let isOn = false;
      at.boot((store) => {
        const alone = "name = 'httpserver' AND value ->> '$.httpsEnable' AND NOT value ->> '$.httpEnable'";
        isOn = store.get(`SELECT 1 FROM setting WHERE ${alone}`) !== undefined;
        if (isOn)
          store.run(
            `UPDATE setting SET value = json_set(value, '$.httpsEnable', json('false'), '$.httpEnable', json('true'))
             WHERE name = 'httpserver'`,
          );
      });
    },
  ],
  [
    "rejected-port-closes-its-listener",
    "CORE-GENERAL-10",
    "subtle",
    "A set that is rejected for its `httpsPort` closes HTTPS; the configuration is shown unchanged.",
    closedByRejection(({ body }) => typeof body["httpsPort"] === "number" && body["cert"] === undefined),
  ],
  [
    "rejected-certificate-closes-https",
    "CORE-GENERAL-10",
    "subtle",
    "A set that is rejected for its certificate closes HTTPS; the configuration is shown unchanged.",
    closedByRejection(({ body, files }) => body["cert"] !== undefined || files.length > 0),
  ],
  [
    "form-without-files-serves-the-delivered-certificate",
    "CORE-HTTP-12",
    "subtle",
    "After a form without files, HTTPS serves the certificate of delivery; `certFileName` names the one that was set.",
    (at) => {
      let open: Store | undefined;
      at.boot((store) => {
        open = store;
      });
      at.around("setHttpServer", async (call, proceed, ask) => {
        const answer = await proceed(call);
        const row = open?.get("SELECT value FROM setting WHERE name = 'httpserver-factory'");
        const { certificatePem: cert, keyPem: key } = fields(JSON.parse(text(row?.["value"]) || "{}"));
        if (call.files.length === 0 && cert !== undefined)
          await ask("updateHttpServer", { body: { cert, key } });
        return answer;
      });
    },
  ],
  [
    "reboot-loses-all-jobs-but-the-last",
    "CORE-UPGRADE-66",
    "subtle",
    "Of several upgrade jobs that wait, only the one that was created last outlives a reboot.",
    jobsAtBoot(
      `DELETE FROM upgrade_job WHERE job ->> '$.state' IN ('created', 'pending')
       AND id < (SELECT MAX(id) FROM upgrade_job WHERE job ->> '$.state' IN ('created', 'pending'))`,
    ),
  ],
  [
    "reboot-removes-suspended-jobs",
    "CORE-UPGRADE-66",
    "subtle",
    "Upgrade jobs that are suspended are removed by a reboot.",
    jobsAtBoot("DELETE FROM upgrade_job WHERE job ->> '$.state' = 'suppended'"),
  ],
  [
    "reboot-clears-the-progress-of-completed-downloads",
    "CORE-UPGRADE-59",
    "subtle",
    "`progress` of completed downloads is 0 after a reboot.",
    jobsAtBoot(
      "UPDATE upgrade_job SET job = json_set(job, '$.tasks[0].progress', 0) WHERE job ->> '$.state' = 'succeed'",
    ),
  ],
  [
    "ids-of-roles-begin-anew-after-a-reboot",
    "CORE-ROLE-20",
    "subtle",
    "The first role created after a reboot replaces the one that was created last before it.",
    (at) => {
      let open: Store | undefined;
      let newest: number | undefined;
      at.boot((store) => {
        open = store;
        const isDefined = store.get("SELECT 1 FROM sqlite_master WHERE name = 'role'") !== undefined;
        newest = isDefined ? Number(store.get("SELECT MAX(id) AS id FROM role")?.["id"]) : undefined;
      });
      at.around("createRole", async (call, proceed, ask) => {
        const id = newest;
        newest = undefined;
        if (id === undefined) return proceed(call);
        open?.run("UPDATE role SET name = 'replaced' WHERE id = ?", id);
        return ask("updateRole", { path: { id: String(id) }, body: call.body });
      });
    },
  ],
  [
    "download-is-suspended-once-only",
    "CORE-UPGRADE-60",
    "subtle",
    "A download that was suspended and resumed is shown as suspended by a second suspend, and continues.",
    onlyOnce("suspend", "running", "suppended"),
  ],
  [
    "download-is-resumed-once-only",
    "CORE-UPGRADE-60",
    "subtle",
    "A second resume of a download is answered like the first, and the download stays suspended.",
    onlyOnce("resume", "suppended", "running"),
  ],
  [
    "crontab-after-a-date-time-keeps-its-seconds",
    "CORE-REBOOT-15",
    "subtle",
    "`nextTriggerAt` of a crontab expression that follows a date-time has the seconds of that date-time.",
    (at) => {
      let seconds = 0;
      let isCrontab = false;
      at.around("setReboot", (call, proceed) => {
        const atMs = Date.parse(text(call.body["at"]));
        if (call.body["at"] !== undefined) isCrontab = Number.isNaN(atMs) || /\*/.test(text(call.body["at"]));
        if (!isCrontab && !Number.isNaN(atMs)) seconds = new Date(atMs).getUTCSeconds();
        return proceed(call);
      });
      at.data(["setReboot", "getReboot"], (data) => {
        const next = Date.parse(text(data["nextTriggerAt"]));
        if (!isCrontab || Number.isNaN(next) || next < 0) return data;
        return put(data, "nextTriggerAt", new Date(next + seconds * 1000).toISOString());
      });
    },
  ],
  [
    "schedule-switched-on-again-is-not-armed",
    "CORE-REBOOT-15",
    "subtle",
    "A schedule that is switched on with its stored `at` is shown as enabled, but has no next time and does not come.",
    (at) => {
      let stored = "";
      let isOn = false;
      let isOnPaper = false;
      at.around("setReboot", (call, proceed) => {
        const { at: wanted, enableScheduler } = call.body;
        isOnPaper = enableScheduler === true && !isOn && wanted !== undefined && text(wanted) === stored;
        stored = text(wanted) || stored;
        isOn = enableScheduler === true && !isOnPaper;
        return proceed(isOnPaper ? changed(call, { body: { ...call.body, enableScheduler: false } }) : call);
      });
      at.data(["getReboot", "setReboot"], (data) => (isOnPaper ? { ...data, enableScheduler: true } : data));
    },
  ],
  [
    "full-set-without-files-forgets-the-client-certificate",
    "CORE-UPGRADE-69",
    "subtle",
    "Downloads present no client certificate after Set upgrade configuration without files; its name is still shown.",
    (at) => {
      let isForgotten = false;
      at.around("setUpgradeConfiguration", (call, proceed) => {
        isForgotten = call.body["cert"] === undefined && call.files.length === 0;
        return proceed(call);
      });
      at.download((download) => ({ tls: { ca, ...client }, ...options }) => {
        const shown = isForgotten ? {} : client;
        return download({ ...options, tls: { ...(ca === undefined ? {} : { ca }), ...shown } });
      });
    },
  ],
]);
