// Faults of the upgrade configuration.
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { Store } from "../../reference-impl/store/store.ts";
import { type Fault, faults } from "./fault.ts";
import { doesNotStore, onlyShows, accepts } from "./habits.ts";

const setters = ["setUpgradeConfiguration", "updateUpgradeConfiguration"] as const;

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
    onlyShows(setters, "getUpgradeConfiguration", "enableClientAuth"),
  ],
  [
    "client-certificate-is-always-presented",
    "CORE-UPGRADE-69",
    "subtle",
    "The client certificate is presented with `enableClientAuth` false as well.",
    (at) => {
      let shown: unknown = false;
      at.body(setters, (body) => {
        shown = body["enableClientAuth"] ?? shown;
        return { ...body, enableClientAuth: true };
      });
      at.data(["getUpgradeConfiguration", ...setters], (data) => ({ ...data, enableClientAuth: shown }));
    },
  ],
  [
    "upgrade-disks-are-refused",
    "CORE-UPGRADE-14",
    "subtle",
    "A set of the upgrade configuration that has `disks` is rejected.",
    (at) =>
      at.around(setters, (call, proceed) => {
        if (call.body["disks"] !== undefined) throw new Refusal(400, "disks: cannot be set");
        return proceed(call);
      }),
  ],
  [
    "upgrade-form-stores-files-only",
    "CORE-UPGRADE-22",
    "subtle",
    "Set upgrade configuration as a form stores the certificates and ignores `retryCount` and `retryInterval`.",
    (at) =>
      at.body("setUpgradeConfiguration", (body, { headers }) => {
        const { retryCount: _count, retryInterval: _interval, ...others } = body;
        return String(headers["content-type"]).startsWith("multipart/") ? others : body;
      }),
  ],
  [
    "client-certificate-is-deleted-with-its-use",
    "CORE-UPGRADE-69",
    "subtle",
    "`enableClientAuth` false deletes the client certificate, whose name is still shown.",
    (at) => {
      let isDeleted = false;
      at.around(setters, (call, proceed) => {
        if (call.body["enableClientAuth"] === false) isDeleted = true;
        else if (call.body["cert"] !== undefined || call.files.length > 0) isDeleted = false;
        return proceed(call);
      });
      at.download((download) => (transfer) => {
        const { cert: _cert, key: _key, ...others } = transfer.tls;
        return download(isDeleted ? { ...transfer, tls: others } : transfer);
      });
    },
  ],
  [
    "upgrade-member-set-alone-is-lost-at-boot",
    "CORE-UPGRADE-16",
    "subtle",
    "A reboot loses what *Set upgrade configuration partially* changed with a single member.",
    (at) => {
      let stored: Store | undefined;
      at.boot((store) => {
        stored = store;
        store.run("CREATE TABLE IF NOT EXISTS whole_upgrade (value TEXT NOT NULL)");
        store.run(
          "UPDATE setting SET value = (SELECT value FROM whole_upgrade) WHERE name = 'upgrade' AND EXISTS (SELECT 1 FROM whole_upgrade)",
        );
      });
      at.around(setters, async (call, proceed) => {
        const isAlone = Object.keys(call.body).length === 1 && call.files.length === 0;
        if (isAlone)
          stored?.run(
            "INSERT INTO whole_upgrade SELECT value FROM setting WHERE name = 'upgrade' AND NOT EXISTS (SELECT 1 FROM whole_upgrade)",
          );
        else stored?.run("DELETE FROM whole_upgrade");
        return proceed(call);
      });
    },
  ],
  [
    "retry-interval-is-kept-beside-another-count",
    "CORE-UPGRADE-16",
    "subtle",
    "A reboot resets `retryInterval` where `retryCount` has its default.",
    (at) =>
      at.boot((store) => {
        store.run(
          "UPDATE setting SET value = json_set(value, '$.retryInterval', 5) WHERE name = 'upgrade' AND json_extract(value, '$.retryCount') = 3",
        );
      }),
  ],
  [
    "whole-set-leaves-client-authentication-on",
    "CORE-UPGRADE-69",
    "subtle",
    "`enableClientAuth` false in *Set upgrade configuration* is shown, and the client certificate is still presented.",
    (at) => {
      let isShownOff = false;
      at.body("setUpgradeConfiguration", ({ enableClientAuth, ...body }) => {
        isShownOff = enableClientAuth === false;
        return isShownOff ? body : { ...body, enableClientAuth };
      });
      at.body("updateUpgradeConfiguration", (body) => {
        if (body["enableClientAuth"] !== undefined) isShownOff = false;
        return body;
      });
      at.data(["getUpgradeConfiguration", ...setters], (data) =>
        isShownOff ? { ...data, enableClientAuth: false } : data,
      );
    },
  ],
  [
    "retry-presents-no-client-certificate",
    "CORE-UPGRADE-69",
    "subtle",
    "The retry of a failed download presents no client certificate.",
    (at) =>
      at.download((download) => {
        const failed = new Set<string>();
        return async (transfer) => {
          const { cert: _cert, key: _key, ...others } = transfer.tls;
          await download(failed.has(transfer.url) ? { ...transfer, tls: others } : transfer).catch(
            (thrown: unknown) => {
              failed.add(transfer.url);
              throw thrown;
            },
          );
        };
      }),
  ],
  [
    "client-certificate-is-lost-at-boot",
    "CORE-UPGRADE-69",
    "subtle",
    "Downloads present no client certificate after a reboot, while its name is still shown.",
    (at) =>
      at.boot((store) =>
        store.run(
          "UPDATE setting SET value = json_set(value, '$.certificatePem', '', '$.keyPem', '') WHERE name = 'upgrade'",
        ),
      ),
  ],
]);
