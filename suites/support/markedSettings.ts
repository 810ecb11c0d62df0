// Settings of several groups with values that no default is likely to have, so that a case can see which of them a
// reset, a reboot or an applied configuration has changed.
import {
  type Answer,
  type CaseContext,
  type Members,
  type SettingName,
  membersOf,
  scheduleBody,
  setting,
  writeSetting,
} from "../../harness/index.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { farMonth } from "./rebootSchedule.ts";

export type MarkedName = "ssh" | "provision" | "reboot" | "log" | "upgrade" | "events";

/** A setting that was changed to a value of its own; it is restored when the case ends. */
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

/** How one member of a setting is marked. */
interface Mark {
  readonly setting: SettingName;
  readonly what: string;
  /** The marked part of a reading, in the form that is compared. */
  readonly part: (members: Members) => unknown;
  /** The members to write for a number: all of them, or those that a partial write changes. */
  readonly mark: (before: Members, number: number, epochMs: number) => Members;
}

const marks: Readonly<Record<MarkedName, Mark>> = {
  ssh: {
    setting: "ssh",
    what: "the SSH port",
    part: ({ port }) => port,
    mark: (before, port) => ({ ...before, port }),
  },
  provision: {
    setting: "provision",
    what: "disableAfterSec of provisioning",
    part: ({ schedule }) => memberOf(schedule, "disableAfterSec"),
    mark: (before, disableAfterSec) => ({ ...before, schedule: { enable: false, disableAfterSec } }),
  },
  reboot: {
    setting: "reboot-schedule",
    what: "the reboot schedule",
    part: ({ at, enableScheduler }) => ({ at: scheduleBody({ at }).at, enableScheduler }),
    mark: (_before, number, epochMs) => ({
      at: {
        minute: String(number % 60),
        hour: String(number % 23),
        day: String((number % 27) + 1),
        month: String(farMonth(epochMs)),
        dayOfWeek: "*",
      },
      enableScheduler: true,
    }),
  },
  log: {
    setting: "log",
    what: "timeToLiveSec of the log",
    part: ({ timeToLiveSec }) => timeToLiveSec,
    mark: (before, number) => ({ ...before, timeToLiveSec: number * 10 }),
  },
  events: {
    setting: "event-configuration",
    what: "timeToLiveSec of the event log",
    part: ({ timeToLiveSec }) => timeToLiveSec,
    // Long enough that no event is removed, whether the time to live counts or not.
    mark: (before, number) => ({ ...before, timeToLiveSec: number * 10_000 }),
  },
  upgrade: {
    setting: "upgrade-configuration",
    what: "retryInterval of upgrades",
    part: ({ retryInterval }) => retryInterval,
    mark: (_before, retryInterval) => ({ retryInterval }),
  },
};

/** Marks those of the settings that the profile declares. Unmet when one cannot be set. */
export async function markSettings(
  context: CaseContext,
  names: readonly MarkedName[],
): Promise<MarkedSetting[]> {
  const marked: MarkedSetting[] = [];
  for (const name of names.filter((one) => context.declares(setting(marks[one].setting).capability))) {
    marked.push(await markSetting(context, name));
  }
  return marked;
}

async function markSetting(context: CaseContext, name: MarkedName): Promise<MarkedSetting> {
  const { gateway, scratch, random, clock } = context;
  const { setting: of, what, part, mark } = marks[name];
  const read = async (): Promise<Members> =>
    requiredMembers(of, await gateway.admin.callChecked(setting(of).read));
  const before = await read();
  scratch.undo(what, () =>
    writeSetting(gateway, of, pick(before, Object.keys(mark(before, 0, clock.epochMs())))),
  );
  const change = async (): Promise<MarkedSetting> => {
    const members = mark(before, random.integer(20_011, 60_011), clock.epochMs());
    const answered = requiredMembers(of, await writeSetting(gateway, of, members));
    const value = part(name === "ssh" ? answered : members);
    return { name, what, scope: setting(of).resetScope, read: async () => part(await read()), change, value };
  };
  return change();
}

/** The members in an answer; Unmet when it was rejected or has another shape. */
function requiredMembers(name: SettingName, answer: Answer): Members {
  return membersOf(name, answer.body()) ?? {};
}

function pick(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

function memberOf(value: unknown, name: string): unknown {
  return new Map<string, unknown>(Object.entries(value ?? {})).get(name);
}
