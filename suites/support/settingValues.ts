// Values that the suite writes to the members of settings. Each differs from the present one and leaves the gateway
// reachable; a member that is never changed has its reason here.
import type { Members, SettingName } from "../../harness/index.ts";
import type { CrontabFields } from "../../interface/resources/reboot.ts";
import { farMonth } from "./rebootSchedule.ts";

/** Which other values a member can be given. */
export type MemberValues =
  | {
      readonly kind: "flag";
      /** Member that must be true for this one to be changed. */
      readonly needs?: string;
    }
  | {
      readonly kind: "number";
      readonly from: number;
      readonly to: number;
      /** Range for a gateway that rejects the usual one, because its limits are not stated. */
      readonly smaller?: readonly [from: number, to: number];
      /** Values that show a narrower integer; a gateway may have a limit below them and reject them. */
      readonly wide?: readonly number[];
      /** The values from which on it means unlimited, all of which a gateway accepts. */
      readonly unlimited?: readonly number[];
      /** Other members that are written beside a 0, where its effect with their present values is not stated. */
      readonly besideZero?: Members;
      /** Whether it is a port, which another listener of the gateway may have taken. */
      readonly isPort?: boolean;
    }
  /** A number near the present one, because its limits are not stated; `wide` as above. */
  | { readonly kind: "near"; readonly wide: readonly number[] }
  | { readonly kind: "word"; readonly words: readonly string[] }
  /** The name of another listed disk. */
  | { readonly kind: "disk" }
  | { readonly kind: "crontab" }
  /** Port of the listener that the harness does not use. */
  | { readonly kind: "listener"; readonly scheme: "http" | "https" }
  /** Name of a file that is sent with its content. */
  | { readonly kind: "file"; readonly content: "ca" | "cert" | "key"; readonly name: string }
  | { readonly kind: "fixed"; readonly why: string };

export interface SettingValues {
  /** The setting in words. */
  readonly what: string;
  readonly members: Readonly<Record<string, MemberValues>>;
  /** Members whose written value no default is likely to equal. */
  readonly telling: readonly string[];
}

const flag = { kind: "flag" } as const;
/** Decades, because a shorter time to live would remove entries of the gateway's user. */
const timeToLive = {
  kind: "number",
  from: 700_000_000,
  to: 900_000_000,
  smaller: [20_000_000, 31_000_000],
  wide: [3_000_000_000, 5_000_000_007],
  unlimited: [0, -1, -2_000_000_011],
} as const;
/** In fewer bits each of the wide values is less than any size in use. */
const cacheSize = { kind: "near", wide: [65_537, 2_147_483_649, 4_294_967_297] } as const;
const switched = {
  kind: "fixed",
  why: "a listener that is switched off may be the one in use; the cases about listeners switch them",
} as const;

export const settingValues: Readonly<Record<SettingName, SettingValues>> = {
  ssh: {
    what: "the SSH configuration",
    members: {
      enable: flag,
      port: { kind: "number", from: 20_011, to: 60_011, smaller: [2003, 9997], isPort: true },
    },
    telling: ["port"],
  },
  provision: {
    what: "the provisioning configuration",
    members: {
      enable: flag,
      "schedule.enable": flag,
      "schedule.disableAfterSec": {
        kind: "number",
        from: 20_011,
        to: 60_011,
        smaller: [301, 899],
        wide: [70_001, 2_000_003, 3_000_000_019, 5_000_000_011],
        besideZero: { "schedule.enable": false },
      },
    },
    telling: ["schedule.disableAfterSec"],
  },
  log: {
    what: "the log configuration",
    members: {
      desiredDiskCacheSizeMB: cacheSize,
      enable: flag,
      enableTimeToLiveSec: flag,
      targetDiskName: { kind: "disk" },
      timeToLiveSec: timeToLive,
    },
    telling: ["timeToLiveSec"],
  },
  "event-configuration": {
    what: "the event configuration",
    members: {
      desiredDiskCacheSizeMB: cacheSize,
      enable: flag,
      enableTimeToLiveSec: flag,
      reachThresholdPolicy: { kind: "word", words: ["rotate", "stop"] },
      targetDiskName: { kind: "disk" },
      timeToLiveSec: timeToLive,
    },
    telling: ["timeToLiveSec"],
  },
  "upgrade-configuration": {
    what: "the upgrade configuration",
    members: {
      allowOverCellular: flag,
      caName: { kind: "file", content: "ca", name: "caFilename" },
      certFileName: { kind: "file", content: "cert", name: "certFilename" },
      keyFileName: { kind: "file", content: "key", name: "keyFilename" },
      enableClientAuth: flag,
      enableSnapshot: { kind: "flag", needs: "isSnapshotSupported" },
      isSnapshotSupported: { kind: "fixed", why: "a fact about the device" },
      retryCount: {
        kind: "number",
        from: 2,
        to: 50,
        smaller: [2, 9],
        wide: [300, 70_001, 5_000_000_033],
        unlimited: [0],
      },
      retryInterval: {
        kind: "number",
        from: 20_011,
        to: 60_011,
        smaller: [301, 899],
        wide: [70_001, 5_000_000_021],
      },
      targetDiskName: { kind: "disk" },
    },
    telling: ["retryInterval", "caName", "certFileName", "keyFileName"],
  },
  "reboot-schedule": {
    what: "the reboot schedule",
    members: { at: { kind: "crontab" }, enableScheduler: flag },
    telling: ["at"],
  },
  "http-server": {
    what: "the HTTP server configuration",
    members: {
      httpEnable: switched,
      httpPort: { kind: "listener", scheme: "http" },
      httpsEnable: switched,
      httpsPort: { kind: "listener", scheme: "https" },
      certFileName: { kind: "file", content: "cert", name: "certFilename" },
      keyFileName: { kind: "file", content: "key", name: "keyFilename" },
    },
    // The default listeners need not be those by which the harness reaches the gateway.
    telling: ["certFileName", "keyFileName"],
  },
};

