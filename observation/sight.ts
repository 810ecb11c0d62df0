// Which values of which answers the checks of a case could see. A value counts as seen when the case read the answer
// and a later check that passed or failed
// - compared it: the observed value contains it, under the same name or, without a name, recognisably; or
// - has the answer as evidence and names the member; or
// - belongs to a requirement of the operation's group whose statement names the member.
// Of several readings of the same thing only the last one before the check counts.
import { lastName, valueLeaves } from "../interface/coverage/leaves.ts";
import { isOperationId, operation } from "../interface/operations/index.ts";
import { requirements } from "../interface/requirements/index.ts";
import { stringifyJson, unhurried } from "../record/index.ts";
import { type CaseTrace, decides, type TracedCheck, type TracedExchange } from "./trace.ts";

const mostObserved = 4000;
const mostBytes = 4 * 1024 * 1024;
/** Shorter texts and smaller numbers are equal by chance. */
const shortestDistinctive = 4;

interface Statement {
  readonly group: string;
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

const statements: ReadonlyMap<string, Statement> = new Map(
  requirements.map(({ id, group, statement, place }) => [
    id,
    { group, text: statement, names: new Set(`${statement} ${place}`.match(/[A-Za-z][A-Za-z0-9]+/g)) },
  ]),
);

export function statementOf(requirement: string): Pick<Statement, "group" | "text"> | undefined {
  return statements.get(requirement);
}

/** Whether the statement or the place of the requirement has the word. */
function speaksOf(requirement: string, word: string): boolean {
  return statements.get(requirement)?.names.has(word) === true;
}

export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Number.isFinite(value) || typeof value === "boolean" ? String(value) : stringifyJson(value);
}

/** A value of an answer: `name` is the last of its path, `text` the value as text. */
interface Leaf {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** Where a value is; places with the same `thing` are readings of the same value. */
interface Place {
  readonly traced: TracedExchange;
  readonly leaf: Leaf;
  readonly thing: string;
}

export class Sight {
  /** Numbers of exchanges that a check has as evidence or of which it saw a value. */
  readonly judged = new Set<number>();
  /** Requirements of the checks that have the exchange as evidence. */
  readonly requirementsOf = new Map<number, Set<string>>();
  /** Texts that a check saw, by the number of the exchange and the path. */
  readonly #seen = new Map<number, Map<string, Set<string>>>();
  /** Values of each answer by their names: an answer has thousands of values and dozens of names. */
  readonly #leaves = new Map<number, ReadonlyMap<string, readonly Leaf[]>>();
  /** Where the values are that a check observed, by name and text, or by text alone: no others are looked up. */
  readonly #byName = new Map<string, Map<string, Place[]>>();
  readonly #byValue = new Map<string, Place[]>();
  /** Read answers by the thing that they show. */
  readonly #readings = new Map<string, TracedExchange[]>();
  /** Requirements whose statement was taken, by the number of the exchange. */
  readonly #stated = new Map<number, Set<string>>();

  static async of(trace: CaseTrace): Promise<Sight> {
    const sight = new Sight();
    await sight.#take(trace);
    return sight;
  }

  async #take({ exchanges, checks }: CaseTrace): Promise<void> {
    for (const check of checks) if (decides(check)) this.#want(check);
    for await (const traced of unhurried(exchanges)) this.#index(traced);
    const byNumber = new Map(exchanges.map((traced) => [traced.exchange.number, traced]));
    for await (const check of unhurried(checks)) {
      if (!decides(check)) continue;
      if (check.evidence !== undefined) this.#takeEvidence(check, byNumber.get(check.evidence));
      this.#takeObserved(check);
      this.#takeStatement(check);
    }
  }

  /** Whether a check saw this value of the answer. */
  sees(number: number, path: string, value: unknown): boolean {
    return this.#seen.get(number)?.get(path)?.has(textOf(value)) === true;
  }

  /** Whether a check saw any value of the member. */
  seesAny(number: number, path: string): boolean {
    return this.#seen.get(number)?.has(path) === true;
  }

