// 100,000 hostile requests to the reference gateway: their rate, the responses, and the gateway's memory.
import { startProcessGateway } from "../rigs/process/processGateway.ts";
import type { RunningGateway } from "../rigs/gateway/gateway.ts";
import { runCampaign } from "../harness/campaign/campaign.ts";
import { select } from "../harness/campaign/selection.ts";
import { embeddedProfile, makeAdminPassword } from "../cli/support/referenceProfile.ts";
import { suiteVersion } from "../cli/support/version.ts";
import { monotonicClock } from "../harness/clock.ts";
import type { CampaignRecord } from "../record/campaign.ts";
import type { CampaignLevel } from "../interface/vocabulary/levels.ts";
import { suite } from "../suites/index.ts";
import { gatewayMemoryMb } from "./gatewayMemory.ts";
import { type BenchRow, outcomeOf } from "./table.ts";

const caseId = "hostile/requests";
const seed = 20_260_301;
const growthLimit = 1.2;
const warmUps = 4;
const restMs = 6000;
/** How long memory may take to come back. */
const settleMs = 60_000;

export async function benchHostile(): Promise<BenchRow[]> {
  const adminPassword = makeAdminPassword();
  await using gateway = await startProcessGateway({ adminPassword });
  const profile = await embeddedProfile(adminPassword, undefined, []);
  const attack = async (level: CampaignLevel): Promise<CampaignRecord> => {
    const { record } = await runCampaign({
      cases: select(suite, caseId),
      selection: caseId,
      profile,
      level,
      seed,
      clock: monotonicClock,
      suiteVersion,
      instances: 1,
      // The campaign ends what it started; this gateway is examined afterwards.
      startGateway: () => Promise.resolve(leftRunning(gateway)),
      reproduce: () => "npm run bench hostile",
      progress: {
        gatewayReady: noop,
        planned: noop,
        started: noop,
        finished: noop,
        remark: noop,
        streamed: noop,
      },
      keepExchanges: () => Promise.resolve(),
      signal: new AbortController().signal,
    });
    return record;
  };
  // Where it was: warm, with everything loaded and compiled that such requests need, and at rest.
  for (let round = 0; round < warmUps; round++) await attack("nightly");
  await monotonicClock.delay(restMs);
  const beforeMb = await gatewayMemoryMb();
  const record = await attack("certification");
  const peakMb = await gatewayMemoryMb();
  let afterMb = peakMb;
  const startedMs = monotonicClock.nowMs();
  while (afterMb > beforeMb * growthLimit && monotonicClock.nowMs() - startedMs < settleMs) {
    await monotonicClock.delay(1000);
    afterMb = await gatewayMemoryMb();
  }
  const done = record.cases.find(({ id }) => id === caseId);
  for (const note of done?.notes ?? []) console.log(note);
  const failed = done?.checks.filter(({ verdict }) => verdict !== "pass") ?? [];
  for (const { what, observed } of failed) console.log(`${what}: ${observed}`);
  const rate = done?.measurements[0]?.low ?? 0;
  const growth = afterMb / beforeMb;
  return [
    {
      what: "100,000 hostile requests, 8 at a time",
      measured: `${rate.toFixed(0)}/s`,
      peer: "-",
      ratio: `${failed.length} findings`,
      limit: "no finding",
      outcome: outcomeOf(done?.verdict === "pass"),
    },
    {
      what: "memory of the gateway after them",
      measured: `${afterMb.toFixed(0)} MB (${peakMb.toFixed(0)} MB at their end)`,
      peer: `${beforeMb.toFixed(0)} MB before`,
      ratio: growth.toFixed(2),
      limit: `at most ${growthLimit}`,
      outcome: outcomeOf(growth <= growthLimit),
    },
  ];
}

function leftRunning(gateway: RunningGateway): RunningGateway {
  return { ...gateway, [Symbol.asyncDispose]: () => Promise.resolve() };
}

function noop(): void {}
