// Faults of the upgrade configuration.
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { type Fault, faults } from "./fault.ts";
import { doesNotStore, onlyShows, accepts } from "./habits.ts";

export const upgradeConfigurationFaults: readonly Fault[] = faults([
  ...(
    [
      ["allowOverCellular", 14],
      ["retryCount", 15],
      ["retryInterval", 16],
      ["enableSnapshot", 18],
    ] as const
  ).map(
    ([member, number]) =>
      [
        `upgrade-${member.toLowerCase()}-is-not-kept`,
        `CORE-UPGRADE-${number}`,
        "plain",
        `\`${member}\` is returned as given but not stored.`,
        doesNotStore("updateUpgradeConfiguration", member),
      ] as const,
  ),
  [
    "upgrade-disk-is-refused",
    "CORE-UPGRADE-17",
    "plain",
    "`targetDiskName` of the upgrade configuration rejects the name of a listed disk.",
    (at) =>
      at.around("updateUpgradeConfiguration", (call, proceed) => {
        if (call.body["targetDiskName"] !== undefined)
          throw new Refusal(400, "targetDiskName: it is no disk");
        return proceed(call);
      }),
  ],
  [
    "unlimited-retries-are-refused",
    "CORE-UPGRADE-15",
    "subtle",
    "A `retryCount` of 0, which means unlimited, is rejected.",
    (at) =>
      at.around("updateUpgradeConfiguration", (call, proceed) => {
        if (call.body["retryCount"] === 0) throw new Refusal(400, "retryCount: expected 1 or more");
        return proceed(call);
      }),
  ],
  [
    "retry-count-resets-the-interval",
    "CORE-UPGRADE-20",
    "subtle",
    "Setting only `retryCount` also sets `retryInterval` to 9.",
    (at) =>
      at.body("updateUpgradeConfiguration", (body) =>
        body["retryCount"] === undefined ? body : { retryInterval: 9, ...body },
      ),
  ],
  [
    "retry-count-as-text-is-taken",
    "CORE-GENERAL-09",
    "plain",
    "A `retryCount` that is a string is accepted and ignored.",
    accepts("updateUpgradeConfiguration", "retryCount", undefined, (value) => typeof value !== "number"),
  ],
  [
    "upgrade-key-is-shown",
    "CORE-UPGRADE-23",
    "subtle",
    "The upgrade configuration shows the stored key.",
    (at) => {
      let key: unknown;
      at.body("setUpgradeConfiguration", (body, call) => {
        key = call.body["key"] ?? key;
        return body;
      });
      at.data(["getUpgradeConfiguration", "setUpgradeConfiguration"], (data) =>
        key === undefined ? data : { ...data, key },
      );
    },
  ],
  [
    "snapshot-is-enabled-without-support",
    "CORE-UPGRADE-19",
    "plain",
    "`enableSnapshot` is accepted although `isSnapshotSupported` is false.",
    (at) => {
      at.options((options) => ({ ...options, isSnapshotSupported: false }));
      let isEnabled = false;
      at.body("updateUpgradeConfiguration", ({ enableSnapshot, ...body }) => {
        isEnabled = enableSnapshot === undefined ? isEnabled : enableSnapshot === true;
        return body;
      });
      at.data(["getUpgradeConfiguration", "updateUpgradeConfiguration"], (data) => ({
        ...data,
        enableSnapshot: isEnabled,
      }));
    },
  ],
  [
    "client-authentication-on-paper-only",
    "CORE-UPGRADE-69",
    "plain",
    "`enableClientAuth` is returned as given, but no certificate is presented to the download server.",
    onlyShows(
      ["setUpgradeConfiguration", "updateUpgradeConfiguration"],
      "getUpgradeConfiguration",
      "enableClientAuth",
    ),
  ],
  [
    "client-certificate-is-always-presented",
    "CORE-UPGRADE-69",
    "subtle",
    "The client certificate is presented with `enableClientAuth` false as well.",
    (at) => {
      const setters = ["setUpgradeConfiguration", "updateUpgradeConfiguration"] as const;
      let shown: unknown = false;
      at.body(setters, (body) => {
        shown = body["enableClientAuth"] ?? shown;
        return { ...body, enableClientAuth: true };
      });
      at.data(["getUpgradeConfiguration", ...setters], (data) => ({ ...data, enableClientAuth: shown }));
    },
  ],
]);
