// Values that mean unlimited, across a reboot: a gateway may treat them as values that were never set.
import { type CaseContext, type Members, type SettingName, writeSetting } from "../../harness/index.ts";
import type { MarkedSetting } from "../support/markedSettings.ts";

const unlimited: Partial<Record<SettingName, readonly [member: string, value: number]>> = {
  log: ["timeToLiveSec", 0],
  "event-configuration": ["timeToLiveSec", -1],
  "upgrade-configuration": ["retryCount", 0],
};

/** Writes them; a setting that stores one has the word in place of each value that means unlimited. */
export async function withUnlimited(
  { gateway }: CaseContext,
  marked: readonly MarkedSetting[],
): Promise<readonly MarkedSetting[]> {
  const settings: MarkedSetting[] = [];
  for (const one of marked) {
    const [member, value] = unlimited[one.name] ?? [];
    settings.push(member === undefined ? one : await storing(one, member, value));
  }
  return settings;

  async function storing(one: MarkedSetting, member: string, value: unknown): Promise<MarkedSetting> {
    const answer = await writeSetting(gateway, one.name, { ...one.value, [member]: value });
    const isUnlimited = (members: Members): boolean => Number(members[member]) <= 0;
    const inWords = (members: Members): Members =>
      isUnlimited(members) ? { ...members, [member]: "unlimited" } : members;
    const now = await one.read();
    if (answer.accepted && isUnlimited(now))
      return { ...one, value: inWords(now), read: async () => inWords(await one.read()) };
    // Which form a gateway accepts and shows is tested by other cases.
    await writeSetting(gateway, one.name, one.value);
    return { ...one, value: await one.read() };
  }
}
