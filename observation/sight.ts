// Which values of which answers the checks of a case could see. A value counts as seen when the case read the answer
// and a later check that passed or failed
// - compared it: the observed value contains it, under the same name or, without a name, recognisably; or
// - has the answer as evidence and names the member; or
// - belongs to a requirement of the operation's group whose statement names the member.
// Of several readings of the same thing only the last one before the check counts.
import { lastName, type ValueLeaf, valueLeaves } from "../interface/coverage/leaves.ts";
import { isOperationId, operation } from "../interface/operations/index.ts";
import { requirements } from "../interface/requirements/index.ts";
import { stringifyJson } from "../record/index.ts";
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
  return typeof value === "string" ? value : stringifyJson(value);
}

interface Place {
  readonly traced: TracedExchange;
  readonly path: string;
}

export class Sight {
  /** Numbers of exchanges that a check has as evidence or of which it saw a value. */
  readonly judged = new Set<number>();
  /** Requirements of the checks that have the exchange as evidence. */
  readonly requirementsOf = new Map<number, Set<string>>();
  readonly #seen = new Map<number, Set<string>>();
  readonly #leaves = new Map<number, readonly ValueLeaf[]>();
  readonly #byName = new Map<string, Place[]>();
  readonly #byValue = new Map<string, Place[]>();
  /** Read answers by the thing that they show. */
  readonly #readings = new Map<string, TracedExchange[]>();

  constructor({ exchanges, checks }: CaseTrace) {
    for (const traced of exchanges) this.#index(traced);
    const byNumber = new Map(exchanges.map((traced) => [traced.exchange.number, traced]));
    for (const check of checks) {
      if (!decides(check)) continue;
      if (check.evidence !== undefined) this.#takeEvidence(check, byNumber.get(check.evidence));
      this.#takeObserved(check);
      this.#takeStatement(check);
    }
  }

  /** Whether a check saw this value of the answer. */
  sees(number: number, path: string, value: unknown): boolean {
    return this.#seen.get(number)?.has(`${path}=${textOf(value)}`) === true;
  }

  /** Whether a check saw any value of the member. */
  seesAny(number: number, path: string): boolean {
    return (this.#leaves.get(number) ?? []).some(
      (leaf) => leaf.path === path && this.sees(number, path, leaf.value),
    );
  }

  #index(traced: TracedExchange): void {
    const { answer, exchange } = traced;
    if (answer === undefined || !answer.isRead || !answer.accepted || answer.length > mostBytes) return;
    const thing = `${exchange.session} ${exchange.request.method} ${exchange.request.url}`;
    listOf(this.#readings, thing).push(traced);
    const body = answer.peek();
    if (body === undefined) return;
    const leaves = valueLeaves(body);
    this.#leaves.set(exchange.number, leaves);
    for (const { path, value } of leaves) {
      const text = textOf(value);
      listOf(this.#byName, `${lastName(path)}=${text}`).push({ traced, path });
      listOf(this.#byValue, text).push({ traced, path });
    }
  }

  #takeEvidence({ evidence, requirement, what }: TracedCheck, traced: TracedExchange | undefined): void {
    if (evidence === undefined) return;
    this.judged.add(evidence);
    const known = this.requirementsOf.get(evidence) ?? new Set();
    this.requirementsOf.set(evidence, known.add(requirement));
    if (traced === undefined) return;
    for (const { path, value } of this.#leaves.get(evidence) ?? [])
      if (mentions(what, lastName(path))) this.#see(evidence, path, value);
  }

  #takeObserved(check: TracedCheck): void {
    const { observed, after, what, requirement } = check;
    if (observed === undefined) return;
    for (const { path, value } of valueLeaves(observed).slice(0, mostObserved)) {
      const text = textOf(value);
      if (path !== "") {
        for (const place of latest(this.#byName.get(`${lastName(path)}=${text}`), after))
          this.#see(place.traced.exchange.number, place.path, value);
        continue;
      }
      const isDistinctive = text.length >= shortestDistinctive && typeof value !== "boolean";
      for (const place of latest(this.#byValue.get(text), after)) {
        const name = lastName(place.path);
        if (isDistinctive || mentions(what, name) || speaksOf(requirement, name))
          this.#see(place.traced.exchange.number, place.path, value);
      }
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
      const leaves = this.#leaves.get(number);
      // A file has no members: the requirement names it.
      if (leaves === undefined && /zip|file|download/i.test([...statement.names].join(" ")))
        this.judged.add(number);
      for (const { path, value } of leaves ?? [])
        if (statement.names.has(lastName(path))) this.#see(number, path, value);
    }
  }

  #see(number: number, path: string, value: unknown): void {
    this.judged.add(number);
    const known = this.#seen.get(number) ?? new Set();
    this.#seen.set(number, known.add(`${path}=${textOf(value)}`));
  }
}

/** The last reading of each thing before the check. */
function latest(places: readonly Place[] | undefined, after: number): Place[] {
  if (places === undefined) return [];
  const found = new Map<string, Place>();
  for (const place of places) {
    if (place.traced.index >= after) break;
    const { request, session } = place.traced.exchange;
    found.set(`${session} ${request.method} ${request.url} ${place.path}`, place);
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
