// A worker of the self-test: each message asks for one campaign against a gateway with one fault.
import { suite } from "../../suites/index.ts";
import { listFaults } from "../../alterations/faults/index.ts";
import { openPacketLine, startEmbeddedRack, startProcessGateway, startTimeServer } from "../../rigs/index.ts";
import { monotonicClock, runCampaign } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { messageOf, type CampaignRecord } from "../../record/index.ts";
import { detects } from "../../workflows/selftest/outcome.ts";
import { makeAdminPassword, embeddedProfile } from "./referenceProfile.ts";
import { suiteVersion } from "./version.ts";

export interface FaultTask {
  readonly fault: string;
  readonly cases: readonly string[];
  readonly level: CampaignLevel;
  readonly seed: number;
}

export type FaultAnswer = { readonly record: CampaignRecord } | { readonly error: string };

/** A process boots within two seconds; a gateway that a fault keeps down needs no longer wait. */
const bootWithinMs = 30_000;

const onLoopback = { host: "127.0.0.1", port: 0 };
const ignore = (): void => undefined;

async function work({ fault, cases: ids, level, seed }: FaultTask): Promise<FaultAnswer> {
  const cases = suite.filter(({ id }) => ids.includes(id));
  const entry = listFaults().find(({ id }) => id === fault);
  const needsLine = entry?.origin === "bad-line";
  const detected = new AbortController();
  const needsField = cases.some(({ equipment = [] }) => equipment.includes("field-devices"));
  const needsTime = cases.some(({ equipment = [] }) => equipment.includes("time-server"));
  const adminPassword = makeAdminPassword();
  try {
    const profile = await embeddedProfile(adminPassword, undefined, []);
    const { record } = await runCampaign({
      cases,
      selection: ids.join(","),
      profile: { ...profile, patience: { ...profile.patience, bootMs: bootWithinMs } },
      level,
      seed,
      clock: monotonicClock,
      suiteVersion,
      instances: 1,
      startGateway: async () =>
        startProcessGateway({
          adminPassword,
          fault,
          ...(needsLine ? { line: await openPacketLine() } : {}),
          ...(needsTime ? { timeServer: await startTimeServer(onLoopback) } : {}),
          ...(needsField ? { field: await startEmbeddedRack({ loadDevices: 32 }) } : {}),
        }),
      reproduce: (caseId) => `rackproof run process --fault ${fault} --seed ${seed} --select '${caseId}'`,
      progress: {
        gatewayReady: ignore,
        planned: ignore,
        started: ignore,
        // Further cases would add nothing.
        finished: (record) => {
          if (entry !== undefined && detects(entry, record)) detected.abort();
        },
        remark: ignore,
        streamed: ignore,
      },
      keepExchanges: () => Promise.resolve(),
      signal: detected.signal,
    });
    return { record };
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
}

process.on("message", (task) => {
  void work(task as FaultTask).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit(0));
