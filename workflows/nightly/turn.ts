// A gateway's turn of a night: its wires are checked, then it is run, and cases that did not pass are repeated.
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { FinishedTurn, KeptAttempt } from "../history/history.ts";
import { neverRan } from "../history/history.ts";
import type { HeldGateway } from "../leases/heldGateway.ts";
import type { CampaignRecord, Measurement, TurnOutcome } from "../../record/index.ts";
import type { HeldLease, PartCheck } from "../../harness/index.ts";
import { type AttemptResult, attemptFolder, type RunAttempt } from "./attempt.ts";
import type { GatewayPlan } from "./plan.ts";
import { type ExpectedFailure, excuseOf, termsOf } from "../expectedFailures/expectedFailures.ts";
import { type ConcludedCase, concludeCase, concludeRequirements, isOpen } from "../history/outcome.ts";

export interface TurnSurroundings {
  readonly plan: GatewayPlan;
  /** Arguments of a command line after the name of the gateway: `--rack FILE`. */
  readonly rackWords: readonly string[];
  readonly level: CampaignLevel;
  readonly selection: string;
  readonly seed: number;
  /** How often cases that did not pass are repeated. */
  readonly retries: number;
  /** Every case is repeated, whatever its verdict. */
  readonly repeatsAll?: boolean;
  readonly nightFolder: string;
  readonly lease: Pick<HeldGateway, "environment" | "lost"> & Pick<HeldLease, "place">;
  readonly signal: AbortSignal;
  readonly checkWires: (plan: GatewayPlan, place: HeldLease["place"]) => Promise<readonly PartCheck[]>;
  readonly runAttempt: RunAttempt;
  /** Receives the state of the turn. */
  readonly tell: (state: "checking" | "running", folder?: string, attempt?: number) => void;
  readonly nowIso: () => string;
  /** Requirements that decide conformance. */
  readonly isStated: (requirement: string) => boolean;
  /** Failures that the exit code disregards. */
  readonly quarantined?: readonly ExpectedFailure[];
}

/** Never throws for what a gateway, a rig or a run does. */
export async function takeTurn(surroundings: TurnSurroundings): Promise<FinishedTurn> {
  const { plan } = surroundings;
  surroundings.tell("checking");
  const checks = await surroundings.checkWires(plan, surroundings.lease.place);
  const broken = checks.filter(({ ok }) => !ok);
  const fatal = broken.find((check) => isFatal(check, plan, broken));
  if (fatal !== undefined) return setAside(plan, `${fatal.wire}: ${fatal.detail}`);
  const parts = broken.filter(({ part }) => part !== "gateway");
  const without = [...new Set(parts.map(({ part }) => part))];
  const tries = await attempts(surroundings, without);
  const first = tries[0];
  const failure = healthFailure(first?.result);
  if (failure !== undefined && !surroundings.signal.aborted)
    return setAside(
      plan,
      failure,
      tries.map(({ kept }) => kept),
    );
  const started = tries.some(({ result }) => result.record !== undefined || result.concluded.length > 0);
  if (!started && !surroundings.signal.aborted)
    return setAside(
      plan,
      first?.result.trouble ?? "the run ended without a message",
      tries.map(({ kept }) => kept),
    );
  return conclude(surroundings, tries, parts);
}

/** A run switches on a gateway that is off and has a switch; every other part of the rig can be omitted. */
function isFatal({ part }: PartCheck, { gateway }: GatewayPlan, broken: readonly PartCheck[]): boolean {
  if (part === "profile") return true;
  const canBeSwitchedOn =
    gateway.kind === "remote" && gateway.power !== undefined && !broken.some((one) => one.part === "power");
  return part === "gateway" && !canBeSwitchedOn;
}

/** Why no case could be run, where the lab and not the gateway is the reason. */
function healthFailure(result: AttemptResult | undefined): string | undefined {
  const trouble = result?.record?.trouble;
  return trouble?.kind === "health-check" ? troubleText(trouble) : undefined;
}

