// Faults that show after a reboot: one member of a setting is other than before, or an instant is forgotten.
import { type Fault, faults } from "./fault.ts";
import { put, text } from "../mechanism/edits.ts";

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

export const bootedStateFaults: readonly Fault[] = faults([
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
]);