/** What the choice of another value depends on. */
export interface ValueFacts {
  readonly present: Members;
  /** Names of the disks that the setting lists. */
  readonly disks: readonly string[];
  /** Value for every flag; absent: the other one. */
  readonly flags?: boolean;
  /** For every number that has values of more than 16 bits the last or the first of them; absent: a usual one. */
  readonly width?: "widest" | "wide" | undefined;
  /** Whether the gateway rejected a usual number: smaller ones then. */
  readonly isSmall?: boolean;
  /** What the setting showed when its case began; absent: what it shows now. */
  readonly atFirst?: Members;
  /** Integer from `min` to `max`, both included. */
  readonly integer: (min: number, max: number) => number;
  readonly epochMs: number;
}

/** Another value of the member; undefined where there is none. Files and listeners are chosen by their writers. */
export function otherValue(member: string, values: MemberValues, facts: ValueFacts): unknown {
  const { present, disks, flags, width, isSmall = false, integer, epochMs } = facts;
  const now = valueAt(present, member);
  switch (values.kind) {
    case "flag":
      return values.needs !== undefined && present[values.needs] !== true
        ? undefined
        : (flags ?? now !== true);
    case "number": {
      const others = values.wide?.filter((value) => value > 0xffff && value !== Number(now)) ?? [];
      const wide = width === undefined ? undefined : others.at(width === "widest" ? -1 : 0);
      if (wide !== undefined) return wide;
      const [from, to] = (isSmall ? values.smaller : undefined) ?? [values.from, values.to];
      const chosen = integer(from, to - 1);
      return chosen === Number(now) ? chosen + 1 : chosen;
    }
    case "near":
      return isSmall ? belowTheFirst(Number(now), valueAt(facts.atFirst ?? {}, member)) : nearTo(Number(now));
    case "word":
      return values.words.find((word) => word !== now);
    case "disk":
      return disks.find((name) => name !== now);
    case "crontab":
      return crontabOther(now, integer, epochMs);
    case "file":
    case "fixed":
    case "listener":
      return undefined;
  }
}

/** At most three above or below, however often it is changed, and never 0, which may have no meaning. */
function nearTo(now: number): number {
  return now > 0 && now % 4 === 0 ? now - 3 : now + 1;
}

/** The number at first, or one less, where that was the greatest; undefined where there is no less. */
function belowTheFirst(now: number, first: unknown): number | undefined {
  if (first !== undefined && now !== Number(first)) return Number(first);
  return now > 1 ? now - 1 : undefined;
}

/** Fields of a time that is not due while the suite runs; each differs from the present one. */
function crontabOther(now: unknown, integer: ValueFacts["integer"], epochMs: number): object {
  const other = (field: string, min: number, max: number): string => {
    const chosen = integer(min, max - 1);
    return String(String(chosen) === valueAt(now, field) ? chosen + 1 : chosen);
  };
  const month = farMonth(epochMs);
  const isFar = valueAt(now, "month") === String(month);
  return {
    minute: other("minute", 0, 59),
    hour: other("hour", 0, 23),
    day: other("day", 1, 27),
    month: String(isFar ? (month % 12) + 1 : month),
    dayOfWeek: valueAt(now, "dayOfWeek") === "*" ? "1-5" : "*",
  };
}

export function isCrontab(value: unknown): value is CrontabFields {
  return typeof value === "object" && value !== null && "minute" in value;
}

/** The value at a dotted path. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === "object" && inner !== null
          ? Object.getOwnPropertyDescriptor(inner, name)?.value
          : undefined,
      value,
    );
}

/** A copy with another value at a dotted path. */
export function withValue(members: Members, path: string, value: unknown): Members {
  const [name = path, ...rest] = path.split(".");
  const inner = members[name];
  if (rest.length === 0) return { ...members, [name]: value };
  const nested: Members = typeof inner === "object" && inner !== null ? { ...inner } : {};
  return { ...members, [name]: withValue(nested, rest.join("."), value) };
}
