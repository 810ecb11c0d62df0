// A worker of the self-test: each message asks for one campaign against a gateway with one fault.
import { suite } from "../../suites/index.ts";
import { listFaults } from "../../alterations/faults/index.ts";
import {
  GatewaySeries,
  openPacketLine,
  type RunningGateway,
  startEmbeddedRack,
  startProcessGateway,
  startTimeServer,
} from "../../rigs/index.ts";
import { dependsOnTime, monotonicClock, runCampaign, type TestCase } from "../../harness/index.ts";
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

/** All gateways of this process have the same one. */
const adminPassword = makeAdminPassword();
let series: Promise<GatewaySeries> | undefined;

/** Whether the case cannot restart the gateway, not even one with a fault, and uses nothing beside it. */
function isPlain({ effect, capabilities = [], equipment = [] }: TestCase): boolean {
  return (
    equipment.length === 0 &&
    !capabilities.includes("disruptive-reboot") &&
    ["read-only", "reversible", "ends-sign-ins"].includes(effect)
  );
}

async function startGateway(fault: string, cases: readonly TestCase[]): Promise<RunningGateway> {
  const needs = (part: string): boolean =>
    cases.some(({ equipment = [] }) => equipment.some((one) => one === part));
  const needsLine = listFaults().find(({ id }) => id === fault)?.origin === "bad-line";
  if (!needsLine && cases.every(isPlain))
    return (await (series ??= GatewaySeries.open(adminPassword))).next(fault);
  return startProcessGateway({
    adminPassword,
    fault,
    ...(needsLine ? { line: await openPacketLine() } : {}),
    ...(needs("time-server") ? { timeServer: await startTimeServer(onLoopback) } : {}),
    ...(needs("field-devices") ? { field: await startEmbeddedRack({ loadDevices: 32 }) } : {}),
  });
}

const onLoopback = { host: "127.0.0.1", port: 0 };
const ignore = (): void => undefined;

async function work({ fault, cases: ids, level, seed }: FaultTask): Promise<FaultAnswer> {
  const cases = suite.filter(({ id }) => ids.includes(id));
  const entry = listFaults().find(({ id }) => id === fault);
  const detected = new AbortController();
  // A failure that lateness may explain is repeated when the machine is busy, and counts when it repeats.
  const certain = new Set(cases.filter((one) => !dependsOnTime(one)).map(({ id }) => id));
  const isCertain = (id: string): boolean => certain.has(id);
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
      startGateway: () => startGateway(fault, cases),
      reproduce: (caseId) => `rackproof run process --fault ${fault} --seed ${seed} --select '${caseId}'`,
      progress: {
        gatewayReady: ignore,
        planned: ignore,
        started: ignore,
        // Further checks and cases would add nothing.
        checked: (id, check) => {
          if (entry !== undefined && isCertain(id) && detects(entry, [check])) detected.abort();
        },
        finished: ({ decided }) => {
          if (entry !== undefined && detects(entry, decided)) detected.abort();
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
process.on("disconnect", () => {
  const ended = series?.then((gateways) => gateways[Symbol.asyncDispose]());
  void Promise.resolve(ended).finally(() => process.exit(0));
});
