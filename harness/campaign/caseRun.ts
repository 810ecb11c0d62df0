// Runs one case against one gateway and makes its record. Whatever is thrown becomes a verdict with a reason.
import { Removals } from "../transport/removals.ts";
import { caseDeadlineMs } from "./caseDeadline.ts";
import { type RunningGateway, watchHostDelay } from "../../rigs/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { GatewayConnection } from "../client/connection.ts";
import type { Clock } from "../clock.ts";
import type { Answer } from "../transport/answer.ts";
import type { Tape } from "../transport/tape.ts";
import { observeCase } from "../../observation/observe.ts";
import {
  messageOf,
  type CaseRecord,
  type CheckRecord,
  type Exchange,
  HarnessFault,
  NotApplicable,
  Unmet,
  curlLine,
} from "../../record/index.ts";
import type { TestCase } from "../suite/case.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { CaseContext } from "../suite/context.ts";
import { seededRandom } from "../suite/random.ts";
import { Checks } from "./checks.ts";
import { gapNotes } from "./consoleGaps.ts";
import { ExtendableTimer } from "./extendableTimer.ts";
import { isAdvice } from "./declarations.ts";
import { type Ending, endOf, failed, verdictFor } from "./ending.ts";
import { RecordedFigures } from "./recordedFigures.ts";
import { Recorder } from "./recorder.ts";
import { CaseScratch } from "./scratch.ts";
import type { Spares } from "./spares.ts";
import { timelineOf } from "./timeline.ts";
import { waiter } from "./wait.ts";

export interface CaseSurroundings {
  readonly connection: GatewayConnection;
  /** Accounts that ended cases left; undefined: the case makes new ones. */
  readonly spares: Spares | undefined;
  /** Through which the case reaches all that it observes. */
  readonly tape: Tape;
  /** The equipment around the gateway; a case that uses a missing part is not applicable. */
  readonly equipment: RunningGateway;
  readonly seed: number;
  readonly level: CampaignLevel;
  readonly signal: AbortSignal;
  /** Why the gateway ended by itself, asked again and again while the case runs; absent where that is not known. */
  readonly watchedEnd: RunningGateway["ended"];
  /** The command line that runs the case again. */
  readonly reproduce: (caseId: string) => string;
  /** Receives each check when it is made. */
  readonly checked?: (check: Pick<CheckRecord, "requirement" | "verdict">) => void;
}

/** A finished case: its record and its exchanges. */
export interface FinishedCase {
  readonly record: CaseRecord;
  readonly exchanges: readonly Exchange[];
  /** Those whose shape is to be judged. */
  readonly answers: readonly Answer<OperationId>[];
  /** Cells of the interface that its checks observed. */
  readonly cells: ReadonlySet<string>;
  /** What the case made and could not remove. */
  readonly notUndone: readonly { readonly what: string; readonly reason: string }[];
}

const watchEndEveryMs = 20;
/** The end of a process is noticed this late at most. */
const endNoticedWithinMs = 300;
/** A gateway with a shorter device timeout than this would be unusual. */
const longestRigDelayMs = 300;
/** A gateway that lost a device by a standstill has it again by then, and shows its values. */
const disturbsForMs = 20_000;
/** Cases wait for field values for several seconds; a harness that stood still for longer than this may be the reason. */
const longestOwnDelayMs = 1000;

function hasRejectedSignIn(exchanges: readonly Exchange[], name: string): boolean {
  return exchanges.some(
    ({ operation, request, answer }) =>
      operation === "signIn" &&
      answer?.status !== 200 &&
      request.body?.includes(JSON.stringify(name)) === true,
  );
}

