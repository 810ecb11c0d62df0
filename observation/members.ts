// Which members of things a case wrote, and read again after a write, after a write of a sibling, a reboot, a reset or
// an applied configuration.
import { cellId } from "../interface/coverage/cell.ts";
import { valueLeaves } from "../interface/coverage/leaves.ts";
import { echoOf, memberSubject, storedBy } from "../interface/coverage/members.ts";
import { coveredThings, type CoveredThing, type ThingView } from "../interface/coverage/things.ts";
import { unhurried } from "../record/index.ts";
import { type Call, type CaseView, memberOf, thingsIn } from "./caseView.ts";
import { textOf } from "./sight.ts";

/** A value that the case wrote and that differs from the one before. */
interface Written {
  readonly value: string;
  readonly writer: string;
  readonly at: number;
  isRestarted: boolean;
  /** `after-reset:*` and `after-apply`, when one of them followed. */
  readonly followed: Set<string>;
}

interface ItemState {
  readonly known: Map<string, string>;
  readonly written: Map<string, Written>;
  /** Writers of other members since the member was last known, by member. */
  readonly beside: Map<string, Set<string>>;
  /** Writers of other things of the kind. */
  readonly others: Set<string>;
}

interface Found {
  readonly cells: Set<string>;
  /** Numbers of the writes whose values a check saw later. */
  readonly effective: Set<number>;
}

export async function observeMembers(view: CaseView): Promise<Found> {
  const found: Found = { cells: new Set(), effective: new Set() };
  for (const thing of coveredThings) await new ThingFollower(thing, view, found).follow();
  return found;
}

class ThingFollower {
  readonly #thing: CoveredThing;
  readonly #view: CaseView;
  readonly #found: Found;
  readonly #items = new Map<string, ItemState>();
  readonly #views: ReadonlyMap<string, ThingView>;
  readonly #stored: ReadonlyMap<string, ReadonlyMap<string, string>>;
  #exportedAt: number | undefined;
  #restarts: readonly number[];

