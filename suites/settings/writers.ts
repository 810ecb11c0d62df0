// The operations that write settings, with the requirement that each member is stored.
import { setting, settingNames, type SettingName } from "../../harness/index.ts";
import { behaviour } from "../../interface/behaviour/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { settingValues } from "../support/settingValues.ts";

export interface SettingWriter {
  readonly setting: SettingName;
  readonly operation: OperationId;
  /** True where members that are not sent keep their values. */
  readonly isPartial: boolean;
  /** Requirement that members that are not sent stay unchanged. */
  readonly keeps?: string;
  /** Requirement that a rejected request changes no setting. */
  readonly rejects?: string;
  /** Requirements that members are stored as sent, where the data about the operation's effect has none. */
  readonly stores: Readonly<Record<string, string>>;
}

const fileNames = (requirement: string): Record<string, string> => ({
  caName: requirement,
  certFileName: requirement,
  keyFileName: requirement,
});

/** What the data about the effects of operations does not describe. */
const described: Partial<Record<OperationId, Partial<SettingWriter>>> = {
  setProvision: { rejects: "CORE-PROVISION-12" },
  setLog: { stores: { targetDiskName: "CORE-LOG-10" }, rejects: "CORE-LOG-26" },
  setEventConfiguration: { stores: { enable: "CORE-EVENT-48" } },
  setReboot: { stores: { at: "CORE-REBOOT-14", enableScheduler: "CORE-REBOOT-18" } },
  updateHttpServer: {
    stores: fileNames("CORE-HTTP-13"),
    keeps: "CORE-HTTP-09",
  },
  updateUpgradeConfiguration: {
    stores: { enableClientAuth: "CORE-UPGRADE-72" },
    rejects: "CORE-UPGRADE-21",
  },
  setUpgradeConfiguration: {
    stores: {
      ...Object.fromEntries(
        Object.keys(settingValues["upgrade-configuration"].members).map((one) => [one, "CORE-UPGRADE-22"]),
      ),
      ...fileNames("CORE-UPGRADE-23"),
    },
  },
};

/** The form of Set configuration of the HTTP server is left to the cases about listeners, which follow them. */
const furtherWriters: Partial<Record<SettingName, OperationId>> = {
  "upgrade-configuration": "setUpgradeConfiguration",
};

export const settingWriters: readonly SettingWriter[] = settingNames.flatMap((name) => {
  const { write, isPartial } = setting(name);
  const further = furtherWriters[name];
  // The whole set first: it sends the files that other members need.
  return [...(further === undefined ? [] : [writer(name, further, false)]), writer(name, write, isPartial)];
});

function writer(name: SettingName, operation: OperationId, isPartial: boolean): SettingWriter {
  const { stores = {}, ...rest } = described[operation] ?? {};
  const { stores: known = {}, keeps } = behaviour(operation) ?? {};
  return {
    setting: name,
    operation,
    isPartial,
    stores: { ...known, ...stores },
    ...(keeps === undefined ? {} : { keeps }),
    ...rest,
  };
}

/** Requirements that writing the setting decides. */
export function requirementsOf({ setting: name, stores, keeps, rejects }: SettingWriter): string[] {
  const stored = Object.entries(settingValues[name].members).flatMap(([member, { kind }]) =>
    kind === "fixed" || stores[member] === undefined ? [] : [stores[member]],
  );
  return [...new Set([...stored, ...[keeps, rejects].filter((one) => one !== undefined)])];
}
