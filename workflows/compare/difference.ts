// Where two gateways differ in their answers to the same step, and which of them deviates.
import type { Requirement } from "../../interface/requirements/requirement.ts";
import { requirements } from "../../interface/requirements/index.ts";
import { areInstants } from "./canonical.ts";
import type { Judged } from "./world.ts";

export type SideName = "A" | "B";

/** A requirement that one of the gateways violates here. */
interface Breaking {
  readonly side: SideName;
  readonly requirement: string;
  readonly level: Requirement["level"];
  readonly expected: string;
  readonly found: string;
}

export interface Difference {
  readonly thing: string;
  readonly kind: string;
  readonly field: string;
  /** The value of each; absent where it showed none. */
  readonly a?: string;
  readonly b?: string;
  /** The violations of each gateway; empty where the interface states no rule. */
  readonly breaks: readonly Breaking[];
}

const levels = new Map<string, Requirement["level"]>(requirements.map(({ id, level }) => [id, level]));

/** All differences of one step. A violation by both in the same way is none. */
export function differences(a: readonly Judged[], b: readonly Judged[]): Difference[] {
  const ofA = byPlace(a);
  const ofB = byPlace(b);
  const found: Difference[] = [];
  for (const key of new Set([...ofA.keys(), ...ofB.keys()])) {
    const difference = compareOne(ofA.get(key), ofB.get(key));
    if (difference !== undefined) found.push(difference);
  }
  return found;
}

function compareOne(a: Judged | undefined, b: Judged | undefined): Difference | undefined {
  const one = a ?? b;
  if (one === undefined) return undefined;
  const isContrary = a?.standing === "contrary" || b?.standing === "contrary";
  if (a?.text === b?.text && (a?.standing === b?.standing || !isContrary)) return undefined;
  // A value of only one of them is an additional field, or a separate thing.
  if (!isContrary && (a === undefined || b === undefined)) return undefined;
  if (!isContrary && a?.standing === "expected" && b?.standing === "expected") return undefined;
  if (!isContrary && a !== undefined && b !== undefined && areInstants(a.text, b.text)) return undefined;
  return {
    thing: one.thing,
    kind: one.kind,
    field: one.field,
    ...(a === undefined ? {} : { a: a.text }),
    ...(b === undefined ? {} : { b: b.text }),
    breaks: [...breaking("A", a), ...breaking("B", b)],
  };
}

function breaking(side: SideName, judged: Judged | undefined): Breaking[] {
  if (judged?.standing !== "contrary" || judged.requirement === undefined) return [];
  const { requirement, text, expected = "" } = judged;
  return [{ side, requirement, level: levels.get(requirement) ?? "declared", expected, found: text }];
}

/** One statement for each place; an answer may show the same field twice, and a contrary value counts. */
function byPlace(judged: readonly Judged[]): Map<string, Judged> {
  const all = new Map<string, Judged>();
  for (const one of judged) {
    const key = `${one.thing}\n${one.field}`;
    if (all.get(key)?.standing !== "contrary") all.set(key, one);
  }
  return all;
}

/** Whether the difference violates a requirement that decides conformance. */
export function isStated(difference: Difference): boolean {
  return difference.breaks.some(({ level }) => level === "stated");
}

/** Differences with the same signature are alike except for labels and values. */
export function signatureOf(operation: string, difference: Difference): string {
  const { kind, field, breaks } = difference;
  const sides = breaks.map(({ side }) => side).join("");
  return [operation, kind, field, isStated(difference) ? `${sides} stated` : "note"].join(" ");
}

/** Requirements that both violate here in the same way: no difference, but reported. */
export function brokenByBoth(a: readonly Judged[], b: readonly Judged[]): string[] {
  const ofB = byPlace(b);
  return [...byPlace(a)].flatMap(([place, one]) => {
    const other = ofB.get(place);
    const isCommon = one.standing === "contrary" && other?.standing === "contrary" && other.text === one.text;
    return isCommon && one.requirement !== undefined ? [one.requirement] : [];
  });
}
