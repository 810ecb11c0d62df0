// Sends hostile requests to many operations in parallel, compares the gateway's state in between, and shrinks findings.
import fc from "fast-check";
import type { Clock, Outside } from "../../../harness/index.ts";
import type { OperationId } from "../../../interface/operations/index.ts";
import { Channel, type Observation, openSocket } from "./channel.ts";
import { certainRequests, hostileRequests } from "./generate.ts";
import { faultOf } from "./judge.ts";
import { reduce } from "./reduce.ts";
import { type HostileKind, type HostileRequest, toWire } from "./request.ts";
import { findCause, type StateWatch } from "./stateWatch.ts";
import { SetGuard } from "./setGuard.ts";
import type { AttackTarget } from "./target.ts";
import { Turns } from "./turns.ts";
import { parseJson } from "../../../record/index.ts";

export interface Finding {
  readonly operation: OperationId;
  readonly kind: HostileKind;
  /** The deviation, in words that distinguish findings. */
  readonly fault: string;
  readonly request: HostileRequest;
  readonly observation: Observation;
  /** Whether it was observed again without other requests. */
  readonly isRepeatable: boolean;
}

export interface AttackOptions {
  readonly clock: Clock;
  readonly outside: Outside;
  readonly baseUrl: () => string;
  readonly patienceMs: number;
  /** There and back on the line to the gateway. */
  readonly roundTripMs: number;
  /** Time for an unreachable gateway to be reachable again; afterwards the attack ends. */
  readonly returnMs: number;
  readonly seed: number;
  /** Number of requests, without those of shrinking. */
  readonly requests: number;
  /** Time limit, which may end the attack earlier. */
  readonly timeMs: number;
  /** Number of operations attacked at the same time. */
  readonly workers: number;
  readonly state: StateWatch;
  readonly signal: AbortSignal;
}

export interface AttackResult {
  readonly sent: number;
  readonly tookMs: number;
  /** Number of answers by status; `none` for missing answers. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
  /** Whether requests without an answer ended it, before its number of requests and its time limit. */
  readonly isEndedBySilence: boolean;
}

const maxShrinks = 200;
/** Findings without an answer that end the attack: each costs the patience several times, and more say nothing new. */
const maxSilences = 2;
/** Time for making one finding smaller, as a multiple of the patience. */
const shrinkPatiences = 2;
const returnEveryMs = 200;
/** Requests to one operation between two comparisons of the state: every operation has some within a short time. */
const roundRequests = 50;

export async function attack(
  targets: readonly AttackTarget[],
  options: AttackOptions,
): Promise<AttackResult> {
  const run = new Attack(options);
  const startedMs = options.clock.nowMs();
  const share = distribute(options.requests, targets.length, options.seed);
  const left = new Map(targets.map((target, index) => [target, share[index] ?? 0]));
  await options.state.begin();
  const groups = groupsOf(targets, options.workers);
  for (let round = 0; [...left.values()].some((count) => count > 0) && !run.isOver; round++) {
    for (const group of groups) {
      if (run.isOver) break;
      await run.round(
        group.map((target) => {
          const count = Math.min(roundRequests, left.get(target) ?? 0);
          left.set(target, (left.get(target) ?? 0) - count);
          return { target, count };
        }),
        round,
      );
    }
  }
  const { sent, statuses, isEndedBySilence } = run;
  const tookMs = options.clock.nowMs() - startedMs;
  return { sent, tookMs, statuses, findings: run.settled(), isEndedBySilence };
}

/** Groups of at most `size`; no operation shares a group with one that may change the state it sets. */
function groupsOf(targets: readonly AttackTarget[], size: number): AttackTarget[][] {
  const groups: AttackTarget[][] = [];
  for (const target of targets) {
    const group = groups.find(
      (others) =>
        others.length < size && !others.some((other) => disturbs(other, target) || disturbs(target, other)),
    );
    if (group === undefined) groups.push([target]);
    else group.push(target);
  }
  return groups;
}

function disturbs(one: AttackTarget, other: AttackTarget): boolean {
  return other.sets?.movedBy.has(one.operation) === true;
}

/** Even shares; the seed chooses which operations get one more. */
function distribute(total: number, parts: number, seed: number): number[] {
  const each = Math.floor(total / parts);
  const more = total % parts;
  return Array.from({ length: parts }, (_, index) => each + ((index + seed) % parts < more ? 1 : 0));
}

