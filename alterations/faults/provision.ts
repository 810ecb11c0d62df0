// Faults of provisioning.

import { at as valueAt, drop, fields, put } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { doesNotStore, losesAtBoot, onlyShows, accepts } from "./habits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

export const provisionFaults: readonly Fault[] = faults([
  [
    "provision-enable-is-not-kept",
    "CORE-PROVISION-06",
    "plain",
    "`enable` of provisioning is returned as given but not stored.",
    doesNotStore("setProvision", "enable"),
  ],
  [
    "provision-schedule-is-not-kept",
    "CORE-PROVISION-07",
    "plain",
    "`enable` of the provisioning schedule is returned as given but not stored.",
    doesNotStore("setProvision", "schedule.enable"),
  ],
  [
    "provision-seconds-are-whole-minutes",
    "CORE-PROVISION-08",
    "subtle",
    "`disableAfterSec` is stored in whole minutes.",
    (at) =>
      at.body("setProvision", (body) => {
        const seconds = valueAt(body, "schedule.disableAfterSec");
        return typeof seconds === "number"
          ? put(body, "schedule.disableAfterSec", Math.ceil(seconds / 60) * 60)
          : body;
      }),
  ],
  [
    "provision-zero-is-not-kept",
    "CORE-PROVISION-08",
    "subtle",
    "A `disableAfterSec` of 0 is treated as absent.",
    (at) =>
      at.body("setProvision", (body) =>
        valueAt(body, "schedule.disableAfterSec") === 0 ? drop(body, "schedule.disableAfterSec") : body,
      ),
  ],
  [
    "provision-never-disables-itself",
    "CORE-PROVISION-09",
    "plain",
    "Provisioning stays enabled after `disableAfterSec`.",
    onlyShows(["setProvision"], "getProvision", "schedule.enable"),
  ],
  [
    "schedule-shows-the-seconds-that-remain",
    "CORE-PROVISION-08",
    "subtle",
    "While the schedule is under way, `disableAfterSec` shows the seconds that remain.",
    (at) => {
      let fromMs = 0;
      at.body("setProvision", (body) => {
        fromMs = performance.now();
        return body;
      });
      at.data("getProvision", (data) => {
        const seconds = Number(valueAt(data, "schedule.disableAfterSec"));
        const isOn = data["enable"] === true && valueAt(data, "schedule.enable") === true;
        const passed = Math.floor((performance.now() - fromMs) / 1000);
        return isOn ? put(data, "schedule.disableAfterSec", Math.max(0, seconds - passed)) : data;
      });
    },
  ],
  [
    "provision-disables-itself-late",
    "CORE-PROVISION-09",
    "subtle",
    "Provisioning is disabled after twice `disableAfterSec`.",
    (at) => {
      at.body("setProvision", (body) => {
        const seconds = valueAt(body, "schedule.disableAfterSec");
        return typeof seconds === "number" ? put(body, "schedule.disableAfterSec", seconds * 2) : body;
      });
      at.data(["setProvision", "getProvision"], (data) =>
        put(data, "schedule.disableAfterSec", Number(valueAt(data, "schedule.disableAfterSec")) / 2),
      );
    },
  ],
  [
    "provision-schedule-of-months-ends-at-once",
    "CORE-PROVISION-09",
    "subtle",
    "A `disableAfterSec` of more than 2^31 ms disables provisioning at once.",
    (at) => {
      let long: number | undefined;
      at.body("setProvision", (body) => {
        const seconds = valueAt(body, "schedule.disableAfterSec");
        long = typeof seconds === "number" && seconds * 1000 >= 2 ** 31 ? seconds : undefined;
        return long === undefined ? body : put(body, "schedule.disableAfterSec", 0);
      });
      at.data(["setProvision", "getProvision"], (data) =>
        long === undefined ? data : put(data, "schedule.disableAfterSec", long),
      );
    },
  ],
  [
    "provision-disables-itself-without-a-schedule",
    "CORE-PROVISION-10",
    "subtle",
    "Provisioning is disabled after `disableAfterSec` although its schedule is disabled.",
    (at) => {
      let isOff = false;
      at.around("setProvision", async (call, proceed) => {
        isOff = valueAt(call.body, "schedule.enable") === false;
        const schedule = { ...fields(call.body["schedule"]), enable: true };
        const answer = await proceed(isOff ? changed(call, { body: { ...call.body, schedule } }) : call);
        return answer.kind === "json" && isOff
          ? { ...answer, body: put(answer.body, "data.schedule.enable", false) }
          : answer;
      });
      at.data("getProvision", (data) => (isOff ? put(data, "schedule.enable", false) : data));
    },
  ],
  [
    "provision-ends-by-a-replaced-schedule",
    "CORE-PROVISION-09",
    "subtle",
    "A schedule that was replaced before its time still disables provisioning.",
    (at) => {
      at.around("setProvision", async (call, proceed) => {
        const answer = await proceed(call);
        const isOn = call.body["enable"] === true && valueAt(call.body, "schedule.enable") === true;
        const seconds = Number(valueAt(call.body, "schedule.disableAfterSec"));
        if (!isOn || seconds > 3600) return answer;
        const late = { ...call, body: { ...call.body, enable: false } };
        setTimeout(() => void Promise.resolve(proceed(late)).catch(() => undefined), seconds * 1000).unref();
        return answer;
      });
    },
  ],
  [
    "provision-is-lost-at-boot",
    "CORE-PROVISION-11",
    "subtle",
    "The provisioning configuration is reset to default by a reboot.",
    losesAtBoot("provision"),
  ],
  [
    "reboot-ends-the-provisioning-schedule",
    "CORE-PROVISION-09",
    "subtle",
    "A provisioning schedule that is under way ends with a reboot: provisioning stays enabled.",
    (at) =>
      at.boot((store) => {
        store.run("UPDATE setting SET value = json_set(value, '$.dueMs', NULL) WHERE name = 'provision'");
      }),
  ],
  [
    "provision-enable-as-text-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "An `enable` of provisioning that is not a boolean is accepted as true.",
    accepts("setProvision", "enable", true, (value) => value !== undefined && typeof value !== "boolean"),
  ],
  [
    "provisioning-schedule-works-once",
    "CORE-PROVISION-09",
    "subtle",
    "After a schedule has disabled provisioning, further ones do not, until the next boot.",
    (at) => {
      let hasWorked = false;
      let isOn = false;
      at.around("setProvision", (call, proceed) => {
        const schedule = fields(call.body["schedule"]);
        isOn = call.body["enable"] === true && schedule["enable"] === true;
        if (!hasWorked || schedule["enable"] !== true) return proceed(call);
        return proceed(
          changed(call, { body: { ...call.body, schedule: { ...schedule, enable: false } } }),
        ).then((answer) =>
          answer.kind === "json"
            ? { ...answer, body: put(answer.body, "data.schedule.enable", true) }
            : answer,
        );
      });
      at.data("getProvision", (data) => {
        hasWorked ||= isOn && data["enable"] === false;
        return data;
      });
    },
  ],
  [
    "schedule-that-has-ended-shows-no-seconds",
    "CORE-PROVISION-08",
    "subtle",
    "Once a schedule has disabled provisioning, `disableAfterSec` is 0.",
    (at) => {
      let isOn = false;
      at.data("setProvision", (data) => {
        isOn = data["enable"] === true && valueAt(data, "schedule.enable") === true;
        return data;
      });
      at.data("getProvision", (data) =>
        isOn && data["enable"] === false ? put(data, "schedule.disableAfterSec", 0) : data,
      );
    },
  ],
  [
    "provisioning-enabled-alone-is-never-disabled",
    "CORE-PROVISION-09",
    "subtle",
    "Provisioning that is enabled without `schedule` stays enabled, although the stored schedule is enabled.",
    (at) => {
      let isOn = false;
      at.around("setProvision", async (call, proceed, ask) => {
        const isAlone = call.body["enable"] === true && call.body["schedule"] === undefined;
        const present = isAlone ? await ask("getProvision") : undefined;
        isOn = present?.kind === "json" && valueAt(present.body, "data.schedule.enable") === true;
        if (!isOn) return proceed(call);
        const answer = await proceed(changed(call, { body: { enable: true, schedule: { enable: false } } }));
        return answer.kind === "json"
          ? { ...answer, body: put(answer.body, "data.schedule.enable", true) }
          : answer;
      });
      at.data("getProvision", (data) => (isOn ? put(data, "schedule.enable", true) : data));
    },
  ],
  [
    "schedule-switched-off-as-a-service-disables-provisioning",
    "CORE-PROVISION-10",
    "subtle",
    "A provisioning schedule under way that is switched off as a service still disables provisioning.",
    (at) => {
      let isOff = false;
      at.around("disableService", (call, proceed) => {
        isOff ||= call.path["id"] === "provisionschedule";
        return proceed(call);
      });
      at.around("setProvision", (call, proceed) => {
        isOff = false;
        const seconds = Number(valueAt(call.body, "schedule.disableAfterSec"));
        const late = changed(call, { body: { enable: false } });
        const disable = (): unknown => isOff && proceed(late).catch(() => undefined);
        if (valueAt(call.body, "schedule.enable") === true && seconds < 3600)
          setTimeout(disable, seconds * 1000).unref();
        return proceed(call);
      });
    },
  ],
  [
    "full-set-with-the-stored-schedule-starts-none",
    "CORE-PROVISION-09",
    "subtle",
    "Provisioning that is enabled with the schedule that is stored, and enabled, is never disabled.",
    (at) => {
      let stored: unknown;
      const hidden = hiddenSchedule(at);
      at.around("setProvision", (call, proceed) => {
        const { enable, schedule } = call.body;
        const isSame = schedule !== undefined && JSON.stringify(schedule) === JSON.stringify(stored);
        stored = schedule ?? stored;
        hidden.isOn = enable === true && isSame && valueAt(schedule, "enable") === true;
        return proceed(hidden.isOn ? changed(call, { body: { enable: true, schedule: off } }) : call);
      });
    },
  ],
  [
    "provisioning-enabled-as-a-service-is-never-disabled",
    "CORE-PROVISION-09",
    "subtle",
    "Provisioning that is enabled as a service stays enabled, although its schedule is enabled.",
    startsNone("provision"),
  ],
  [
    "schedule-enabled-as-a-service-disables-nothing",
    "CORE-PROVISION-09",
    "subtle",
    "A provisioning schedule that is enabled as a service does not disable provisioning.",
    startsNone("provisionschedule"),
  ],
]);

const off = { enable: false };

/** Shows the schedule as enabled while `isOn`. */
function hiddenSchedule(at: GatewayAlterations): { isOn: boolean } {
  const hidden = { isOn: false };
  at.data(["setProvision", "getProvision"], (data) =>
    hidden.isOn ? put(data, "schedule.enable", true) : data,
  );
  return hidden;
}

/** Enabling the service enables what it stands for, and starts no schedule. */
function startsNone(id: "provision" | "provisionschedule"): Fault["install"] {
  return (at) => {
    const hidden = hiddenSchedule(at);
    at.around("setProvision", (call, proceed) => {
      hidden.isOn = false;
      return proceed(call);
    });
    at.around("enableService", async (call, proceed, ask) => {
      const answer = await proceed(call);
      if (call.path["id"] !== id) return answer;
      const present = await ask("getProvision");
      if (present.kind !== "json" || valueAt(present.body, "data.schedule.enable") !== true) return answer;
      await ask("setProvision", { body: { schedule: off } });
      hidden.isOn = true;
      return answer;
    });
  };
}
