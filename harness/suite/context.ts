// What a case can use. Everything from outside reaches a case through here and is recorded.
import type {
  ClockControl,
  TimeControl,
  FieldRack,
  FieldServers,
  NetworkControl,
  PowerControl,
  StorageControl,
} from "../../rigs/index.ts";
import type { Clock } from "../clock.ts";
import type { GatewayUnderTest, Session } from "./gatewayUnderTest.ts";
import type { Answer } from "../transport/answer.ts";
import type { Evidence } from "../transport/evidence.ts";
import type { Outside } from "../transport/outside.ts";
import type { Cadence, Counted, LoadTrial, NotApplicableCode } from "../../record/index.ts";
import type { Band, Interval } from "../measurement/interval.ts";
import type { ObserverInterval } from "../measurement/observer.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { Profile } from "../profile/profile.ts";
import type { Random } from "./random.ts";

/** Checks against one requirement. Each records what was expected and observed, and answers whether it passed. */
export interface Verify {
  /** The answer is a success (2xx). */
  accepted(answer: Answer): boolean;
  /**
   * The answer is a client error (4xx), one of `statuses` when some are named. Name a status only where the
   * interface states it; otherwise any 4xx is accepted.
   */
  refused(answer: Answer, ...statuses: number[]): boolean;
  /** Deep equality; bigint and number of the same value are equal. `what` names the thing in words. */
  equal(observed: unknown, expected: unknown, what: string, evidence?: Evidence): boolean;
  /** Any condition; `expected` in words. */
  that(
    holds: boolean,
    facts: {
      what: string;
      expected: string;
      observed: unknown;
      evidence?: Evidence;
      /** The requirement is about answering: a missing answer is the observation, and does not make it inconclusive. */
      isAboutAnswering?: boolean;
    },
  ): boolean;
  /** The gateway or its rack offers no value to check the requirement with; the reason names what is missing. */
  notApplicable(what: string, reason: string): void;
  /** The answer is a success and its JSON body has the shape the interface gives the operation's answer. */
  shape(answer: Answer): boolean;
  /** Guarded acceptance of a measured interval; a straddled limit is inconclusive. */
  within(
    measurement: {
      name: string;
      unit: string;
      interval: Interval;
      limits: Band;
      observers: readonly string[];
      seenBy?: readonly ObserverInterval[];
    },
    evidence?: Evidence,
  ): boolean;
}

/** What a temporary user is made from. */
export interface ScratchRole {
  readonly id: number;
  readonly name: string;
  readonly permissions: readonly string[];
}

export interface ScratchUserOptions {
  /** Permissions of a fresh role of its own; default none, or as few as the gateway takes. */
  readonly permissions?: readonly string[];
  /** Ids of the roles to give, in place of a role of its own. */
  readonly roles?: readonly [number, ...number[]];
  readonly isActive?: boolean;
  readonly expiredAfter?: string;
  /** Text behind the name; default none. */
  readonly suffix?: string;
}

export interface ScratchUser {
  readonly id: number;
  readonly name: string;
  readonly password: string;
  readonly roleId: number;
  /** Those of the role of its own. */
  readonly permissions: readonly string[];
  /** Signs in as this user; throws Unmet when that is rejected. */
  readonly signIn: () => Promise<Session>;
}

