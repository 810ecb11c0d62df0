// The expected state of one gateway: a model of accepted requests and observed values. It applies only rules that the
// interface states; without a rule it adopts the observed value.
import type { Behaviour, ThingKind } from "../../interface/behaviour/behaviour.ts";
import { thing } from "../../interface/behaviour/index.ts";
import { kindOf, membersField, membersOf, type Observation, thingName } from "./observation.ts";

/** The known value of one field. */
export interface Fact {
  readonly text: string;
  /** Requirement that states it; absent where it was only observed. */
  readonly requirement?: string;
  /** Step at which it was last written or observed. */
  readonly since: number;
  /** False until an answer showed it. */
  readonly isConfirmed: boolean;
  /** True when the interface permits another value by now. */
  readonly isOpen: boolean;
}

/** An observation compared with the known value. */
export interface Judged extends Observation {
  /** `expected`: required, or unchanged; `unknown`: no rule decides it; `contrary`: another value is required. */
  readonly standing: "expected" | "unknown" | "contrary";
  readonly expected?: string;
  /** Requirement that a contrary observation violates; absent when no statement decides it. */
  readonly requirement?: string;
}

interface Write {
  readonly at: number;
  readonly keeps?: string;
}

export class World {
  #facts = new Map<string, Map<string, Fact>>();
  #writes = new Map<ThingKind, Write>();
  /** Things that were removed, and the requirement by which they must not be shown. */
  #gone = new Map<string, string | undefined>();

  /** A copy with the same knowledge. */
  copy(): World {
    const copy = new World();
    copy.#facts = new Map([...this.#facts].map(([name, fields]) => [name, new Map(fields)]));
    copy.#writes = new Map(this.#writes);
    copy.#gone = new Map(this.#gone);
    return copy;
  }

  fact(name: string, field: string): Fact | undefined {
    return this.#facts.get(name)?.get(field);
  }

  isGone(name: string): boolean {
    return this.#gone.has(name);
  }

  /** The names of all existing things of a kind. */
  things(kind: ThingKind): string[] {
    return [...this.#facts.keys()].filter((name) => name === kind || name.startsWith(`${kind} `));
  }

  /** Records a change that the gateway accepted. */
  wrote(kind: ThingKind, at: number, keeps: string | undefined): void {
    this.#writes.set(kind, keeps === undefined ? { at } : { at, keeps });
  }

  /** Records a value that the gateway must show from now on. */
  expect(name: string, field: string, text: string, requirement: string, at: number): void {
    this.#put(name, field, { text, requirement, since: at, isConfirmed: false, isOpen: false });
  }

  /** The field may have changed to any value. */
  unsettle(name: string, field: string): void {
    const fact = this.fact(name, field);
    if (fact !== undefined) this.#put(name, field, { ...fact, isOpen: true });
  }

  /** A thing that was made: it is in the list of its kind. */
  created(kind: ThingKind, label: string): void {
    this.#gone.delete(thingName(kind, label));
    if (!this.#facts.has(thingName(kind, label))) this.#facts.set(thingName(kind, label), new Map());
    this.#changeMembers(kind, (labels) => [...labels.filter((one) => one !== label), label]);
  }

  /** A thing that was removed, with all its fields. */
  removed(kind: ThingKind, label: string, requirement: string | undefined): void {
    this.#facts.delete(thingName(kind, label));
    this.#unsettleReferences(kind, label);
    this.#gone.set(thingName(kind, label), requirement);
    this.#changeMembers(kind, (labels) => labels.filter((one) => one !== label));
  }

  /** Compares the observations with the known values, then adopts the observed values. */
  judge(observations: readonly Observation[], known: Behaviour, at: number): Judged[] {
    return observations.map((observation) => this.#judgeOne(observation, known, at));
  }

  #judgeOne(observation: Observation, known: Behaviour, at: number): Judged {
    const { thing: name, field, text, kind } = observation;
    const fact = this.#known(kind, name, field);
    const seen = { text, since: at, isConfirmed: true, isOpen: false };
    if (fact?.text === text) {
      // An answer to a change that repeats the inputs is no proof that they were stored.
      const isEcho = fact.since === at && !fact.isConfirmed;
      this.#put(name, field, { ...seen, isConfirmed: !isEcho, ...requirementPart(fact.requirement) });
      return { ...observation, standing: "expected" };
    }
    const requirement =
      fact === undefined || fact.isOpen
        ? undefined
        : field === membersField
          ? this.#memberRequirement(kind, fact.text, text, known)
          : this.#requirementOf(fact, kind, known);
    this.#put(name, field, seen);
    if (fact === undefined || fact.isOpen) return { ...observation, standing: "unknown" };
    return { ...observation, standing: "contrary", expected: fact.text, ...requirementPart(requirement) };
  }

  /** The requirement by which a field that was observed or written must be unchanged. */
  #requirementOf(fact: Fact, kind: ThingKind, known: Behaviour): string | undefined {
    const write = this.#writes.get(kind);
    // In a shortened sequence a later change is needed.
    if (write !== undefined && write.at > fact.since && write.keeps !== undefined) return write.keeps;
    if (!fact.isConfirmed) return fact.requirement;
    return known.shows ?? known.complete;
  }

  #memberRequirement(kind: ThingKind, expected: string, found: string, known: Behaviour): string | undefined {
    const wanted = JSON.parse(expected) as string[];
    const shown = JSON.parse(found) as string[];
    const isRepeated = new Set(shown).size < shown.length;
    if (isRepeated || wanted.some((label) => !shown.includes(label))) return known.complete;
    const surplus = shown.filter((label) => !wanted.includes(label));
    const removed = surplus.find((label) => this.#gone.has(thingName(kind, label)));
    if (removed !== undefined) return this.#gone.get(thingName(kind, removed));
    return this.#writes.get(kind)?.keeps;
  }

  /** The required value of a field: by fields of other things where it follows from them, otherwise as written or observed. */
  #known(kind: ThingKind, name: string, field: string): Fact | undefined {
    const fact = this.fact(name, field);
    const rule = thing(kind).follows?.[field];
    if (rule === undefined) return fact;
    const text = rule.how === "union" ? this.#union(name, rule) : this.#inverse(name, rule);
    // As long as not all of that is known, it may have changed with any of them.
    if (text === undefined) return fact === undefined ? undefined : { ...fact, isOpen: true };
    // Required now, independent of earlier values.
    const since = Number.POSITIVE_INFINITY;
    return { text, requirement: rule.requirement, since, isConfirmed: false, isOpen: false };
  }