  constructor(thing: CoveredThing, view: CaseView, found: Found) {
    this.#thing = thing;
    this.#view = view;
    this.#found = found;
    this.#restarts = view.trace.restarts;
    const echoes = thing.writers.map((writer) => echoOf(thing, writer));
    this.#views = new Map(
      [...(thing.echoes === false ? [] : echoes), ...thing.views].map((one) => [one.operation, one]),
    );
    this.#stored = new Map(thing.writers.map((writer) => [writer, storedBy(thing, writer)]));
  }

  async follow(): Promise<void> {
    for await (const call of unhurried(this.#view.calls)) {
      while ((this.#restarts[0] ?? Infinity) <= call.index) {
        this.#restarts = this.#restarts.slice(1);
        for (const one of this.#allWritten()) one.isRestarted = true;
      }
      this.#takeEffects(call);
      if (!call.isAccepted) continue;
      const stored = this.#stored.get(call.operation);
      if (stored !== undefined) this.#write(call, stored);
      const shown = this.#views.get(call.operation);
      if (shown !== undefined) this.#read(call, shown);
    }
  }

  /** Resets, exports and applied configurations. */
  #takeEffects({ operation, sent, isAccepted, status, index }: Call): void {
    if (operation === "exportConfiguration" && isAccepted && sent.text("action") !== "get-profile")
      this.#exportedAt = index;
    const isApplied =
      operation === "applyConfiguration" ||
      (operation === "uploadConfiguration" && sent.text("apply") === "true");
    if (isApplied && isAccepted && this.#exportedAt !== undefined)
      for (const one of this.#allWritten()) if (one.at > this.#exportedAt) one.followed.add("after-apply");
    // An immediate reset may cut its own answer off.
    if (operation !== "resetToDefault" || !(isAccepted || status === 0)) return;
    const scopes = sent.words("scopes");
    const isAll = scopes.includes("all") || sent.text("mode") === "factory";
    const owner = this.#thing.resetScope;
    const aspect = isAll
      ? "after-reset:all"
      : owner !== undefined && scopes.includes(owner)
        ? `after-reset:${owner}`
        : "after-reset:other";
    if (isAll || scopes.length > 0) for (const one of this.#allWritten()) one.followed.add(aspect);
  }

  #write(call: Call, stored: ReadonlyMap<string, string>): void {
    const { sent, operation, index, number } = call;
    const keys = this.#keysOf(call);
    for (const [position, key] of keys.entries()) {
      const state = this.#stateOf(key);
      const changed = new Set<string>();
      for (const [member, parameter] of stored) {
        if (!sent.has(parameter) || member === "id") continue;
        const values = sent.values(parameter);
        const value = keys.length > 1 ? shown([values[position]]) : shown(values);
        const before = state.known.get(member);
        if (before === value) continue;
        changed.add(member);
        state.written.set(member, {
          value,
          writer: operation,
          at: index,
          isRestarted: false,
          followed: new Set(),
        });
        this.#numbers.set(`${operation} ${index}`, number);
        state.known.set(member, value);
        state.beside.delete(member);
      }
      if (changed.size === 0) continue;
      for (const member of state.known.keys()) {
        if (changed.has(member)) continue;
        state.beside.set(member, (state.beside.get(member) ?? new Set()).add(operation));
      }
    }
    for (const [key, state] of this.#items)
      if (!keys.includes(key) && state.known.size > 0) state.others.add(operation);
  }

  readonly #numbers = new Map<string, number>();

  #read(call: Call, shownAt: ThingView): void {
    const { sight } = this.#view;
    const prefix = shownAt.at === undefined ? "" : `${shownAt.at}.`;
    for (const item of thingsIn(call.body, shownAt.at)) {
      const key = this.#thing.key === undefined ? "" : String(item[this.#thing.key]);
      const state = this.#stateOf(key);
      let isSeen = false;
      for (const [member, leaves] of Map.groupBy(valueLeaves(item), ({ path }) => path)) {
        state.known.set(member, shown(leaves.map(({ value }) => value)));
        if (!leaves.some(({ value }) => sight.sees(call.number, `${prefix}${member}`, value))) continue;
        isSeen = true;
        this.#seen(call, shownAt, member, state);
      }
      if (isSeen && this.#isReading(call)) {
        for (const writer of state.others)
          this.#add(`${this.#thing.views[0]?.operation ?? ""}.*`, `unchanged-in-others:${writer}`);
        state.others.clear();
      }
    }
  }

  #seen(call: Call, shownAt: ThingView, member: string, state: ItemState): void {
    const [first] = this.#thing.views;
    if (first === undefined) return;
    const written = state.written.get(member);
    const canonical = memberSubject(first, member);
    if (written !== undefined) {
      this.#add(memberSubject(shownAt, member), `after-write:${written.writer}`);
      const number = this.#numbers.get(`${written.writer} ${written.at}`);
      if (number !== undefined) this.#found.effective.add(number);
      if (this.#isReading(call)) {
        if (written.isRestarted && written.followed.size === 0) this.#add(canonical, "after-reboot");
        for (const aspect of written.followed) this.#add(canonical, aspect);
      }
    }
    for (const writer of state.beside.get(member) ?? []) this.#add(canonical, `unchanged-by:${writer}`);
  }

  /** Whether the call is a reading and no write that shows what it stored. */
  #isReading({ operation }: Call): boolean {
    return this.#thing.views.some((one) => one.operation === operation);
  }

  /** The things that a write is about: by the answer, the path, or the values of its key. */
  #keysOf({ body, sent }: Call): string[] {
    const { key, views } = this.#thing;
    if (key === undefined) return [""];
    const named = sent.values(views[0]?.at === undefined ? key : `${views[0].at}.${key}`);
    if (named.length > 0) return named.map(String);
    if (this.#thing.name === "tag-value") return [sent.text("tag") ?? ""];
    const answered = memberOf(memberOf(body, "data"), key);
    return answered === undefined ? [] : [textOf(answered)];
  }

  #stateOf(key: string): ItemState {
    const known = this.#items.get(key);
    if (known !== undefined) return known;
    const fresh: ItemState = { known: new Map(), written: new Map(), beside: new Map(), others: new Set() };
    this.#items.set(key, fresh);
    return fresh;
  }

  #allWritten(): Written[] {
    return [...this.#items.values()].flatMap(({ written }) => [...written.values()]);
  }

  #add(subject: string, aspect: string): void {
    this.#found.cells.add(cellId("member", subject, aspect));
  }
}

/** One text for the values of a member, whichever order a list has. */
function shown(values: readonly unknown[]): string {
  return values.length === 1 ? textOf(values[0]) : values.map(textOf).toSorted().join("\n");
}
