// Judges the stored record of a run again by the present code: limits, checks, shapes of answers, roll-up.
import { isOperationId, type OperationId } from "../../interface/operations/index.ts";
import { Answer } from "../transport/answer.ts";
import { maxRecordedBytes } from "../transport/transport.ts";
import { decide } from "../measurement/interval.ts";
import type { CampaignRecord, CaseRecord, CheckRecord, Exchange, Measurement } from "../../record/index.ts";
import { type Ending, endOf, failed, reasonsFromChecks, verdictFor } from "./ending.ts";
import { hasStatedShape } from "./recorder.ts";
import { rollUpRequirements, summarise } from "./rollUp.ts";
import { shapeCases, ShapeJudge } from "./shapes.ts";

export interface Judgement {
  /** The record with the verdicts as they follow from the evidence now. */
  readonly record: CampaignRecord;
  /** One line for each verdict that differs from the stored one. */
  readonly differences: readonly string[];
}

/**
 * Recomputes every verdict of the record. What only the run itself could observe (a case that
 * was ended early, an answer too long to be stored) remains as recorded.
 */
export async function judgeAgain(
  stored: CampaignRecord,
  exchangesOf: (caseId: string) => Promise<readonly Exchange[]>,
): Promise<Judgement> {
  const shapeIds = new Set(shapeCases.map((one) => one.id));
  const written = stored.cases.filter((one) => !shapeIds.has(one.id));
  const shapes = new ShapeJudge();
  const unread = new Set<OperationId>();
  for (const { id } of written) {
    const { answers, tooLong } = storedAnswers(await exchangesOf(id));
    shapes.take(id, answers);
    for (const operationId of tooLong) unread.add(operationId);
  }
  const oldShapes = stored.cases.filter((one) => shapeIds.has(one.id));
  const reproduceBy = new Map(stored.cases.map((one) => [one.id, one.reproduce]));
  const newShapes = shapes.records(
    stored.seed,
    (caseId) => reproduceBy.get(caseId) ?? `rackproof repro RUN ${caseId}`,
  );
  const cases = [...written.map(judgeCase), ...mergeShapes(oldShapes, newShapes, unread)];
  const declared = new Set(stored.requirements.filter((one) => one.isDeclared === true).map(({ id }) => id));
  const requirements = rollUpRequirements(cases, (id) => declared.has(id));
  const record = { ...stored, requirements, cases, summary: summarise(cases, requirements, stored.complete) };
  return { record, differences: compare(stored, record) };
}

/** The stored answers of a case. */
function storedAnswers(exchanges: readonly Exchange[]): {
  answers: Answer<OperationId>[];
  tooLong: OperationId[];
} {
  const answers: Answer<OperationId>[] = [];
  const tooLong: OperationId[] = [];
  for (const exchange of exchanges) {
    const { operation, answer } = exchange;
    if (answer === undefined || !isOperationId(operation)) continue;
    if (answer.bodyBytes > maxRecordedBytes) {
      tooLong.push(operation);
      continue;
    }
    const kept = new Answer(operation, exchange, answer.status, answer.headers, Buffer.from(answer.body));
    if (hasStatedShape(kept)) answers.push(kept);
  }
  return { answers, tooLong };
}

/** Where an answer was too long to be stored, the findings of the run count. */
function mergeShapes(
  oldShapes: readonly CaseRecord[],
  newShapes: readonly CaseRecord[],
  unread: ReadonlySet<OperationId>,
): CaseRecord[] {
  const fresh = new Map(newShapes.map((record) => [record.id, record]));
  const isUnread = (id: string): boolean =>
    shapeCases.some((one) => one.id === id && unread.has(one.operation));
  const kept = oldShapes.filter((old) => isUnread(old.id) && fresh.get(old.id)?.verdict !== "fail");
  const keptIds = new Set(kept.map((record) => record.id));
  return [...kept, ...newShapes.filter((record) => !keptIds.has(record.id))];
}

function judgeCase(stored: CaseRecord): CaseRecord {
  const checks = judgeChecks(stored.checks, stored.measurements);
  const ending = judgeEnding(stored, checks);
  const decided = stored.requirements.map((requirement) => ({
    requirement,
    verdict: verdictFor(requirement, checks, ending),
  }));
  const { reason: _reason, reasonCode: _code, ...rest } = stored;
  return { ...rest, ...ending, checks, decided };
}

/** An early end remains: the rest of the case did not run. A failed check outweighs it. */
function judgeEnding(stored: CaseRecord, checks: readonly CheckRecord[]): Ending {
  const { reasonCode, reason, verdict } = stored;
  const endedEarly = reasonCode !== undefined && !reasonsFromChecks.includes(reasonCode);
  if (!endedEarly) return endOf(stored.requirements, checks);
  if (checks.some((check) => check.verdict === "fail")) return failed(checks);
  return { verdict, reasonCode, ...(reason === undefined ? {} : { reason }) };
}

/** Measurements are compared with their limits again; the check of each is found by its name, in order. */
function judgeChecks(checks: readonly CheckRecord[], measurements: readonly Measurement[]): CheckRecord[] {
  const left = [...measurements];
  return checks.map((check) => {
    const index = left.findIndex((one) => one.name === check.what);
    const [measured] = index < 0 ? [] : left.splice(index, 1);
    if (measured === undefined) return check;
    const { low, high, limitLow, limitHigh } = measured;
    const limits = {
      ...(limitLow === undefined ? {} : { low: limitLow }),
      ...(limitHigh === undefined ? {} : { high: limitHigh }),
    };
    const verdict = decide({ low, high }, limits);
    return { ...check, verdict: verdict === "fail" && check.verdict === "advice" ? "advice" : verdict };
  });
}

function compare(before: CampaignRecord, after: CampaignRecord): string[] {
  return [
    ...changes(verdictsOf(before.cases), verdictsOf(after.cases), "case "),
    ...changes(decisionsOf(before.cases), decisionsOf(after.cases), ""),
    ...changes(verdictsOf(before.requirements), verdictsOf(after.requirements), "requirement "),
    ...changes(
      new Map([["verdict", before.summary.verdict]]),
      new Map([["verdict", after.summary.verdict]]),
      "",
    ),
  ];
}

function verdictsOf(
  items: readonly { readonly id: string; readonly verdict: string }[],
): Map<string, string> {
  return new Map(items.map(({ id, verdict }) => [id, verdict]));
}

function decisionsOf(cases: readonly CaseRecord[]): Map<string, string> {
  return new Map(
    cases.flatMap(({ id, decided }) =>
      decided.map(({ requirement, verdict }) => [`${requirement} in ${id}`, verdict] as const),
    ),
  );
}

function changes(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  what: string,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const was = before.get(id) ?? "absent";
    const is = after.get(id) ?? "absent";
    return was === is ? [] : [`${what}${id}: was ${was}, is ${is}`];
  });
}