export async function runCase(testCase: TestCase, surroundings: CaseSurroundings): Promise<FinishedCase> {
  const { connection, seed, level, tape } = surroundings;
  const { profile } = connection;
  const { clock } = tape;
  const startedMs = clock.nowMs();
  using delays = watchHostDelay();
  const possibleDelayMs = (): number => tape.read("possible delay", delays.possibleMs);
  const isElsewhere = connection.kind === "remote";
  const checks = new Checks(
    isElsewhere ? undefined : possibleDelayMs,
    (requirement, field) => isAdvice(requirement, profile, surroundings.equipment, field),
    () => {
      const sinceMs = Math.max(startedMs, clock.nowMs() - disturbsForMs);
      return disturbanceOf(testCase, surroundings.equipment, sinceMs, tape.read("own delay", delays.ownMs));
    },
    clock,
  );
  const figures = new RecordedFigures();
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const { linePace } = surroundings.equipment;
  const deadlineMs = caseDeadlineMs(testCase, profile) * (linePace?.slowness ?? 1);
  const deadline = new AbortController();
  using timer = new ExtendableTimer(connection.clock, deadlineMs, () =>
    deadline.abort(new HarnessFault(`case not finished within its deadline of ${deadlineMs} ms`)),
  );
  // Waiting for a rate limit of the gateway does not count for the case.
  const recorder = new Recorder((waitMs) => timer.extend(waitMs));
  checks.onCheck = (check) => {
    recorder.trace.checked(check);
    surroundings.checked?.(check);
  };
  const signal = AbortSignal.any([deadline.signal, surroundings.signal]);
  const ended = (found: { readonly text: string; readonly noticedMs: number }): void => {
    checks.closeAfter(found.noticedMs - endNoticedWithinMs);
    deadline.abort(new HarnessFault(found.text));
  };
  using _end = tape.feed("end of the gateway", ended, (sink) =>
    watchEnd(surroundings.watchedEnd, clock, sink),
  );
  const removals = new Removals();
  // Undoing must work even after the deadline has passed or the campaign was interrupted.
  let isUndoing = false;
  const ofUndoing = new AbortController().signal;
  const gateway = connection.view(recorder, () => (isUndoing ? ofUndoing : signal), tape, removals);
  const random = seededRandom(seed, testCase.id);
  const scratch = new CaseScratch(
    connection.view(recorder, () => ofUndoing, tape, removals),
    profile,
    random,
    tape,
    surroundings.spares && {
      spares: surroundings.spares,
      wasRejected: (name) => hasRejectedSignIn(recorder.exchanges, name),
    },
  );
  const context: CaseContext = {
    gateway,
    get field() {
      const { field } = surroundings.equipment;
      if (field === undefined) throw new NotApplicable("the rig has no field devices");
      return field;
    },
    get power() {
      return required(surroundings.equipment.power, "switch the gateway's power");
    },
    get network() {
      return required(surroundings.equipment.network, "cut the gateway's network");
    },
    get storage() {
      return required(surroundings.equipment.storage, "fill the gateway's disk");
    },
    get gatewayClock() {
      return required(surroundings.equipment.clock, "set the gateway's clock");
    },
    get time() {
      return required(surroundings.equipment.time, "set the time of the gateway's time server");
    },
    servers: surroundings.equipment.servers ?? {},
    profile,
    level,
    random,
    clock,
    lastDate: () => recorder.lastDate(),
    outside: tape,
    scratch,
    signal,
    verify(requirement, field) {
      if (!testCase.requirements.includes(requirement)) {
        throw new HarnessFault(`${testCase.id} verifies ${requirement}, which it does not list`);
      }
      return checks.verify(requirement, field);
    },
    measure: ({ interval, observers, seenBy, ...measurement }) =>
      void checks.measurements.push({
        ...measurement,
        ...interval,
        observers: [...observers],
        ...(seenBy === undefined ? {} : { seenBy: [...seenBy] }),
      }),
    keep: figures,
    declares: (capability) => profile.capabilities.has(capability),
    hostDelayMs: possibleDelayMs,
    unmet(reason) {
      throw new Unmet(reason);
    },
    notApplicable(reason, code) {
      throw new NotApplicable(reason, code);
    },
    note,
    waitFor: waiter(clock, tape, signal, {
      defaultMs: profile.patience.settleMs,
      onTheLineMs: linePace?.exchangeMs ?? 0,
    }),
    roundTripMs: linePace?.roundTripMs ?? 0,
  };
  let ending: Ending;
  try {
    await untilAborted(() => testCase.run(context), signal);
    ending = endOf(testCase.requirements, checks.records);
  } catch (thrown) {
    checks.close();
    ending = endFrom(thrown, checks, surroundings.signal);
  }
  await connection.transport.slots.close(recorder);
  const notUndone: { what: string; reason: string }[] = [];
  isUndoing = true;
  await scratch.clean((what, reason) => {
    note(`cannot undo ${what}: ${reason}`);
    notUndone.push({ what, reason });
  });
  if (recorder.signInsEnded > 0)
    note(`the administrator's token rejected ${recorder.signInsEnded}x, each followed by another sign-in`);
  for (const gap of gapNotes(surroundings.equipment, startedMs)) note(gap);
  const alarm = surroundings.equipment.alarms?.find(({ monotonicMs }) => monotonicMs >= startedMs);
  if (alarm !== undefined && ending.verdict !== "fail") ending = tripped(alarm.text);
  const end = surroundings.equipment.ended?.();
  if (end !== undefined && ending.verdict !== "fail")
    ending = { verdict: "error", reasonCode: "gateway-ended", reason: end };
  const timeline = timelineOf(surroundings.equipment, recorder.exchanges, {
    fromMs: startedMs,
    toMs: clock.nowMs(),
  });
  const record = makeRecord(
    testCase,
    surroundings,
    checks,
    recorder,
    notes,
    ending,
    clock.nowMs() - startedMs,
  );
  if (timeline !== undefined) record.timelines = [timeline];
  figures.putInto(record);
  return {
    record,
    exchanges: recorder.exchanges,
    answers: recorder.answers,
    notUndone,
    cells: await observeCase(recorder.trace, profile, testCase.observes),
  };
}

