// A failure on a busy machine that carries the gateway itself is confirmed by a second run of the case.
import type { GatewayConnection } from "../client/connection.ts";
import { isThisMachine, watchMachine } from "../../rigs/index.ts";
import type { TestCase } from "../suite/case.ts";
import type { FinishedCase } from "./caseRun.ts";

const busy = "the machine of the gateway was busy, and the case did not fail when it was repeated";

/** Runs the case; repeats it once when it fails in a way that lateness of this machine may explain. */
export async function runConfirmed(
  testCase: TestCase,
  { kind, baseUrl }: Pick<GatewayConnection, "kind" | "baseUrl">,
  run: () => Promise<FinishedCase>,
  watch = watchMachine,
): Promise<FinishedCase> {
  const wasBusy = watch();
  const first = await run();
  const isHere = kind !== "remote" || isThisMachine(new URL(baseUrl).hostname);
  if (first.record.verdict !== "fail" || !isHere || !dependsOnTime(testCase) || !wasBusy()) return first;
  const second = await run();
  return second.record.verdict === "fail" ? first : unconfirmed(first);
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
