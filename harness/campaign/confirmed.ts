// On a busy machine that carries the gateway itself, a failure and a measurement that straddles a limit are repeated.
import type { GatewayConnection } from "../client/connection.ts";
import { isThisMachine, watchMachine } from "../../rigs/index.ts";
import type { TestCase } from "../suite/case.ts";
import type { FinishedCase } from "./caseRun.ts";

const busy = "the machine of the gateway was busy, and the case did not fail when it was repeated";

/**
 * Runs the case. Where lateness of this machine may explain it, a failure is repeated once and counts when it repeats,
 * and a case with an inconclusive check is measured once more.
 */
export async function runConfirmed(
  testCase: TestCase,
  { kind, baseUrl }: Pick<GatewayConnection, "kind" | "baseUrl">,
  run: () => Promise<FinishedCase>,
  watch = watchMachine,
): Promise<FinishedCase> {
  const wasBusy = watch();
  const first = await run();
  const isHere = kind !== "remote" || isThisMachine(new URL(baseUrl).hostname);
  if (!isHere || !dependsOnTime(testCase) || !wasBusy()) return first;
  if (first.record.verdict === "fail") return confirmed(first, await run());
  if (first.record.reasonCode !== "undecided-check") return first;
  const second = withNote(await run(), `measured again on a busy machine, because of ${first.record.reason}`);
  return second.record.verdict === "fail" ? confirmed(second, await run()) : second;
}

function confirmed(failure: FinishedCase, repeated: FinishedCase): FinishedCase {
  return repeated.record.verdict === "fail" ? failure : unconfirmed(failure);
}

function withNote({ record, ...rest }: FinishedCase, note: string): FinishedCase {
  return { ...rest, record: { ...record, notes: [...record.notes, note] } };
}

/** Whether a check of the case rests on something that must happen within a time. */
function dependsOnTime({ alone, capabilities = [], equipment = [], load, tags = [] }: TestCase): boolean {
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
