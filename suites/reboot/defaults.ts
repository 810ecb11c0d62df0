// What a reset restores: values of the suite's own are gone, and two resets from different values have one result.
import {
  type Answer,
  type CaseContext,
  type Members,
  sameValue,
  type SettingName,
} from "../../harness/index.ts";
import type { MarkedSetting } from "../support/markedSettings.ts";
import { valueAt } from "../support/settingValues.ts";

/** Checks that no telling member of the setting has the value that was written. */
export function verifyReset(
  { verify }: CaseContext,
  requirement: string,
  setting: MarkedSetting,
  now: Members,
  evidence: Answer,
): void {
  if (setting.telling.length === 0) return;
  const told = (members: Members): Members =>
    Object.fromEntries(setting.telling.map((member) => [member, valueAt(members, member)]));
  verify(requirement).that(isReset(setting, now), {
    what: `${setting.what} after a reset of its scope`,
    expected: `each other than ${JSON.stringify(told(setting.value))}`,
    observed: told(now),
    evidence,
  });
}

/** Whether no telling member has the value that was written. */
function isReset({ telling, value }: MarkedSetting, now: Members): boolean {
  return telling.every((member) => !sameValue(valueAt(now, member), valueAt(value, member)));
}

/** The settings after a reset, which are their defaults where no telling member has the value of before. */
export async function defaultsAfter(marked: readonly MarkedSetting[]): Promise<Map<SettingName, Members>> {
  const defaults = new Map<SettingName, Members>();
  for (const setting of marked) {
    // A rig may set listeners at each start, and a gateway may name its own certificate anew.
    if (setting.name === "http-server") continue;
    const now = await setting.read();
    if (isReset(setting, now)) defaults.set(setting.name, now);
  }
  return defaults;
}

/** Checks that a reset has the same result as the one before, from other values of every member. */
export async function verifySameDefaults(
  { verify }: CaseContext,
  requirement: string,
  marked: readonly MarkedSetting[],
  defaults: ReadonlyMap<SettingName, Members>,
  evidence: Answer,
): Promise<void> {
  for (const { name, what, read } of marked) {
    const expected = defaults.get(name);
    if (expected !== undefined)
      verify(requirement).equal(
        await read(),
        expected,
        `${what} after a second reset from other values`,
        evidence,
      );
  }
}

/** Members whose default the interface states. */
const statedDefaults = [
  {
    requirement: "CORE-EVENT-54",
    setting: "event-configuration",
    member: "reachThresholdPolicy",
    value: "rotate",
  },
] as const;

export const statedDefaultRequirements: readonly string[] = statedDefaults.map(
  ({ requirement }) => requirement,
);

/** Checks the stated defaults after a reset of everything, before which every member had another value. */
export async function verifyStatedDefaults(
  { verify }: CaseContext,
  marked: readonly MarkedSetting[],
  evidence: Answer,
): Promise<void> {
  for (const { requirement, setting, member, value } of statedDefaults) {
    const one = marked.find(({ name }) => name === setting);
    if (one === undefined)
      verify(requirement).notApplicable(
        `\`${member}\` after a reset of the scope all`,
        "the profile does not declare it",
      );
    else
      verify(requirement).equal(
        (await one.read())[member],
        value,
        `\`${member}\` of ${one.what} after a reset of the scope all`,
        evidence,
      );
  }
}