class Attack {
  sent = 0;
  readonly statuses = new Map<string, number>();
  readonly findings: Finding[] = [];
  readonly #options: AttackOptions;
  readonly #deadlineMs: number;
  /** Faults already found, by operation, kind and fault. */
  readonly #known = new Set<string>();
  /** Requests of this round, for the search of the one that changed the state. */
  #log: { target: AttackTarget; request: HostileRequest }[] = [];
  #accepted = new Set<OperationId>();
  readonly #turns = new Turns();
  /** Ends of connections that their requests did not reproduce. */
  readonly #seenOnce = new Map<string, Finding>();
  #isGone = false;
  #return: Promise<void> | undefined;

  constructor(options: AttackOptions) {
    this.#options = options;
    this.#deadlineMs = options.clock.nowMs() + options.timeMs;
  }

  /** All findings; an end observed once is attributed to another request when that one reproduces an end. */
  settled(): Finding[] {
    const hasCause = this.findings.some(
      ({ observation: { outcome } }) => outcome !== "answered" && outcome !== "state-changed",
    );
    return [...this.findings, ...(hasCause ? [] : this.#seenOnce.values())];
  }

  get isOver(): boolean {
    const { signal, clock } = this.#options;
    return this.#isGone || signal.aborted || clock.nowMs() > this.#deadlineMs || this.isEndedBySilence;
  }

  get isEndedBySilence(): boolean {
    return this.findings.filter(({ observation }) => observation.outcome === "silent").length >= maxSilences;
  }

  async round(work: readonly { target: AttackTarget; count: number }[], round: number): Promise<void> {
    this.#log = [];
    this.#accepted = new Set();
    await Promise.all(
      work.filter(({ count }) => count > 0).map(({ target, count }) => this.#attackOne(target, count, round)),
    );
    await this.#compareState();
  }

  /** Runs the property "every request is answered correctly"; continues after each finding without it. */
  async #attackOne(target: AttackTarget, count: number, round: number): Promise<void> {
    using channel = this.#openChannel();
    const guard = new SetGuard(target);
    const requests = hostileRequests(target);
    let left = count;
    for (let again = 0; left > 0 && !this.isOver; again++) {
      let found:
        | { key: string; fault: string; request: HostileRequest; observation: Observation }
        | undefined;
      let shrinks = 0;
      let shrinkUntilMs = Number.POSITIVE_INFINITY;
      const property = fc.asyncProperty(requests, async (request) => {
        if (this.isOver || shrinks > maxShrinks || this.#options.clock.nowMs() > shrinkUntilMs) return true;
        if (found !== undefined) shrinks += 1;
        if (found === undefined) left -= 1;
        const observation = await this.#send(channel, target, request, found === undefined);
        const fault = faultOf(request, observation) ?? (await guard.faultAfter(observation));
        if (fault === undefined) return true;
        const key = `${request.operation} ${request.kind} ${fault}`;
        if (found === undefined ? this.#known.has(key) : found.key !== key) return true;
        if (found === undefined && !(await this.#isCause(channel, target, request, observation, fault)))
          return true;
        if (found === undefined) shrinkUntilMs = this.#shrinkUntilMs();
        found = { key, fault, request, observation };
        return false;
      });
      const seed = this.#options.seed + 1_000_003 * round + 7919 * again;
      using _turn = { [Symbol.dispose]: () => this.#turns.give(target) };
      const examples = round + again === 0 ? certainRequests(target) : [];
      await fc.check(property, {
        numRuns: left,
        seed: seed | 0,
        examples: examples.slice(0, left).map((one) => [one]),
      });
      // The compiler cannot see the assignment in the closure.
      const finding = found as
        | { key: string; fault: string; request: HostileRequest; observation: Observation }
        | undefined;
      if (finding === undefined) break;
      this.#known.add(finding.key);
      await this.#keep(channel, target, guard, finding);
    }
  }

  /**
   * Whether the request alone makes the gateway fail to answer, without other requests; if it does, the turn is reserved for
   * shrinking. An answer always belongs to its own request.
   */
  async #isCause(
    channel: Channel,
    target: AttackTarget,
    request: HostileRequest,
    observation: Observation,
    fault: string,
  ): Promise<boolean> {
    if (observation.outcome === "answered") return true;
    await this.#turns.take(target);
    const again = await this.#send(channel, target, request, false);
    if (faultOf(request, again) === fault) return true;
    this.#turns.give(target);
    const { operation, kind } = request;
    const once = { operation, kind, fault, request, observation, isRepeatable: false };
    this.#seenOnce.set(`${operation} ${kind} ${fault}`, once);
    return false;
  }

  #shrinkUntilMs(): number {
    return this.#options.clock.nowMs() + shrinkPatiences * this.#options.patienceMs;
  }

  async #keep(
    channel: Channel,
    target: AttackTarget,
    guard: SetGuard,
    { fault, request, observation }: { fault: string; request: HostileRequest; observation: Observation },
  ): Promise<void> {
    let last = observation;
    const untilMs = this.#shrinkUntilMs();
    const fails = async (candidate: HostileRequest): Promise<boolean> => {
      if (this.#options.clock.nowMs() > untilMs) return false;
      const seen = await this.#send(channel, target, candidate, false);
      if ((faultOf(candidate, seen) ?? (await guard.faultAfter(seen))) !== fault) return false;
      last = seen;
      return true;
    };
    const isRepeatable = await fails(request);
    const smallest = isRepeatable ? await reduce(request, target, fails) : request;
    const { operation, kind } = request;
    this.findings.push({ operation, kind, fault, request: smallest, observation: last, isRepeatable });
  }

  async #send(
    channel: Channel,
    target: AttackTarget,
    request: HostileRequest,
    isCounted: boolean,
  ): Promise<Observation> {
    const bytes = toWire(request, new URL(this.#options.baseUrl()).host, target.callerToken());
    const isHead = request.method === "HEAD";
    const ask = (): Promise<Observation> =>
      this.#turns.run(target, () => channel.exchange(bytes, { isHead, isAlone: !request.isWellFramed }));
    let observation = await ask();
    if (observation.outcome === "unreachable") {
      await this.#awaitReturn();
      if (!this.#isGone) observation = await ask();
    }
    const status = observation.outcome === "answered" ? observation.answer.status : 0;
    if (isCounted) {
      this.sent += 1;
      this.#log.push({ target, request });
      const name = status === 0 ? "none" : String(status);
      this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    }
    // On a bad line an answer may come after the patience: the request may have been accepted.
    if (status === 0 && this.#options.roundTripMs > 0) this.#accepted.add(target.operation);
    if (observation.outcome === "answered") {
      if (status >= 200 && status < 300) {
        this.#accepted.add(target.operation);
        await target.takeBack?.(parse(observation.answer.body));
      }
      if (status === 401 && target.token !== undefined && request.kind !== "header-game")
        await target.renewCaller();
    }
    return observation;
  }

  /** Waits for a gateway that accepts no connections; further requests would only show that it is unreachable. */
  #awaitReturn(): Promise<void> {
    const { clock, outside, baseUrl, returnMs, signal } = this.#options;
    const wait = async (): Promise<void> => {
      const startedMs = clock.nowMs();
      while (!signal.aborted && clock.nowMs() - startedMs < returnMs) {
        const isOpen = await outside.ask("connection", async () => {
          const socket = await openSocket(baseUrl(), returnEveryMs * 10).catch(() => undefined);
          socket?.destroy();
          return socket !== undefined;
        });
        if (isOpen) return;
        await clock.delay(returnEveryMs, signal);
      }
      this.#isGone = true;
    };
    this.#return ??= wait().finally(() => {
      this.#return = undefined;
    });
    return this.#return;
  }

  async #compareState(): Promise<void> {
    const { state } = this.#options;
    for (const loss of await state.compare(this.#accepted)) {
      using channel = this.#openChannel();
      const send = (target: AttackTarget, request: HostileRequest): Promise<Observation> =>
        this.#send(channel, target, request, false);
      const cause = await findCause(loss, this.#log, send);
      const last = cause ?? this.#log.at(-1);
      if (last === undefined) continue;
      const { target, request } = last;
      const fault = `${loss.part.name} changed`;
      const observation: Observation = { outcome: "state-changed", how: loss.difference };
      const key = `${request.operation} ${request.kind} ${fault}`;
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      this.findings.push({
        operation: target.operation,
        kind: request.kind,
        fault,
        request,
        observation,
        isRepeatable: cause !== undefined,
      });
    }
  }

  #openChannel(): Channel {
    const { outside, baseUrl, patienceMs, roundTripMs } = this.#options;
    return new Channel({ outside, baseUrl, patienceMs, roundTripMs });
  }
}

function parse(body: Buffer): unknown {
  try {
    return parseJson(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
