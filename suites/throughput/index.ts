import { latenciesMs, latencyHistogram, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { search } from "./search.ts";
import { declaredPace, inWords, judge, keep, loadOf, trial } from "./trial.ts";

const shared = {
  group: "tags",
  effect: "reversible",
  touches: ["field-devices"],
  equipment: ["field-devices"],
  capabilities: ["tags", "tag-stream"],
  load: true,
  deadlineMs: 900_000,
} as const;

const latencyRunMs: Readonly<Record<CampaignLevel, number>> = {
  smoke: 1500,
  nightly: 3000,
  certification: 30_000,
};
const sustainedMs: Readonly<Record<CampaignLevel, number>> = {
  smoke: 2000,
  nightly: 4000,
  certification: 60_000,
};
const clientsByLevel: Readonly<Record<CampaignLevel, readonly number[]>> = {
  smoke: [1],
  nightly: [4],
  certification: [1, 4, 16],
};
/** Number of clients that a declared rate is for, unless the profile declares it. */
const usualClients = 4;
/** Milliseconds between two changes of a tag, slow to fast. */
const paces = [2000, 1000, 500, 250, 200, 150, 125, 100, 80, 60, 50, 40, 30, 20];

export const throughputSuite: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "throughput/highest-rate",
    title: "Field value changes reach all clients without loss at the declared rate",
    requirements: ["CORE-FIELD-24"],
    async run(context) {
      const { profile, level, verify, note, measure } = context;
      const load = loadOf(context);
      const { sources, tags, pollIntervalMs, fastestMs } = load;
      const declaredMs = declaredPace(context, load);
      const { clients: declaredClients } = profile.throughput;
      const counts = declaredClients === undefined ? clientsByLevel[level] : [declaredClients];
      const candidates = paces.filter(
        (everyMs) => everyMs >= fastestMs && (declaredMs === undefined || everyMs < declaredMs),
      );
      if (declaredMs !== undefined) candidates.unshift(declaredMs);
      note(`load: ${tags} tags of ${sources.length} devices, polled every ${pollIntervalMs} ms`);
      if (declaredMs === undefined)
        verify("CORE-FIELD-24").notApplicable("rate without loss", "the profile declares no rate");
      for (const clients of counts) {
        const { best, slowest } = await search(context, sources, candidates, clients);
        const rate = Math.round(best?.trial.rate ?? 0);
        measure({
          name: `changes without loss to each of ${clients} clients`,
          unit: "1/s",
          interval: { low: rate, high: rate },
          observers: ["sequence numbers"],
        });
        const decided = best ?? slowest;
        // More clients than the rate is declared for are measured without a limit.
        if (declaredMs !== undefined && decided !== undefined && clients <= (declaredClients ?? usualClients))
          judge(
            context,
            "CORE-FIELD-24",
            `${tags} tags every ${decided.everyMs} ms to ${clients} clients`,
            decided.trial,
          );
        if (best === undefined) continue;
        if (best.everyMs === candidates.at(-1)) note("the poll interval limited the rate, not the gateway");
        if (best.trial.headRoom !== undefined)
          note(`harness headroom: ${best.trial.headRoom.toFixed(0)} times this rate`);
      }
    },
  }),
  testCase({
    ...shared,
    id: "throughput/latency",
    title: "Changes reach a client within the declared latency",
    requirements: ["CORE-FIELD-25"],
    async run(context) {
      const { profile, level, verify, measure } = context;
      const { sources, tags, pollIntervalMs, fastestMs } = loadOf(context);
      const latencyUs = latencyHistogram();
      // A pace that is not a multiple of the poll interval covers every phase of polling.
      const everyMs = Math.max(2 * fastestMs, 200) + 7;
      const result = await trial(
        context,
        sources,
        { everyMs, forMs: latencyRunMs[level], clients: 1 },
        latencyUs,
      );
      if (latencyUs.totalCount === 0)
        context.unmet(`the client received no change within ${latencyRunMs[level] / 1000} s`);
      context.note(`${tags} tags, a change every ${everyMs} ms: ${inWords(result)}`);
      context.note(`every latency includes the poll interval of ${pollIntervalMs} ms`);
      context.keep.distribution("latency from register to client", "ms", latenciesMs(latencyUs));
      const { latencyP99Ms } = profile.throughput;
      if (latencyP99Ms === undefined)
        verify("CORE-FIELD-25").notApplicable("latency", "the profile declares no latency");
      for (const percentile of [50, 99, 99.9, 100]) {
        const ms = latencyUs.getValueAtPercentile(percentile) / 1000;
        const interval = { low: ms, high: ms };
        const name = percentile === 100 ? "latency max" : `latency p${percentile}`;
        const measurement = { name, unit: "ms", interval, observers: ["sequence numbers"] };
        if (percentile === 99 && latencyP99Ms !== undefined)
          verify("CORE-FIELD-25").within({ ...measurement, limits: { high: latencyP99Ms } });
        else measure(measurement);
      }
    },
  }),
  testCase({
    ...shared,
    id: "throughput/sustained-load",
    title: "The declared rate is sustained without loss",
    requirements: ["CORE-FIELD-26"],
    async run(context) {
      const { profile, level, verify, note, measure } = context;
      const load = loadOf(context);
      const { sources, tags, fastestMs } = load;
      const { clients = usualClients } = profile.throughput;
      const declaredMs = declaredPace(context, load);
      const everyMs = declaredMs ?? 2 * fastestMs;
      const forMs = Math.max(sustainedMs[level], 2 * everyMs);
      const result = await trial(context, sources, { everyMs, forMs, clients });
      keep(context, clients, result);
      const what = `${tags} tags every ${everyMs} ms to ${clients} clients for ${forMs / 1000} s`;
      if (declaredMs !== undefined) return judge(context, "CORE-FIELD-26", what, result);
      const rate = Math.round(result.rate);
      measure({
        name: "sustained changes",
        unit: "1/s",
        interval: { low: rate, high: rate },
        observers: ["sequence numbers"],
      });
      note(`${what}: ${inWords(result)}`);
      verify("CORE-FIELD-26").notApplicable("sustained rate", "the profile declares no rate");
    },
  }),
];
