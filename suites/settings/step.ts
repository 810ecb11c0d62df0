// One write of a setting: what is sent, and what every setting must show afterwards.
import {
  type Answer,
  crontabOf,
  crontabShownFor,
  type Members,
  type SettingName,
} from "../../harness/index.ts";
import { isCrontab, settingValues, valueAt, withValue } from "../support/settingValues.ts";
import type { SettingWriter } from "./writers.ts";

export interface Step {
  readonly writer: SettingWriter;
  /** Members by dotted path with their new values. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Inputs that no reading shows, such as the content of files. */
  readonly inputs?: Members;
  /** True where the changes are sent without the members that a whole set has: what becomes of those is not stated. */
  readonly isLone?: boolean;
  /** True where a gateway may reject the values, because their limits are not stated. */
  readonly isLimited?: boolean;
  /** True where a gateway may store less than was sent: a number that is wished for, beyond what it has. */
  readonly mayBeLess?: boolean;
  /** True where a gateway may use a name of its own: it need not take a name of this form. */
  readonly mayBeRenamed?: boolean;
  /** Members with values of a wrong type, for which the request must be rejected or change what it is free to. */
  readonly wrong?: Members;
}

/** Every setting as read at one time. */
type Readings = ReadonlyMap<SettingName, Reading>;
interface Reading {
  readonly members: Members;
  readonly answer: Answer;
}

/** A comparison after a step. */
export interface Comparison {
  readonly requirement: string;
  readonly what: string;
  readonly observed: unknown;
  readonly expected: unknown;
  readonly evidence: Answer;
  readonly isSame: boolean;
}

/** The step in words, for a check. */
export function words({ writer, changes, wrong, isLone }: Step): string {
  const sent = Object.entries({ ...changes, ...wrong }).map(
    ([member, value]) => `${member} ${JSON.stringify(value)}`,
  );
  return `${writer.operation} with ${sent.join(", ")}${isLone === true ? " alone" : ""}`;
}

/** The members after the step. */
export function applied(members: Members, changes: Step["changes"]): Members {
  return Object.entries(changes).reduce((whole, [member, value]) => withValue(whole, member, value), members);
}

/** Members of each setting that were stored, with the requirement that they are stored as sent. */
type Stored = ReadonlyMap<SettingName, Readonly<Record<string, string>>>;

interface Taken {
  readonly step: Step;
  readonly answer: Answer;
  /** What the answer of the write shows. */
  readonly returned: Members;
  readonly before: Readings;
  readonly after: Readings;
  /** What earlier steps stored. */
  readonly stored?: Stored;
}

/** Everything that an accepted step must leave behind; the observed values of unlimited times count as equal. */
export function comparisonsOf(taken: Taken): Comparison[] {
  const { step, answer, returned, before, after, stored = new Map() } = taken;
  const { setting: name } = step.writer;
  const was = before.get(name);
  const now = after.get(name);
  if (was === undefined || now === undefined) return [];
  const expected = answer.accepted ? applied(was.members, settled(step, was.members, returned)) : was.members;
  return [
    ...(answer.accepted ? ownComparisons(step, returned, expected, "as returned", answer) : []),
    ...ownComparisons(step, now.members, expected, "as read back", now.answer),
    ...(step.isLone === true ? [] : othersComparisons(step, before, after, stored)),
  ];
}

/** The changes, each as the answer shows it where a gateway may store another value than the one that was sent. */
function settled(step: Step, was: Members, returned: Members): Step["changes"] {
  const isOwn = (member: string, value: unknown): boolean => {
    const shown = valueAt(returned, member);
    if (step.mayBeRenamed === true) return isOtherName(shown, value);
    // Never less than before.
    return (
      step.mayBeLess === true &&
      Number(valueAt(was, member)) <= Number(shown) &&
      Number(shown) < Number(value)
    );
  };
  return Object.fromEntries(
    Object.entries(step.changes).map(([member, value]) => [
      member,
      isOwn(member, value) ? valueAt(returned, member) : value,
    ]),
  );
}

/** Whether a shown name is no form of the one that was sent, neither its beginning nor around the random word in it. */
function isOtherName(shown: unknown, sent: unknown): boolean {
  if (typeof shown !== "string" || typeof sent !== "string" || shown === "") return false;
  const [word = sent] = /rp-\w+/.exec(sent) ?? [];
  return !shown.includes(word) && !sent.startsWith(shown.slice(0, 3));
}

