// Faults that show after a reboot: a member of a setting is other than before, or an instant or a right is forgotten.
import type { Store } from "../../reference-impl/store/store.ts";
import { badInput } from "../../reference-impl/base/refusal.ts";
import { type Fault, faults, inCertification } from "./fault.ts";
import { at as valueAt, type Fields, fields, items, put, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

/** At every boot the member of the stored setting is true, where the setting is as described. */
const isTrueAtBoot =
  (setting: string, member: string, where = "1"): Fault["install"] =>
  (at) =>
    at.boot((store) =>
      store.run(
        `UPDATE setting SET value = json_set(value, '$.${member}', json('true')) WHERE name = ? AND ${where}`,
        setting,
      ),
    );

const booted: readonly Fault[] = faults([
  [
    "roles-have-no-users-after-a-boot",
    "CORE-ROLE-11",
    "subtle",
    "After a reboot `users` of every role is empty until a user is written.",
    (at) => {
      let isBuilt = false;
      at.boot((store) => {
        isBuilt = store.get("SELECT 1 FROM sqlite_master WHERE name = 'user'") === undefined;
      });
      at.around(["addUser", "updateUser", "updateCurrentUser", "deleteUser"], (call, proceed) => {
        isBuilt = true;
        return proceed(call);
      });
      at.data(["listRoles", "getRole"], (role) => (isBuilt ? role : { ...role, users: [] }));
    },
  ],
  [
    "https-is-on-after-a-boot",
    "CORE-HTTP-24",
    "subtle",
    "A reboot switches HTTPS on.",
    isTrueAtBoot("httpserver", "httpsEnable"),
  ],
  [
    "provisioning-opens-at-boot-with-its-schedule",
    "CORE-PROVISION-11",
    "subtle",
    "A reboot enables provisioning where `schedule.enable` is true.",
    isTrueAtBoot(
      "provision",
      "configuration.enable",
      "json_extract(value, '$.configuration.schedule.enable')",
    ),
  ],
  [
    "next-time-is-unset-after-a-boot",
    "CORE-REBOOT-19",
    "subtle",
    "After a reboot `nextTriggerAt` is unset until the schedule is set again.",
    (at) => {
      let isSet = false;
      at.boot(() => {
        isSet = false;
      });
      at.around("setReboot", (call, proceed) => {
        isSet = true;
        return proceed(call);
      });
      at.data("getReboot", (data) => (isSet ? data : put(data, "nextTriggerAt", "0001-01-01T00:00:00Z")));
    },
  ],
  [
    "scheduled-reboot-is-not-recorded",
    "CORE-REBOOT-38",
    "subtle",
    "A reboot by the schedule records no event.",
    (at) =>
      at.raise((kind, detail, proceed) => {
        if (!text(detail.message).includes("schedule is due")) proceed(kind, detail);
      }),
  ],
  [
    "https-opens-at-boot-while-it-is-off",
    "CORE-HTTP-24",
    "subtle",
    "After a reboot HTTPS is served although `httpsEnable` is shown as false.",
    (at) => {
      let isOff = false;
      at.boot((store) => {
        isOff =
          store.get("SELECT 1 FROM setting WHERE name = 'httpserver' AND NOT value ->> '$.httpsEnable'") !==
          undefined;
        if (isOff)
          store.run(
            "UPDATE setting SET value = json_set(value, '$.httpsEnable', json('true')) WHERE name = 'httpserver'",
          );
      });
      at.body(["updateHttpServer", "setHttpServer"], (body) => {
        const wasOff = isOff;
        isOff = false;
        return wasOff ? { httpsEnable: false, ...body } : body;
      });
      at.data("getHttpServer", (data) => (isOff ? { ...data, httpsEnable: false } : data));
      at.data("listServices", (groups) =>
        put(
          groups,
          "service",
          items(groups["service"]).map((one) =>
            isOff && one["id"] === "httpsservice" ? { ...one, enable: false } : one,
          ),
        ),
      );
    },
  ],
  [
    "switch-right-before-a-reboot-is-lost",
    "CORE-SERVICE-31",
    "subtle",
    "A service that was switched less than a second before a reboot has its previous state after it.",
    (at) => {
      let last: { readonly undo: () => Promise<unknown>; readonly atMs: number } | undefined;
      at.around(["enableService", "disableService"], async (call, proceed, ask) => {
        const list = await ask("listServices");
        const groups = list.kind === "json" ? Object.values(fields(valueAt(list.body, "data"))) : [];
        const wasOn = groups
          .flatMap(items)
          .some(({ id, enable }) => id === call.path["id"] && enable === true);
        const undo = (): Promise<unknown> =>
          ask(wasOn ? "enableService" : "disableService", { path: call.path });
        last = { undo, atMs: performance.now() };
        return proceed(call);
      });
      at.reboot((_reason, proceed) => {
        if (last === undefined || performance.now() - last.atMs > 1000) proceed();
        else void last.undo().finally(proceed);
      });
    },
  ],
  [
    "rejected-reboot-comes-all-the-same",
    "CORE-GENERAL-10",
    "subtle",
    "A reboot request that is rejected for a wrong `enableScheduler` reboots the system if it has `now` true.",
    (at) => {
      at.lenient("setReboot", "json", "enableScheduler");
      at.around("setReboot", async (call, proceed) => {
        const { enableScheduler, ...body } = call.body;
        if (enableScheduler === undefined || typeof enableScheduler === "boolean") return proceed(call);
        if (body["now"] === true) await proceed(changed(call, { body: { now: true } }));
        throw badInput("enableScheduler: expected a boolean");
      });
    },
  ],
  ...(
    [
      ["log", "log", "timeToLiveSec", "CORE-LOG-28", 2_592_000],
      ["event", "events", "timeToLiveSec", "CORE-EVENT-77", 4_294_967_295],
      ["upgrade", "upgrade", "retryCount", "CORE-UPGRADE-71", 3],
    ] as const
  ).map(
    ([name, setting, member, requirement, value]) =>
      [
        `unlimited-${name}-value-is-lost-at-boot`,
        requirement,
        "subtle",
        `A reboot sets a \`${member}\` that means unlimited to ${value}.`,
        (at: GatewayAlterations) =>
          at.boot((store) =>
            store.run(
              `UPDATE setting SET value = json_set(value, '$.${member}', ${value}) WHERE name = '${setting}' AND json_extract(value, '$.${member}') <= 0`,
            ),
          ),
      ] as const,
  ),
  [
    "rejected-set-is-in-force-after-a-reboot",
    "CORE-GENERAL-10",
    "subtle",
    "The right members of a rejected *Set SSH configuration* are in force after the next reboot.",
    (at) => {
      let open: Store | undefined;
      let left: boolean | undefined;
      at.boot((store) => {
        open = store;
      });
      at.lenient("setSsh", "json", "enable", "port");
      at.around("setSsh", (call, proceed) => {
        const { enable, port } = call.body;
        left = undefined;
        if (typeof enable === "boolean" && Number.isInteger(port)) return proceed(call);
        if (typeof enable === "boolean") left = enable;
        throw badInput("expected enable and port");
      });
      at.reboot((_reason, proceed) => {
        if (left !== undefined)
          open?.run(
            "UPDATE setting SET value = json_set(value, '$.enable', json(?)) WHERE name = 'ssh'",
            String(left),
          );
        proceed();
      });
    },
  ],
  [
    "roles-permit-nothing-after-a-reboot",
    "CORE-AUTH-34",
    "subtle",
    "Users who were stored before the last reboot have no permission, unless they are administrators.",
    (at) => {
      let isStored = new Set<unknown>();
      at.boot((store) => {
        const hasUsers = store.get("SELECT 1 FROM sqlite_master WHERE name = 'user'") !== undefined;
        isStored = new Set(hasUsers ? store.all("SELECT id FROM user").map(({ id }) => id) : []);
      });
      at.authenticate((token, proceed) => {
        const caller = proceed(token);
        return caller.hasAdminRole !== true && isStored.has(caller.userId)
          ? { ...caller, permissions: new Set() }
          : caller;
      });
    },
  ],
  [
    "crontab-schedule-ends-with-its-reboot",
    "CORE-REBOOT-19",
    "subtle",
    "The reboot of a crontab schedule switches the schedule off.",
    (at) => {
      let open: Store | undefined;
      at.boot((store) => {
        open = store;
      });
      at.reboot((reason, proceed) => {
        if (reason.includes("schedule is due"))
          open?.run(
            "UPDATE setting SET value = json_set(value, '$.enableScheduler', json('false')) WHERE name = 'reboot' AND json_extract(value, '$.cron') IS NOT NULL",
          );
        proceed();
      });
    },
  ],
  [
    "first-job-after-a-boot-takes-the-id-of-another",
    "CORE-UPGRADE-66",
    "subtle",
    "The first upgrade job that is created after a boot takes the id of an earlier one and replaces it.",
    (at) => {
      let stored: unknown;
      let own: number | undefined;
      at.boot((store) => {
        const hasJobs = store.get("SELECT 1 FROM sqlite_master WHERE name = 'upgrade_job'") !== undefined;
        stored = hasJobs ? store.get("SELECT min(id) AS id FROM upgrade_job")?.["id"] : undefined;
        own = undefined;
      });
      const shown = (job: Fields): Fields => (job["id"] === own ? { ...job, id: stored } : job);
      at.data("createUpgradeJob", (job) => {
        if (typeof stored === "number") own ??= Number(job["id"]);
        return shown(job);
      });
      at.answer("listUpgradeJobs", (body) => {
        const jobs = items(body["data"]);
        return own === undefined
          ? body
          : { ...body, count: jobs.length - 1, data: jobs.filter(({ id }) => id !== stored).map(shown) };
      });
      at.around(["getUpgradeJob", "operateUpgradeJob"], (call, proceed) =>
        proceed(
          own !== undefined && Number(call.path["id"]) === stored
            ? changed(call, { path: { ...call.path, id: String(own) } })
            : call,
        ),
      );
      at.data(["getUpgradeJob", "operateUpgradeJob"], shown);
    },
  ],
]);

/** Waiting for a crontab schedule takes up to a minute. */
export const bootedStateFaults = inCertification(booted, "crontab-schedule-ends-with-its-reboot");
