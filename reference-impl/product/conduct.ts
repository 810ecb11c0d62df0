// What a product does where the interface leaves the choice to it.
import type { ResetScope } from "../../interface/resources/reboot.ts";

/** How the wall clock follows a time server. */
export interface ClockConduct {
  /** `at boot`: only the first answer counts; `forwards`: it is never set back; the first answer always counts. */
  readonly follows: "always" | "forwards" | "at boot" | "never";
  /** Differences from this on are taken for an error of the server. */
  readonly refusesFromMs: number;
  /** The clock is set by at most this at each answer. */
  readonly mostStepMs: number;
}

export interface Conduct {
  /** Modbus points are read no more often than this, whatever their settings say. */
  readonly shortestPollMs: number;
  /** How long the gateway waits before it asks a lost field device again: doubled from the shortest to the longest. */
  readonly fieldRetryMs: { readonly shortest: number; readonly longest: number };
  /** Whether a user's sign-ins end when the password changes. */
  readonly endsSessionsWithPassword: boolean;
  /** Whether they end when the user gets other roles. */
  readonly endsSessionsWithRoles: boolean;
  /** What names of users and roles consist of. */
  readonly nameRule: RegExp;
  /** Whether a service whose part is missing can be enabled. */
  readonly enablesUnavailable: boolean;
  /** Scopes whose reset takes effect without a reboot. */
  readonly scopesInPlace: ReadonlySet<ResetScope>;
  /** The event recorded as number n has the id `base + n * step`. */
  readonly eventIds: { readonly base: number; readonly step: number };
  /** Resolution of the times that the gateway gives to events. */
  readonly eventTimeStepMs: number;
  /** How long after its answer a created entry is in the log. */
  readonly recordsAfterMs: number;
  /** How long after its answer a change of the event kinds takes effect. */
  readonly eventKindsFollowAfterMs: number;
  /** Whether an entry that is not recorded, because the log is off or full, is rejected. */
  readonly rejectsLostEvents: boolean;
  /** Whether the age of an event counts from its arrival, after a boot from then, in place of its createdAt. */
  readonly agesFromArrival: boolean;
  /** Whether an event that has become too old is hidden as long as it is, and not removed. */
  readonly hidesOldEvents: boolean;
  /** Whether a job with a download or an installation begins by itself. */
  readonly beginsJobs: boolean;
  /** Whether a download fails whose file is no system package. */
  readonly checksDownloads: boolean;
  /** How many times longer the transitions of apps take than by default. */
  readonly appSlowness: number;
  /** Whether keywords for events fit a part of a category or name, in capitals or not. */
  readonly keywordsFitParts: boolean;
  /** When a listener that was moved or switched off closes, after the request. */
  readonly listenersCloseAfterMs: number;
  /** Whether an app must be stopped before it is uninstalled, and stays in the list as uninstalled. */
  readonly keepsAppEntries: boolean;
  /** Whether a reset of the scope `job` also resets the reboot schedule. */
  readonly countsRebootsAsJobs: boolean;
  /** IANA name of the time zone in which crontab fields are meant. */
  readonly timeZone: string;
  readonly clock: ClockConduct;
  /** Whether a reboot that became due while the clock was set forward is made up for. */
  readonly makesUpForReboots: boolean;
}

export const plainConduct: Conduct = {
  shortestPollMs: 0,
  fieldRetryMs: { shortest: 200, longest: 2000 },
  endsSessionsWithPassword: true,
  endsSessionsWithRoles: false,
  nameRule: /^[\p{L}\p{N}][\p{L}\p{N}+=,.@_-]*$/u,
  enablesUnavailable: false,
  // They only clear data.
  scopesInPlace: new Set(["eventlog", "journald", "job"]),
  eventIds: { base: 0, step: 1 },
  eventTimeStepMs: 1,
  recordsAfterMs: 0,
  eventKindsFollowAfterMs: 0,
  rejectsLostEvents: true,
  agesFromArrival: false,
  hidesOldEvents: false,
  beginsJobs: true,
  checksDownloads: false,
  appSlowness: 1,
  keywordsFitParts: false,
  listenersCloseAfterMs: 20,
  keepsAppEntries: false,
  countsRebootsAsJobs: false,
  timeZone: "UTC",
  clock: { follows: "always", refusesFromMs: Number.POSITIVE_INFINITY, mostStepMs: Number.POSITIVE_INFINITY },
  makesUpForReboots: true,
};
