// Values that the reference gateway accepts in members: a mistake that changes none of them is no fault.
import { plainConduct } from "../../../reference-impl/product/conduct.ts";
import type { Leaf, LeafType } from "./leaves.ts";
import { typeOf } from "./leaves.ts";
import type { Mistake } from "./mistakes.ts";
import type { Place } from "./places.ts";

const whole = (min: number, max: number): readonly number[] =>
  [min, max, max - 1, 0, -1, 40_000, 16_777_217, 3_000_000_000].filter(
    (value) => value >= min && value <= max,
  );

const ports = whole(1, 65_535);
const largest = Number.MAX_SAFE_INTEGER;
const integers: Readonly<Record<string, readonly number[]>> = {
  port: ports,
  httpPort: ports,
  httpsPort: ports,
  retryCount: whole(0, 1_000_000),
  retryInterval: whole(0, 1_000_000),
  desiredDiskCacheSizeMB: whole(1, 1_048_576),
  timeToLiveSec: whole(-largest, largest),
  "schedule.disableAfterSec": whole(0, 2_147_483_648),
  dataSize: whole(0, 4_294_967_295),
};

/** Names that begin and end with a letter: whether blanks around a name belong to it is not stated. */
const names = ["<Ä \u{1D11E}+&>\" ' x", "007", "ä".repeat(1000)];
const fileNames = ["<Ä \u{1D11E}+&>' x.crt", `${"ä".repeat(200)}.crt`];
const anyText = ["  <Ä \u{1D11E}+&>\" ' ", "007", "ä".repeat(1000)];
const accountNames = ["Äb+=,.@_-", "\u{1D49C}b", "007", "ä".repeat(64)];
const texts: Readonly<Record<string, readonly string[]>> = {
  "role.name": accountNames,
  "user.name": accountNames,
  email: ["Ä.b+c&d@example.org", "a".repeat(40) + "@example.org"],
  "tag.prvdName": names,
  "tag.srcName": names,
  "tag.tagName": names,
  "event.category": names,
  "event.event": names,
  "event.origin": names,
  "event.user": names,
  userOrigin: names,
  // An entry from the future would stay the first of every page.
  "event.createdAt": ["2003-04-05T06:07:08.789+05:00"],
  caName: fileNames,
  certFileName: fileNames,
  keyFileName: fileNames,
  // One of the disks that the gateway lists.
  targetDiskName: [],
  dataUnit: ["  <Ä \u{1D11E}+&> ", "007"],
};

const times = ["2040-02-03T04:05:06.789Z", "2030-02-03T04:05:06+05:00"];
const others: Readonly<Partial<Record<LeafType, readonly unknown[]>>> = {
  boolean: [true, false],
  array: [["a", "b"]],
  timestamp: times,
};

/** Whether the mistake changes a value that the member can have. */
export function shows(mistake: Mistake, place: Place, leaf: Leaf): boolean {
  return changes(mistake, place, leaf).length > 0;
}

/** Whether it changes one into another that is stored: a wrong name of an account is rejected, which the text permits. */
export function isStored(mistake: Mistake, place: Place, leaf: Leaf): boolean {
  const isName = texts[`${place.name}.${leaf.path}`] === accountNames;
  return changes(mistake, place, leaf).some((value) => !isName || plainConduct.nameRule.test(String(value)));
}

function changes({ edit, types }: Mistake, place: Place, leaf: Leaf): unknown[] {
  const type = typeOf(leaf);
  if (!types.includes(type)) return [];
  const named = { ...integers, ...texts };
  const values =
    named[`${place.name}.${leaf.path}`] ??
    named[leaf.path] ??
    others[type] ??
    (type === "string" ? anyText : []);
  return values.flatMap((value) => {
    const changed = edit(value);
    return JSON.stringify(changed) === JSON.stringify(value) ? [] : [changed];
  });
}