  #want({ observed }: TracedCheck): void {
    for (const { name, text } of observedLeaves(observed)) {
      if (name === undefined) listOf(this.#byValue, text);
      else listOf(mapOf(this.#byName, name), text);
    }
  }

  #index(traced: TracedExchange): void {
    const { answer, exchange } = traced;
    if (answer === undefined || !answer.isRead || !answer.accepted || answer.length > mostBytes) return;
    const thing = `${exchange.session} ${exchange.request.method} ${exchange.request.url}`;
    listOf(this.#readings, thing).push(traced);
    const body = answer.peek();
    if (body === undefined) return;
    const leaves = new Map<string, Leaf[]>();
    this.#leaves.set(exchange.number, leaves);
    for (const { path, value } of valueLeaves(body)) {
      const leaf = { name: lastName(path), path, text: textOf(value) };
      listOf(leaves, leaf.name).push(leaf);
      const named = this.#byName.get(leaf.name)?.get(leaf.text);
      const bare = this.#byValue.get(leaf.text);
      if (named === undefined && bare === undefined) continue;
      const place = { traced, leaf, thing: `${thing} ${path}` };
      named?.push(place);
      bare?.push(place);
    }
  }

  #takeEvidence({ evidence, requirement, what }: TracedCheck, traced: TracedExchange | undefined): void {
    if (evidence === undefined) return;
    this.judged.add(evidence);
    const known = this.requirementsOf.get(evidence) ?? new Set();
    this.requirementsOf.set(evidence, known.add(requirement));
    if (traced === undefined) return;
    for (const [name, leaves] of this.#leaves.get(evidence) ?? [])
      if (mentions(what, name)) this.#see(evidence, leaves);
  }

  #takeObserved({ observed, after, what, requirement }: TracedCheck): void {
    const taken = new Map<string, Set<string>>();
    for (const { name, text, value } of observedLeaves(observed)) {
      const texts = taken.get(name ?? "") ?? new Set();
      if (texts.has(text)) continue;
      taken.set(name ?? "", texts.add(text));
      if (name !== undefined) {
        for (const { traced, leaf } of latest(this.#byName.get(name)?.get(text), after))
          this.#see(traced.exchange.number, [leaf]);
        continue;
      }
      const isDistinctive = text.length >= shortestDistinctive && typeof value !== "boolean";
      for (const { traced, leaf } of latest(this.#byValue.get(text), after))
        if (isDistinctive || mentions(what, leaf.name) || speaksOf(requirement, leaf.name))
          this.#see(traced.exchange.number, [leaf]);
    }
  }

  #takeStatement({ requirement, after }: TracedCheck): void {
    const statement = statements.get(requirement);
    if (statement === undefined) return;
    for (const readings of this.#readings.values()) {
      const traced = readings.findLast((one) => one.index < after);
      const id = traced?.exchange.operation;
      if (traced === undefined || id === undefined || !isOperationId(id)) continue;
      if (operation(id).group !== statement.group) continue;
      const { number } = traced.exchange;
      const stated = this.#stated.get(number) ?? new Set();
      if (stated.has(requirement)) continue;
      this.#stated.set(number, stated.add(requirement));
      const leaves = this.#leaves.get(number);
      // A file has no members: the requirement names it.
      if (leaves === undefined && /zip|file|download/i.test([...statement.names].join(" ")))
        this.judged.add(number);
      for (const [name, named] of leaves ?? []) if (statement.names.has(name)) this.#see(number, named);
    }
  }

  #see(number: number, leaves: readonly Leaf[]): void {
    this.judged.add(number);
    const seen = mapOf(this.#seen, number);
    for (const { path, text } of leaves) seen.set(path, (seen.get(path) ?? new Set()).add(text));
  }
}

/** Values that a check observed; those at the top have no name. */
function observedLeaves(
  observed: unknown,
): { readonly name: string | undefined; readonly text: string; readonly value: unknown }[] {
  return valueLeaves(observed)
    .slice(0, mostObserved)
    .map(({ path, value }) => ({
      name: path === "" ? undefined : lastName(path),
      text: textOf(value),
      value,
    }));
}

/** The last reading of each thing before the check. */
function latest(places: readonly Place[] | undefined, after: number): Place[] {
  if (places === undefined) return [];
  const found = new Map<string, Place>();
  for (const place of places) {
    if (place.traced.index >= after) break;
    found.set(place.thing, place);
  }
  return [...found.values()];
}

function mentions(text: string, name: string): boolean {
  return new RegExp(String.raw`\b${name.replaceAll(/\W/g, ".")}\b`, "i").test(text);
}

function listOf<T>(lists: Map<string, T[]>, name: string): T[] {
  const known = lists.get(name);
  if (known !== undefined) return known;
  const fresh: T[] = [];
  lists.set(name, fresh);
  return fresh;
}

function mapOf<K, T>(maps: Map<K, Map<string, T>>, key: K): Map<string, T> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const fresh = new Map<string, T>();
  maps.set(key, fresh);
  return fresh;
}
