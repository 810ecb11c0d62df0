// Settings of several groups, each given a value that no default is likely to have, so that a case can see which of
// them a reset, a reboot or an applied configuration has changed.
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";
import type { CaseContext } from "../../harness/index.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { asBefore, crontabOf, farMonth } from "./rebootSchedule.ts";

export type MarkedName = "ssh" | "provision" | "reboot" | "log" | "upgrade" | "events";

/** A setting that was changed to a value of its own; it is put back when the case ends. */
export interface MarkedSetting {
  readonly name: MarkedName;
  /** The member in words. */
  readonly what: string;
  /** The reset scope it belongs to; undefined where the interface does not say. */
  readonly scope: ResetScope | undefined;
  readonly value: unknown;
  /** What it is now; Unmet when it cannot be read. */
  readonly read: () => Promise<unknown>;
  /** Gives it another value that no default is likely to have. */
  readonly change: () => Promise<MarkedSetting>;
}

type Prepared = Pick<MarkedSetting, "what" | "scope" | "read"> & {
  /** Sets the value made from the number; answers what is then to be read. */
  readonly set: (number: number) => Promise<unknown>;
  readonly restore: () => Promise<unknown>;
};

const prepare: Readonly<Record<MarkedName, (context: CaseContext) => Promise<Prepared>>> = {
  async ssh({ gateway: { admin } }) {
    const before = (await admin.call("getSsh")).data();
    return {
      what: "the SSH port",
      scope: "sshserver",
      read: async () => (await admin.call("getSsh")).data().port,
      set: async (port) =>
        (await admin.call("setSsh", { json: { enable: before.enable, port } })).data().port,
      restore: () => admin.call("setSsh", { json: { enable: before.enable, port: before.port } }),
    };
  },
  async provision({ gateway: { admin } }) {
    const { enable, schedule } = (await admin.call("getProvision")).data();
    return {
      what: "disableAfterSec of provisioning",
      scope: "provision",
      read: async () => (await admin.call("getProvision")).data().schedule.disableAfterSec,
      async set(disableAfterSec) {
        const json = { enable, schedule: { enable: false, disableAfterSec } };
        (await admin.call("setProvision", { json })).data();
        return disableAfterSec;
      },
      restore: () => admin.call("setProvision", { json: { enable, schedule } }),
    };
  },
  async reboot({ gateway: { admin }, clock }) {
    const before = (await admin.call("getReboot")).data();
    const month = farMonth(clock.epochMs());
    return {
      what: "the reboot schedule",
      scope: "reboot",
      async read() {
        const { at, enableScheduler } = (await admin.call("getReboot")).data();
        return { at: crontabOf(at), enableScheduler };
      },
      async set(number) {
        const at = `${number % 60} ${number % 23} ${(number % 27) + 1} ${month} *`;
        (await admin.call("setReboot", { json: { at, enableScheduler: true } })).data();
        return { at, enableScheduler: true };
      },
      restore: () => admin.call("setReboot", { json: asBefore(before) }),
    };
  },
  async log({ gateway: { admin } }) {
    const {
      disks: _disks,
      desiredDiskCacheSizeMB,
      timeToLiveSec,
      ...rest
    } = (await admin.call("getLog")).data();
    const whole = (seconds: number): object => ({
      ...rest,
      desiredDiskCacheSizeMB: String(desiredDiskCacheSizeMB),
      timeToLiveSec: seconds,
    });
    return {
      what: "timeToLiveSec of the log",
      scope: undefined,
      read: async () => (await admin.call("getLog")).data().timeToLiveSec,
      async set(number) {
        (await admin.call("setLog", { json: whole(number * 10) })).data();
        return number * 10;
      },
      restore: () => admin.call("setLog", { json: whole(timeToLiveSec) }),
    };
  },
  async events({ gateway: { admin } }) {
    const {
      disks: _disks,
      desiredDiskCacheSizeMB,
      timeToLiveSec,
      ...rest
    } = (await admin.call("getEventConfiguration")).data();
    const whole = (seconds: number): object => ({
      ...rest,
      desiredDiskCacheSizeMB: String(desiredDiskCacheSizeMB),
      timeToLiveSec: seconds,
    });
    return {
      what: "timeToLiveSec of the event log",
      scope: "eventlog",
      read: async () => (await admin.call("getEventConfiguration")).data().timeToLiveSec,
      async set(number) {
        // So long that nothing is removed, whether the time to live counts or not.
        (await admin.call("setEventConfiguration", { json: whole(number * 10_000) })).data();
        return number * 10_000;
      },
      restore: () => admin.call("setEventConfiguration", { json: whole(timeToLiveSec) }),
    };
  },
  async upgrade({ gateway: { admin } }) {
    const { retryInterval } = (await admin.call("getUpgradeConfiguration")).data();
    return {
      what: "retryInterval of upgrades",
      scope: "upgrade",
      read: async () => (await admin.call("getUpgradeConfiguration")).data().retryInterval,
      async set(number) {
        (await admin.call("updateUpgradeConfiguration", { json: { retryInterval: number } })).data();
        return number;
      },
      restore: () => admin.call("updateUpgradeConfiguration", { json: { retryInterval } }),
    };
  },
};

const capabilityOf: Readonly<Record<MarkedName, CapabilityId>> = {
  ssh: "ssh",
  provision: "provision",
  reboot: "reboot",
  log: "log",
  upgrade: "upgrade",
  events: "events",
};

/** Marks those of the settings that the profile declares. Unmet when one cannot be set. */
export async function markSettings(
  context: CaseContext,
  names: readonly MarkedName[],
): Promise<MarkedSetting[]> {
  const marked: MarkedSetting[] = [];
  for (const name of names.filter((one) => context.declares(capabilityOf[one]))) {
    const { what, scope, read, set, restore } = await prepare[name](context);
    context.scratch.undo(what, restore);
    const change = async (): Promise<MarkedSetting> => ({
      name,
      what,
      scope,
      read,
      change,
      value: await set(context.random.integer(20_011, 60_011)),
    });
    marked.push(await change());
  }
  return marked;
}