function troubleText({
  part,
  expected,
  found,
  remedy,
  since,
}: NonNullable<CampaignRecord["trouble"]>): string {
  return `${part}: expected ${expected}, found ${found}${since === undefined ? "" : `, since ${since}`}. Fix: ${remedy}`;
}

interface Try {
  readonly kept: KeptAttempt;
  readonly result: AttemptResult;
}

async function attempts(surroundings: TurnSurroundings, without: readonly string[]): Promise<Try[]> {
  const { plan, signal, lease, retries, repeatsAll = false } = surroundings;
  const tries: Try[] = [];
  let selection = surroundings.selection;
  for (let number = 1; number <= retries + 1; number++) {
    const one = await attempt(surroundings, number, selection, without);
    tries.push(one);
    const again = repeatsAll ? plan.expected.map(({ id }) => id) : toTryAgain(plan, tries);
    // A run that failed to start would fail to start again.
    const isInVain = one.result.concluded.length === 0 || healthFailure(one.result) !== undefined;
    if (again.length === 0 || isInVain || signal.aborted || lease.lost.aborted) break;
    selection = again.join(",");
  }
  return tries;
}

async function attempt(
  surroundings: TurnSurroundings,
  number: number,
  selection: string,
  without: readonly string[],
): Promise<Try> {
  const { plan, level, seed, nightFolder, lease, signal, nowIso } = surroundings;
  const folder = attemptFolder(nightFolder, plan.gateway.name, number);
  const words = [
    ...surroundings.rackWords,
    "--level",
    level,
    "--seed",
    String(seed),
    "--select",
    selection,
    ...(without.length === 0 ? [] : ["--without", without.join(",")]),
  ];
  surroundings.tell("running", folder, number);
  const startedAt = nowIso();
  const result = await surroundings.runAttempt({
    gateway: plan.gateway.name,
    words,
    folder,
    environment: lease.environment,
    signal: AbortSignal.any([signal, lease.lost]),
  });
  const kept = {
    number,
    folder,
    selection,
    startedAt,
    endedAt: nowIso(),
    ending: result.ending,
    concluded: result.concluded,
  };
  return { kept, result };
}

/** Cases that no attempt has passed yet; for a wrong shape of an answer, the cases that received it. */
function toTryAgain({ expected }: GatewayPlan, tries: readonly Try[]): string[] {
  const last = new Map(tries.flatMap(({ result }) => result.concluded.map((one) => [one.id, one] as const)));
  const open = expected.filter(({ id }) => {
    const one = last.get(id);
    return one === undefined || isOpen(one.verdict);
  });
  const known = new Set(expected.map(({ id }) => id));
  const shapes = (tries.at(-1)?.result.record?.cases ?? [])
    .filter(({ id, verdict }) => !known.has(id) && isOpen(verdict))
    .flatMap(({ checks }) =>
      checks.flatMap((check) => (isOpen(check.verdict) ? (check.exchangeCase ?? []) : [])),
    );
  return [...new Set([...open.map(({ id }) => id), ...shapes.filter((id) => known.has(id))])];
}

