// Every part of a gateway's state: how it is read, and how it is restored, or why it cannot be.
import type { StateDomain } from "../suite/case.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import { readAccounts } from "./accounts.ts";
import { restoreListeners } from "./listeners.ts";
import type { Restore, RestoreSurroundings } from "./restore.ts";
import { type Members, readSetting, type SettingName, unrestored, writeBack } from "./setting.ts";
import { isServiceId } from "../../interface/resources/services.ts";
import { readEventKinds, readServices, switchEventKinds, switchService } from "./switches.ts";

/** A part of the state that can be read. */
export interface ReadableState {
  /** The state that a case must leave unchanged; undefined when it cannot be read. */
  read(gateway: GatewayUnderTest): Promise<Members | undefined>;
  /** `none`: why the interface offers no way. */
  readonly restore: Restore | { readonly none: string };
}

/** A part of the state that is not read, with the reason. */
interface UnreadState {
  readonly unread: string;
}

function wholeSetting(name: Exclude<SettingName, "http-server">): ReadableState {
  return {
    read: (gateway) => readSetting(gateway, name),
    async restore({ gateway }, before) {
      const answer = await writeBack(gateway, name, before, await readSetting(gateway, name));
      if (answer?.accepted === false) return [`${answer.operation} answered ${answer.summary()}`];
      return unrestored(name, before, await readSetting(gateway, name));
    },
  };
}

export const states: Readonly<Record<StateDomain, ReadableState | UnreadState>> = {
  ssh: wholeSetting("ssh"),
  provision: wholeSetting("provision"),
  log: wholeSetting("log"),
  "event-configuration": wholeSetting("event-configuration"),
  "upgrade-configuration": wholeSetting("upgrade-configuration"),
  "reboot-schedule": wholeSetting("reboot-schedule"),
  "http-server": { read: (gateway) => readSetting(gateway, "http-server"), restore: restoreListeners },
  "event-catalogue": {
    read: readEventKinds,
    async restore({ gateway }, before) {
      const answer = await switchEventKinds(gateway, before);
      return answer.accepted ? [] : [`${answer.operation} answered ${answer.summary()}`];
    },
  },
  services: { read: readServices, restore: restoreServices },
  accounts: {
    read: readAccounts,
    restore: { none: "passwords cannot be read, and an account without its password is another account" },
  },
  apps: { unread: "the state of apps changes without a request" },
  configuration: { unread: "uploaded files are not listed by any operation" },
  "event-log": { unread: "events are added without a request, and no operation of Core 2.3.0 removes them" },
  "sign-in-failures": { unread: "no operation shows them" },
  "upgrade-jobs": { unread: "no operation of Core 2.3.0 removes a job; cases remove theirs by an extension" },
  "virtual-tags": { unread: "a case removes the tags that it created" },
  "field-devices": { unread: "a part of the rig; each case restores its points" },
  everything: { unread: "every part that can be read is read in its place" },
};

export const stateDomains = Object.keys(states) as StateDomain[];

/** The readable state of a domain; undefined for one that is not read. */
export function readableState(domain: StateDomain): ReadableState | undefined {
  const state = states[domain];
  return "read" in state ? state : undefined;
}

/** Switches only services that the profile permits: another could disconnect the harness or the field. */
async function restoreServices(
  { gateway, profile }: RestoreSurroundings,
  before: Members,
): Promise<readonly string[]> {
  const now = await readServices(gateway);
  const reasons: string[] = [];
  for (const [id, enable] of Object.entries(before)) {
    if (now === undefined || now[id] === enable || typeof enable !== "boolean") continue;
    if (!isServiceId(id) || !profile.switchableServices.includes(id)) {
      reasons.push(`${id} is not among switchableServices of the profile`);
      continue;
    }
    const answer = await switchService(gateway, id, enable);
    if (!answer.accepted) reasons.push(`${answer.operation} for ${id} answered ${answer.summary()}`);
  }
  return reasons;
}