/** Makes what a case needs and removes it (or puts it out of use) when the case ends, however it ends. */
export interface Scratch {
  /** A name nobody else uses, recognisable as the suite's: at most 40 characters. */
  name(kind: string): string;
  /**
   * A role with the permissions and the text behind its name and description; throws Unmet when it cannot be made. Where a
   * gateway takes no role without permissions, it has one that manages no accounts: `permissions` tells.
   */
  role(permissions: readonly string[], texts?: { name?: string; description?: string }): Promise<ScratchRole>;
  user(options?: ScratchUserOptions): Promise<ScratchUser>;
  /** A virtual tag of the type; its provider is the profile's for virtual tags. */
  virtualTag(options: {
    dataType: string;
    access?: "r" | "w" | "rw";
    dataSize?: number;
    dataUnit?: string;
    suffix?: string;
  }): Promise<{
    prvdName: string;
    srcName: string;
    tagName: string;
    path: { provider: string; source: string; tag: string };
  }>;
  /** Removes the virtual tag once the case ends, where it still exists. */
  removeTagLater(tag: {
    readonly prvdName: string;
    readonly srcName: string;
    readonly tagName: string;
  }): void;
  /** Where the interface removes no accounts: registers that this one is for reuse, and without effect, once the case ends. */
  leaveLater(kind: "role" | "user", account: { readonly id: number; readonly name: string }): void;
  /** Registers what must be undone; run in reverse order, before anything the planner restores. */
  undo(what: string, action: () => Promise<unknown>): void;
}

export interface CaseContext {
  readonly gateway: GatewayUnderTest;
  /** The field devices around the gateway; ends the case as not applicable where there are none. */
  readonly field: FieldRack;
  /** The gateway's power; ends the case as not applicable where the rig does not switch it. */
  readonly power: PowerControl;
  /** The gateway's network; ends the case as not applicable where the rig cannot cut it. */
  readonly network: NetworkControl;
  /** The gateway's disk and clock; end the case as not applicable where the rig does not control them. */
  readonly storage: StorageControl;
  readonly gatewayClock: ClockControl;
  readonly time: TimeControl;
  /** Servers of the gateway for the plant, from the rack file. */
  readonly servers: FieldServers;
  readonly profile: Profile;
  readonly level: CampaignLevel;
  readonly random: Random;
  readonly clock: Clock;
  /** Date header of the gateway's last answer to the case; undefined where it sends none. */
  readonly lastDate: () => string | undefined;
  /** Reaches what is neither the gateway's interface nor a part of the rig. */
  readonly outside: Outside;
  readonly scratch: Scratch;
  /** Aborted when the case's deadline passes or the campaign is interrupted. */
  readonly signal: AbortSignal;
  /** Checks against the requirement with this id, which the case must list. */
  readonly verify: (requirement: string, field?: string) => Verify;
  /** Records a measurement without a limit for the report. */
  readonly measure: (measurement: {
    readonly name: string;
    readonly unit: string;
    readonly interval: Interval;
    readonly observers: readonly string[];
    readonly seenBy?: readonly ObserverInterval[];
  }) => void;
  /** Records figures for the report's charts; they affect no verdict. */
  readonly keep: {
    distribution(name: string, unit: string, values: Iterable<Counted>): void;
    loadTrial(trial: LoadTrial): void;
    cadence(cadence: Cadence): void;
  };
  /** Whether the profile declares the capability, for parts of a case. */
  readonly declares: (capability: CapabilityId) => boolean;
  /** Ends the case as inconclusive: a precondition was not met. */
  readonly unmet: (reason: string) => never;
  /** There and back for a packet on a line that is impaired from the start; 0 on any other. */
  readonly roundTripMs: number;
  /** Delay in milliseconds that this machine may have added to programs on it since the case began; usually 0. */
  readonly hostDelayMs: () => number;
  /** Ends the case as not applicable; without a code: the gateway itself reports that it does not offer the feature. */
  readonly notApplicable: (reason: string, code?: NotApplicableCode) => never;
  /** A remark for the report; it affects no verdict. */
  readonly note: (text: string) => void;
  /**
   * Repeats the probe until it answers something other than undefined; after the deadline throws Unmet with what was
   * expected and the last value seen.
   */
  readonly waitFor: <T>(
    what: string,
    probe: () => Promise<T | undefined> | T | undefined,
    limits?: { deadlineMs?: number; everyMs?: number; lastSeen?: () => unknown },
  ) => Promise<T>;
}