/** Calls when the gateway ends by itself: a case has no gateway to test from then on. */
function watchEnd(
  ended: RunningGateway["ended"],
  clock: Clock,
  whenEnded: (found: { readonly text: string; readonly noticedMs: number }) => void,
): Disposable {
  const timer = setInterval(() => {
    const text = ended?.();
    if (text === undefined) return;
    clearInterval(timer);
    whenEnded({ text, noticedMs: clock.nowMs() });
  }, watchEndEveryMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** A console line alone is no verdict, but a gateway after a kernel panic is no longer the one under test. */
function tripped(line: string): Ending {
  return {
    verdict: "error",
    reasonCode: "console-alarm",
    reason: `alarm on the gateway's console: ${line}`,
  };
}

function required<T>(part: T | undefined, what: string): T {
  if (part === undefined) throw new NotApplicable(`the rig cannot ${what}`);
  return part;
}

/** A case that ignores its signal must not delay the campaign. */
async function untilAborted(run: () => Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([run(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function endFrom(thrown: unknown, checks: Checks, interrupted: AbortSignal): Ending {
  // A failed check stays failed, whatever happened afterwards.
  if (checks.records.some((check) => check.verdict === "fail")) return failed(checks.records);
  if (interrupted.aborted && !(interrupted.reason instanceof Unmet))
    return { verdict: "inconclusive", reasonCode: "interrupted", reason: "the campaign was interrupted" };
  if (thrown instanceof NotApplicable)
    return { verdict: "not-applicable", reasonCode: thrown.reasonCode, reason: thrown.message };
  if (thrown instanceof Unmet)
    return { verdict: "inconclusive", reasonCode: thrown.reasonCode, reason: thrown.message };
  if (thrown instanceof HarnessFault)
    return { verdict: "error", reasonCode: thrown.reasonCode, reason: thrown.message };
  return {
    verdict: "error",
    reasonCode: "harness-fault",
    reason: `${messageOf(thrown)} ${firstFrame(thrown)}`,
  };
}

function firstFrame(thrown: unknown): string {
  const frame =
    thrown instanceof Error
      ? thrown.stack?.split("\n").find((line) => /\/(suites|harness|rigs)\//.test(line))
      : undefined;
  const place = frame?.match(/((?:suites|harness|rigs)\/[^)]+)/)?.[1];
  return place === undefined ? "" : `(at ${place})`;
}

function makeRecord(
  testCase: TestCase,
  surroundings: CaseSurroundings,
  checks: Checks,
  recorder: Recorder,
  notes: readonly string[],
  ending: Ending,
  durationMs: number,
): CaseRecord {
  // A passed case with advice is shown like a failed one: how to see it again.
  const shown = checks.records.some((check) => check.verdict === "advice") ? "advice" : "pass";
  const asked = ending.verdict === "pass" ? shown : ending.verdict;
  const isOpen = asked !== "pass" && asked !== "not-applicable";
  const deciding = checks.records.find((check) => check.verdict === asked && check.exchange !== undefined);
  const exchange = deciding?.exchange === undefined ? undefined : recorder.find(deciding.exchange);
  return {
    id: testCase.id,
    title: testCase.title,
    group: testCase.group,
    requirements: [...testCase.requirements],
    effect: testCase.effect,
    verdict: ending.verdict,
    durationMs: Math.round(durationMs * 10) / 10,
    seed: surroundings.seed,
    ...(ending.reason === undefined ? {} : { reason: ending.reason }),
    ...(ending.reasonCode === undefined ? {} : { reasonCode: ending.reasonCode }),
    ...(isOpen ? { reproduce: surroundings.reproduce(testCase.id) } : {}),
    ...(isOpen && exchange !== undefined ? { curl: curlLine(exchange) } : {}),
    checks: checks.records,
    measurements: checks.measurements,
    notes: [...notes],
    decided: testCase.requirements.map((requirement) => ({
      requirement,
      verdict: verdictFor(requirement, checks.records, ending),
    })),
  };
}

/** What made the rig of the case late since then, if anything did. */
function disturbanceOf(
  { equipment = [] }: TestCase,
  { field }: Pick<RunningGateway, "field">,
  sinceMs: number,
  ownDelayMs: number,
): string | undefined {
  if (!equipment.includes("field-devices")) return undefined;
  const rigDelayMs = field?.stoodStillMs(sinceMs) ?? 0;
  const late = (what: string, ms: number): string =>
    `${what} stood still for ${Math.round(ms)} ms on this machine`;
  if (rigDelayMs > longestRigDelayMs) return late("the simulated field devices", rigDelayMs);
  return ownDelayMs > longestOwnDelayMs ? late("the harness", ownDelayMs) : undefined;
}
