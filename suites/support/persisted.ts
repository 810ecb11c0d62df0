// Settings after a reboot: each is unchanged.
import { type CaseContext, type SettingName, setting, settingNames } from "../../harness/index.ts";
import type { MarkedSetting } from "./markedSettings.ts";

/** The requirements that each setting decides after the reboot. */
export const persistence: Readonly<Record<SettingName, readonly string[]>> = {
  ssh: ["CORE-SERVICE-30"],
  provision: ["CORE-PROVISION-11"],
  log: ["CORE-LOG-28"],
  "reboot-schedule": ["CORE-REBOOT-19"],
  "upgrade-configuration": ["CORE-UPGRADE-16", "CORE-UPGRADE-71"],
  "event-configuration": ["CORE-EVENT-77"],
  "http-server": ["CORE-HTTP-24"],
};
export const notDeclared = "the profile does not declare it";
export const settingsBesideSchedule = settingNames.filter((name) => name !== "reboot-schedule");

/** Checks the settings after the reboot; those that the profile does not declare are not applicable. */
export async function verifyPersisted(
  { verify }: CaseContext,
  marked: readonly MarkedSetting[],
  names: readonly SettingName[],
): Promise<void> {
  for (const name of names) {
    const one = marked.find((setting) => setting.name === name);
    const now = await one?.read();
    for (const requirement of persistence[name]) {
      if (one === undefined)
        verify(requirement).notApplicable(`${setting(name).read} after the reboot`, notDeclared);
      else verify(requirement).equal(now, one.value, `${one.what} after the reboot`);
    }
  }
}
