import { attack, type AttackResult, type Finding } from "./machinery/attack.ts";
import { toExchange } from "./machinery/evidence.ts";
import { describe } from "./machinery/judge.ts";
import type { HostileKind } from "./machinery/request.ts";
import { StateWatch } from "./machinery/stateWatch.ts";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { gatherFacts } from "../authorisation/facts.ts";
import { makeCallers } from "./callers.ts";
import { hostileDomains, stateParts } from "./stateParts.ts";
import { attackTargets } from "./targets.ts";

/** Number of requests; on a slow gateway the time limit ends the attack earlier, with a note. */
const budgets: Readonly<Record<CampaignLevel, { requests: number; timeMs: number }>> = {
  smoke: { requests: 300, timeMs: 30_000 },
  nightly: { requests: 3000, timeMs: 60_000 },
  certification: { requests: 100_000, timeMs: 7_200_000 },
};
const workers = 8;

export const requestCases: readonly TestCase[] = [
  testCase({
    id: "hostile/requests",
    title: "Malformed requests cause no 5xx, no outage and no unrelated state change",
    group: "general",
    requirements: ["CORE-ROBUST-01", "CORE-ROBUST-02", "CORE-ROBUST-03"],
    effect: "reversible",
    touches: ["accounts", "virtual-tags", "upgrade-jobs", "event-log", ...hostileDomains],
    capabilities: ["auth", "users", "roles"],
    tags: ["smoke"],
    alone: true,
    deadlineMs: 9_000_000,
    async run(context) {
      const { gateway, profile, level, random, clock, signal, note } = context;
      const facts = await gatherFacts(context);
      const callers = await makeCallers(context);
      const { requests, timeMs } = budgets[level];
      const parts = await stateParts(context, callers.token);
      const result = await attack(attackTargets(context, facts, callers, parts), {
        clock,
        outside: context.outside,
        baseUrl: () => gateway.currentBaseUrl(),
        patienceMs: profile.patience.answerMs,
        roundTripMs: context.roundTripMs,
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
      if (result.sent < requests) {
        const end = result.isEndedBySilence ? "requests without an answer" : "the time limit";
        note(`${end} ended the case after ${result.sent} of ${requests} requests`);
      }
    },
  }),
];

/** Kinds of hostile requests in words. */
const kindText: Readonly<Record<HostileKind, string>> = {
  "boundary-value": "a boundary value",
  "wrong-type": "a value of a wrong type",
  "deep-nesting": "deeply nested JSON",
  "long-text": "a long text",
  "odd-text": "an unusual text",
  "duplicate-key": "duplicate members",
  "extreme-number": "an extreme number",
  "broken-json": "invalid JSON",
  "wrong-media-type": "a wrong media type",
  "broken-multipart": "an invalid multipart body",
  "odd-query": "an unusual query",
  "path-trick": "an unusual path",
  "header-game": "unusual headers",
  "odd-method": "an unusual method",
  "invalid-http": "invalid HTTP",
};

const requirements = ["CORE-ROBUST-01", "CORE-ROBUST-02", "CORE-ROBUST-03"] as const;
const expectations = {
  "CORE-ROBUST-01": "2xx, 3xx or 4xx",
  "CORE-ROBUST-02": "an HTTP answer",
  "CORE-ROBUST-03": "state unchanged by rejected requests and by requests for other resources",
} as const;

function requirementOf({ fault }: Finding): (typeof requirements)[number] {
  if (fault.endsWith("changed")) return "CORE-ROBUST-03";
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
    observers: ["requests sent"],
  });
  for (const finding of findings) {
    const { operation, kind, fault, request, observation, isRepeatable } = finding;
    const requirement = requirementOf(finding);
    const exchange = toExchange(request, observation, {
      baseUrl: gateway.currentBaseUrl(),
      nowMs: clock.nowMs(),
    });
    const evidence = gateway.keepExchange(operation, exchange);
    const once = isRepeatable ? "" : " (observed once, not reproduced)";
    verify(requirement).that(false, {
      what: `effect of a request to ${operation} with ${kindText[kind]}: ${fault}${once}; smallest such request: ${exchange.shellLine}`,
      expected: expectations[requirement],
      observed: describe(observation),
      evidence,
      isAboutAnswering: true,
    });
  }
  for (const requirement of requirements) {
    if (findings.some((finding) => requirementOf(finding) === requirement)) continue;
    verify(requirement).that(true, {
      what: `effect of ${sent} hostile requests`,
      expected: expectations[requirement],
      observed: `${expectations[requirement]} (${counted.join(", ")})`,
    });
  }
}