function ownComparisons(
  step: Step,
  observed: Members,
  expected: Members,
  how: string,
  evidence: Answer,
): Comparison[] {
  const { writer, changes, wrong } = step;
  const after = `${how} after ${words(step)}`;
  const compared = (requirement: string, members: readonly string[]): Comparison => {
    const pairs = members.map((member) => pairOf(member, observed, expected));
    return {
      requirement,
      what: `${members.map((member) => `\`${member}\``).join(", ")} ${after}`,
      observed: Object.fromEntries(members.map((member, index) => [member, pairs[index]?.[0]])),
      expected: Object.fromEntries(members.map((member, index) => [member, pairs[index]?.[1]])),
      evidence,
      isSame: pairs.every(([one, other]) => isSame(one, other)),
    };
  };
  if (wrong !== undefined) return [compared(writer.rejects ?? "CORE-ROBUST-03", membersOf(writer))];
  const written = Object.keys(changes);
  const siblings =
    step.isLone === true ? [] : membersOf(writer).filter((member) => !written.includes(member));
  const byRequirement = Map.groupBy(written, (member) => requirementOf(writer, member));
  const ofSiblings = siblings.map((member) =>
    compared(writer.keeps ?? requirementOf(writer, member), [member]),
  );
  const differing = ofSiblings.filter(({ isSame: same }) => !same);
  const [first] = byRequirement.keys();
  return [
    ...[...byRequirement].map(([requirement, members]) => compared(requirement, members)),
    // A sibling that differs is named alone; else one comparison shows all of them.
    ...(differing.length > 0 || siblings.length === 0 || first === undefined
      ? differing
      : [compared(writer.keeps ?? first, siblings)]),
  ];
}

function requirementOf({ stores, keeps }: SettingWriter, member: string): string {
  return stores[member] ?? keeps ?? "CORE-ROBUST-03";
}

/** Members that the writer sends or must leave unchanged. */
function membersOf({ setting: name }: SettingWriter): string[] {
  return Object.keys(settingValues[name].members);
}

/** The other settings: what an earlier step stored there by its own requirement, the rest as one value. */
function othersComparisons(step: Step, before: Readings, after: Readings, stored: Stored): Comparison[] {
  const names = [...before.keys()].filter((name) => name !== step.writer.setting);
  return names.flatMap((name): Comparison[] => {
    const [was, now] = [before.get(name), after.get(name)];
    if (was === undefined || now === undefined || isSame(was.members, now.members)) return [];
    const differing = (
      requirement: string,
      what: string,
      valueOf: (members: Members) => unknown,
    ): Comparison => ({
      requirement,
      what: `${what} after ${words(step)}`,
      observed: valueOf(now.members),
      expected: valueOf(was.members),
      evidence: now.answer,
      isSame: false,
    });
    const { what } = settingValues[name];
    const lost = Object.entries(stored.get(name) ?? {}).filter(
      ([member]) => !isSame(valueAt(was.members, member), valueAt(now.members, member)),
    );
    return [
      ...lost.map(([member, requirement]) =>
        differing(requirement, `\`${member}\` of ${what}`, (members) => valueAt(members, member)),
      ),
      differing("CORE-ROBUST-03", what, (members) => members),
    ];
  });
}

/**
 * Observed and expected value. All of 0 and less mean unlimited for a time to live, and crontab fields can be shown in
 * several forms.
 */
function pairOf(member: string, observed: Members, expected: Members): readonly [unknown, unknown] {
  const [seen, wanted] = [valueAt(observed, member), valueAt(expected, member)];
  if (isCrontab(seen) && isCrontab(wanted)) {
    const expression = crontabOf(wanted);
    return crontabShownFor(expression, seen) === expression ? [wanted, wanted] : [seen, wanted];
  }
  const isUnlimited = member === "timeToLiveSec" && Number(seen) <= 0 && Number(wanted) <= 0;
  return [seen, isUnlimited ? seen : wanted];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, inner]) => [name, sorted(inner)])
    : typeof value === "bigint"
      ? Number(value)
      : value;
}