  #union(
    name: string,
    rule: { readonly kind: ThingKind; readonly through: string; readonly field?: string },
  ): string | undefined {
    const references = this.#certain(name, rule.through);
    if (references === undefined) return undefined;
    const all = new Set<string>();
    for (const label of references) {
      const values = this.#certain(thingName(rule.kind, label), rule.field ?? "");
      if (values === undefined) return undefined;
      for (const value of values) all.add(value);
    }
    return JSON.stringify([...all].toSorted());
  }

  #inverse(name: string, rule: { readonly kind: ThingKind; readonly through: string }): string | undefined {
    const own = name.slice(name.indexOf(" ") + 1);
    const referring: string[] = [];
    for (const other of this.things(rule.kind)) {
      const references = this.#certain(other, rule.through);
      if (references === undefined) return undefined;
      if (references.includes(own)) referring.push(other.slice(other.indexOf(" ") + 1));
    }
    return JSON.stringify(referring.toSorted());
  }

  /** A list of words with a certain value. */
  #certain(name: string, field: string): string[] | undefined {
    const fact = this.fact(name, field);
    if (fact === undefined || fact.isOpen) return undefined;
    const value: unknown = JSON.parse(fact.text);
    return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
  }

  /** References to a removed thing may have changed in any way. */
  #unsettleReferences(kind: ThingKind, label: string): void {
    for (const [name, fields] of this.#facts) {
      const other = kindOf(name);
      if (other === undefined) continue;
      const { refers = {}, follows = {} } = thing(other);
      for (const [field, referred] of Object.entries(refers)) {
        if (referred !== kind || follows[field] !== undefined) continue;
        const fact = fields.get(field);
        if (fact !== undefined && (JSON.parse(fact.text) as string[]).includes(label))
          this.unsettle(name, field);
      }
    }
  }

  #changeMembers(kind: ThingKind, change: (labels: string[]) => string[]): void {
    const fact = this.fact(membersOf(kind), membersField);
    if (fact === undefined) return;
    const labels = change(JSON.parse(fact.text) as string[]).toSorted();
    this.#put(membersOf(kind), membersField, { ...fact, text: JSON.stringify(labels) });
  }

  #put(name: string, field: string, fact: Fact): void {
    const fields = this.#facts.get(name);
    if (fields === undefined) this.#facts.set(name, new Map([[field, fact]]));
    else fields.set(field, fact);
  }
}

function requirementPart(requirement: string | undefined): { requirement?: string } {
  return requirement === undefined ? {} : { requirement };
}
