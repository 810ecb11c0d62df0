// The state of a gateway may only change through accepted requests, and only where they are aimed.
import { sameValue } from "../../../harness/index.ts";
import { stringifyJson } from "../../../record/index.ts";
import type { OperationId } from "../../../interface/operations/index.ts";
import type { Observation } from "./channel.ts";
import type { HostileRequest } from "./request.ts";
import type { AttackTarget, StatePart } from "./target.ts";

export interface Loss {
  readonly part: StatePart;
  readonly before: unknown;
  readonly difference: string;
}

const shownCharacters = 400;

export class StateWatch {
  readonly #parts: readonly StatePart[];
  readonly #reference = new Map<StatePart, unknown>();

  constructor(parts: readonly StatePart[]) {
    this.#parts = parts;
  }

  /** Reads everything; unreadable parts are not watched. */
  async begin(): Promise<void> {
    for (const { part, reading } of await readAll(this.#parts)) {
      if (reading !== undefined) this.#reference.set(part, reading);
    }
  }

  /** Parts that changed although no operation that may change them was accepted. The current state is the new reference. */
  async compare(accepted: ReadonlySet<OperationId>): Promise<Loss[]> {
    const losses: Loss[] = [];
    for (const { part, reading: after } of await readAll([...this.#reference.keys()])) {
      const before = this.#reference.get(part);
      if (sameValue(after, before)) continue;
      const mayMove = [...part.movedBy].some((operation) => accepted.has(operation));
      // What an accepted request made unreadable has no reference until it is readable again.
      if (after !== undefined || mayMove) this.#reference.set(part, after);
      if (mayMove || before === undefined) continue;
      losses.push({ part, before, difference: `${show(before)} before, ${show(after)} after` });
    }
    return losses;
  }
}

/** All parts at once; undefined for what cannot be read. */
function readAll(parts: readonly StatePart[]): Promise<{ part: StatePart; reading: unknown }[]> {
  return Promise.all(
    parts.map(async (part) => ({ part, reading: await part.read().catch(() => undefined) })),
  );
}

function show(value: unknown): string {
  if (value === undefined) return "unreadable";
  const text = stringifyJson(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}...` : text;
}

interface Sent {
  readonly target: AttackTarget;
  readonly request: HostileRequest;
}

const maxReplayed = 600;

/** Repeats the requests one by one until the part changes; undefined when it does not. */
export async function findCause(
  { part, before }: Loss,
  log: readonly Sent[],
  send: (target: AttackTarget, request: HostileRequest) => Promise<Observation>,
): Promise<Sent | undefined> {
  await part.restore?.(before);
  let reference = await part.read().catch(() => undefined);
  for (const one of log.slice(-maxReplayed)) {
    const observation = await send(one.target, one.request);
    const now = await part.read().catch(() => undefined);
    if (sameValue(now, reference)) continue;
    const isAccepted =
      observation.outcome === "answered" &&
      observation.answer.status >= 200 &&
      observation.answer.status < 300;
    if (!(isAccepted && part.movedBy.has(one.request.operation))) {
      await part.restore?.(before);
      return one;
    }
    reference = now;
  }
  return undefined;
}