function conclude(
  { plan, isStated, signal, lease, quarantined = [] }: TurnSurroundings,
  tries: readonly Try[],
  parts: readonly PartCheck[],
): FinishedTurn {
  const byCase = new Map<string, ConcludedCase[]>();
  for (const { result } of tries)
    for (const one of result.concluded) byCase.set(one.id, [...(byCase.get(one.id) ?? []), one]);
  const otherwise = whyNotConcluded(tries, signal, lease.lost);
  const expected = new Map(plan.expected.map(({ id, requirements }) => [id, requirements]));
  const cases = new Map(
    [...new Set([...expected.keys(), ...byCase.keys()])].map((id) => [
      id,
      concludeCase(byCase.get(id) ?? [], otherwise),
    ]),
  );
  const requirements = concludeRequirements(byCase, expected, cases, (caseId, requirement) => {
    const entry = excuseOf(quarantined, { case: caseId, requirement });
    return entry === undefined ? undefined : termsOf(entry);
  });
  const isExcused = (caseId: string, requirement: string): boolean =>
    excuseOf(quarantined, { case: caseId, requirement }) !== undefined;
  const { outcome } = turnOutcome(byCase, cases, isStated, () => false);
  const { exitCode } = turnOutcome(byCase, cases, isStated, isExcused);
  const record = tries.find(({ result }) => result.record !== undefined)?.result.record;
  return {
    gateway: plan.gateway.name,
    outcome,
    exitCode,
    ...(outcome === "incomplete" ? { reason: otherwise } : {}),
    ...(record === undefined ? {} : { firmware: record.gateway.version, profile: record.profile.sha256 }),
    withoutParts: parts.map(({ part, detail }) => `${part}: ${detail}`),
    attempts: tries.map(({ kept }) => kept),
    cases,
    requirements,
    measurements: measurementsOf(tries[0]?.result.record),
  };
}

function whyNotConcluded(tries: readonly Try[], interrupted: AbortSignal, lost: AbortSignal): string {
  if (interrupted.aborted) return "the night was interrupted before the end of its run";
  if (lost.aborted && lost.reason instanceof Error) return lost.reason.message;
  const last = tries.at(-1)?.result;
  if (last?.record?.trouble !== undefined)
    return `a failure of the lab ended its run: ${troubleText(last.record.trouble)}`;
  const note = last?.record?.notes.at(-1);
  const trouble = last?.trouble ?? note;
  return trouble === undefined
    ? neverRan
    : `its run did not reach its end (${last?.ending ?? ""}): ${trouble}`;
}

/**
 * The exit code of a run over all attempts: a failure counts, even if the case passes at the second attempt.
 */
function turnOutcome(
  tries: ReadonlyMap<string, readonly ConcludedCase[]>,
  cases: FinishedTurn["cases"],
  isStated: (requirement: string) => boolean,
  isExcused: (caseId: string, requirement: string) => boolean,
): { outcome: TurnOutcome; exitCode: number } {
  const stated = [...tries].flatMap(([caseId, all]) =>
    all
      .flatMap(({ decided }) => decided)
      .filter(({ requirement }) => isStated(requirement))
      .map((decision) => ({ ...decision, isExcused: isExcused(caseId, decision.requirement) })),
  );
  const counted = stated.filter((one) => !one.isExcused);
  const outcomes = [...cases.values()].map(({ outcome }) => outcome);
  if (counted.some(({ verdict }) => verdict === "fail")) return { outcome: "non-conformant", exitCode: 1 };
  if (outcomes.includes("not-concluded")) return { outcome: "incomplete", exitCode: 3 };
  const isUndecided =
    outcomes.includes("error") ||
    counted.some(({ verdict }) => verdict === "inconclusive" || verdict === "error") ||
    !stated.some(({ verdict, isExcused: may }) => verdict === "pass" || (may && verdict === "fail"));
  return isUndecided ? { outcome: "inconclusive", exitCode: 3 } : { outcome: "conformant", exitCode: 0 };
}

/** A gateway that is not run: one reason, and all cases are not concluded. */
export function setAside(plan: GatewayPlan, reason: string, kept: readonly KeptAttempt[] = []): FinishedTurn {
  const conclusion = { outcome: "not-concluded", reason: `gateway excluded: ${reason}` } as const;
  return {
    gateway: plan.gateway.name,
    outcome: "set-aside",
    reason,
    withoutParts: [],
    exitCode: 3,
    attempts: kept,
    cases: new Map(plan.expected.map(({ id }) => [id, conclusion])),
    requirements: new Map(
      plan.expected.flatMap(({ requirements }) => requirements.map((id) => [id, conclusion] as const)),
    ),
    measurements: new Map(),
  };
}

function measurementsOf(record: CampaignRecord | undefined): Map<string, readonly Measurement[]> {
  return new Map((record?.cases ?? []).map(({ id, measurements }) => [id, measurements]));
}
