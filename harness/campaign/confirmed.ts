// On a busy machine that carries the gateway itself, a failure and a measurement that straddles a limit are repeated; on
// an impaired line the measurement, until no lost packet widens its interval over the limit.
import type { GatewayConnection } from "../client/connection.ts";
import { isThisMachine, watchMachine } from "../../rigs/index.ts";
import type { TestCase } from "../suite/case.ts";
import type { FinishedCase } from "./caseRun.ts";

const busy = "the machine of the gateway was busy, and the case did not fail when it was repeated";

/** Measurements of one case. */
const mostOnLine = { most: 6, where: "an impaired line" };
const mostOnMachine = { most: 3, where: "a busy machine" };

/**
 * Runs the case. Where lateness of this machine may explain it, a failure is repeated once and counts when it repeats,
 * and a case with an inconclusive check, or with too little evidence, is measured up to twice more. On an impaired line such a case is measured more often:
 * each measurement contains the true value, so that a gateway outside the limit passes none of them.
 */
export async function runConfirmed(
  testCase: TestCase,
  { kind, baseUrl, isLineImpaired }: Pick<GatewayConnection, "kind" | "baseUrl" | "isLineImpaired">,
  run: () => Promise<FinishedCase>,
  watch = watchMachine,
): Promise<FinishedCase> {
  const wasBusy = watch();
  const first = isLineImpaired ? await untilDecided(await run(), run, mostOnLine) : await run();
  const isHere = kind !== "remote" || isThisMachine(new URL(baseUrl).hostname);
  if (!isHere || !dependsOnTime(testCase) || !wasBusy()) return first;
  if (first.record.verdict === "fail") return confirmed(first, await run());
  if (!isUndecided(first) || isLineImpaired) return first;
  const last = await untilDecided(first, run, mostOnMachine);
  return last.record.verdict === "fail" ? confirmed(last, await run()) : last;
}

async function untilDecided(
  first: FinishedCase,
  run: () => Promise<FinishedCase>,
  { most, where }: typeof mostOnLine,
): Promise<FinishedCase> {
  let finished = first;
  const reasons: string[] = [];
  while (isUndecided(finished) && reasons.length + 1 < most) {
    reasons.push(finished.record.reason ?? "an inconclusive check");
    finished = await run();
  }
  return reasons.reduce(
    (last, reason) => withNote(last, `measured again on ${where}, because of ${reason}`),
    finished,
  );
}

/** Operations that a gateway without room rejects. */
const creations: ReadonlySet<string> = new Set([
  "createRole",
  "addUser",
  "createVirtualTag",
  "createUpgradeJob",
]);
/** Sessions that hold no token, or get another one. */
const signsInItself: ReadonlySet<string> = new Set(["anonymous", "admin"]);
const isRejection = (status = 0): boolean => status >= 400 && status < 500;
const unauthorized = 401;
/** Conflict, Locked and Service Unavailable: the gateway may be at work for another case. */
const occupied: ReadonlySet<number | undefined> = new Set([409, 423, 503]);
const insufficientStorage = 507;

/**
 * Whether the case lacked something that the cases beside it may have held: its precondition, an answer to its content,
 * its turn, room for one more account, tag or job, or a sign-in, which a gateway with few of them may end for another.
 */
export function lacksRoom({ record, exchanges }: Pick<FinishedCase, "record" | "exchanges">): boolean {
  const { verdict, reasonCode, checks } = record;
  if (verdict === "inconclusive")
    return reasonCode === "precondition-unmet" || reasonCode === "undecided-check";
  const failed = new Set(checks.flatMap((one) => (one.verdict === "fail" ? (one.exchange ?? []) : [])));
  return exchanges.some(({ number, operation, session, answer }) => {
    const status = failed.has(number) ? answer?.status : undefined;
    if (status === unauthorized) return operation !== "signIn";
    // Of other sessions than the administrator's, whose ended sign-in is seen at once, by any status.
    if (!signsInItself.has(session) && isRejection(status)) return true;
    return occupied.has(status) || (creations.has(operation) && status === insufficientStorage);
  });
}

function isUndecided({ record: { reasonCode } }: FinishedCase): boolean {
  return reasonCode === "undecided-check" || reasonCode === "insufficient-evidence";
}

function confirmed(failure: FinishedCase, repeated: FinishedCase): FinishedCase {
  return repeated.record.verdict === "fail" ? failure : unconfirmed(failure);
}

function withNote({ record, ...rest }: FinishedCase, note: string): FinishedCase {
  return { ...rest, record: { ...record, notes: [...record.notes, note] } };
}

/** Whether a check of the case rests on something that must happen within a time. */
export function dependsOnTime({
  alone,
  capabilities = [],
  equipment = [],
  load,
  tags = [],
}: TestCase): boolean {
  return (
    alone === true ||
    load === true ||
    tags.includes("timing") ||
    equipment.includes("field-devices") ||
    capabilities.some((id) => id === "tag-stream" || id === "event-stream")
  );
}

function unconfirmed({ record, ...rest }: FinishedCase): FinishedCase {
  const open = <T extends { readonly verdict: string }>(one: T): T | (T & { verdict: "inconclusive" }) =>
    one.verdict === "fail" ? { ...one, verdict: "inconclusive" } : one;
  return {
    ...rest,
    record: {
      ...record,
      verdict: "inconclusive",
      reasonCode: "not-confirmed",
      reason: `${record.reason ?? "failed"} (inconclusive: ${busy})`,
      checks: record.checks.map(open),
      decided: record.decided.map(open),
    },
  };
}
