import { attack, type AttackResult, type Finding } from "./machinery/attack.ts";
import { toExchange } from "./machinery/evidence.ts";
import { describe } from "./machinery/judge.ts";
import { StateWatch } from "./machinery/stateWatch.ts";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { gatherFacts } from "../authorisation/facts.ts";
import { makeCallers } from "./callers.ts";
import { hostileDomains, stateParts } from "./stateParts.ts";
import { attackTargets } from "./targets.ts";

/** How many requests are sent; on a slow gateway the time ends it sooner, and the case says so. */
const budgets: Readonly<Record<CampaignLevel, { requests: number; timeMs: number }>> = {
  smoke: { requests: 300, timeMs: 30_000 },
  nightly: { requests: 6000, timeMs: 600_000 },
  certification: { requests: 100_000, timeMs: 7_200_000 },
};
const workers = 8;

export const requestCases: readonly TestCase[] = [
  testCase({
    id: "hostile/requests",
    title:
      "No request, however wrong, is a fault of the gateway, ends it, or changes what it does not aim at",
    group: "general",
    requirements: ["CORE-ROBUST-01", "CORE-ROBUST-02", "CORE-ROBUST-03"],
    effect: "reversible",
    touches: ["accounts", "virtual-tags", "upgrade-jobs", "event-log", ...hostileDomains],
    capabilities: ["auth", "users", "roles"],
    tags: ["smoke"],
    alone: true,
    load: true,
    deadlineMs: 9_000_000,
    async run(context) {
      const { gateway, profile, level, random, clock, signal, note } = context;
      const facts = await gatherFacts(context);
      const callers = await makeCallers(context);
      const { requests, timeMs } = budgets[level];
      const parts = await stateParts(context, callers.token);
      const result = await attack(attackTargets(context, facts, callers, parts), {
        clock,
        baseUrl: () => gateway.currentBaseUrl(),
        patienceMs: profile.patience.answerMs,
        returnMs: profile.patience.bootMs,
        seed: random.integer(1, 2 ** 30),
        requests,
        timeMs,
        workers,
        state: new StateWatch(parts),
        signal,
      });
      signal.throwIfAborted();
      report(context, result);
      if (result.sent < requests) note(`the time ran out after ${result.sent} of ${requests} requests`);
    },
  }),
];

const requirements = ["CORE-ROBUST-01", "CORE-ROBUST-02", "CORE-ROBUST-03"] as const;
const expectations = {
  "CORE-ROBUST-01": "a refusal (4xx) or a success",
  "CORE-ROBUST-02": "an answer",
  "CORE-ROBUST-03": "everything else as it was",
} as const;

function requirementOf({ fault }: Finding): (typeof requirements)[number] {
  if (/not as before$|changed$/.test(fault)) return "CORE-ROBUST-03";
  return fault.startsWith("status") ? "CORE-ROBUST-01" : "CORE-ROBUST-02";
}

function report(context: CaseContext, { sent, tookMs, statuses, findings }: AttackResult): void {
  const { gateway, clock, verify, note } = context;
  const rate = sent / (tookMs / 1000);
  const counted = [...statuses]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([status, count]) => `${count} x ${status}`);
  note(
    `sent ${sent} hostile requests in ${(tookMs / 1000).toFixed(1)} s (${rate.toFixed(0)}/s); answers: ${counted.join(", ")}`,
  );
  verify("CORE-ROBUST-02").within({
    name: "hostile requests",
    unit: "1/s",
    interval: { low: rate, high: rate },
    limits: {},
    observers: ["sent and answered"],
  });
  for (const finding of findings) {
    const { operation, kind, fault, request, observation, isRepeatable } = finding;
    const requirement = requirementOf(finding);
    const exchange = toExchange(request, observation, {
      baseUrl: gateway.currentBaseUrl(),
      nowMs: clock.nowMs(),
    });
    const evidence = gateway.keepExchange(operation, exchange);
    const once = isRepeatable ? "" : " (seen once, not again)";
    verify(requirement).that(false, {
      what: `${operation}, ${kind.replaceAll("-", " ")}: ${fault}${once}; the smallest request that shows it: ${exchange.shellLine}`,
      expected: expectations[requirement],
      observed: describe(observation),
      evidence,
    });
  }
  for (const requirement of requirements) {
    if (findings.some((finding) => requirementOf(finding) === requirement)) continue;
    verify(requirement).that(true, {
      what: `${sent} hostile requests`,
      expected: expectations[requirement],
      observed: `so, in all of them (${counted.join(", ")})`,
    });
  }
}
