// `rackproof agent`: lists the gateways of a rack in the fleet and takes their turns, until it is stopped.
import { readFileSync } from "node:fs";
import { availableParallelism, hostname } from "node:os";
import { resolve } from "node:path";
import { requirements } from "../interface/requirements/index.ts";
import { suite } from "../suites/index.ts";
import {
  type RackGateway,
  checkWires,
  monotonicClock,
  readRack,
  readSuites,
  wiresOf,
} from "../harness/index.ts";
import { removeLeftovers } from "../rigs/index.ts";
import { databaseAddress, databaseVariable } from "../workflows/fleet/address.ts";
import { type AgentOptions as RunOptions, runAgent } from "../workflows/fleet/agent.ts";
import { type Labels, parseLabels } from "../workflows/fleet/labels.ts";
import { gatewayId } from "../workflows/fleet/register.ts";
import { attemptByProcess } from "../workflows/nightly/attempt.ts";
import { equipmentOf } from "../workflows/nightly/plan.ts";
import type { FleetOptions } from "./support/fleetAccess.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { launcherFile } from "./support/launcher.ts";
import { findTarget } from "./support/target.ts";
import { suiteVersion } from "./support/version.ts";
import { UsageError, messageOf } from "../record/index.ts";

export interface AgentOptions extends FleetOptions {
  readonly rack: string;
  readonly lab: string;
  readonly labels?: string;
  readonly out?: string;
  readonly parallel?: number;
  readonly holdSec: number;
}

const msPerSec = 1000;

/** Runs until SIGINT or SIGTERM; returns 0. */
export async function agent(options: AgentOptions): Promise<number> {
  const { rack, lab, holdSec, parallel = availableParallelism() } = options;
  if (!/^[\w.-]{1,64}$/.test(lab))
    throw new UsageError("FLEET_LAB_NAME", `--lab ${lab}: expected letters, digits, dot, hyphen, underscore`);
  const address = databaseAddress(options.database);
  // Runs need no access to the database.
  delete process.env[databaseVariable];
  const labels = parseLabels(options.labels);
  const entries = await readRack(rack);
  if (entries.length === 0)
    throw new UsageError("RACK_EMPTY", `rack ${rack}: expected at least one gateway, found none`);
  const suites = await readSuites(rack);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  for (const removed of await removeLeftovers()) say(`removed leftover of an earlier run: ${removed}`);
  using interrupted = onInterrupt();
  const stated = new Set<string>(requirements.filter(({ level }) => level === "stated").map(({ id }) => id));
  await runAgent({
    address,
    lab,
    host: `${hostname()}/${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`,
    suite,
    suiteVersion,
    suites,
    gateways: await Promise.all(
      entries.map((gateway) => toAgentGateway(gateway, rack, lab, labels, Object.keys(suites))),
    ),
    rackWords: ["--rack", rack],
    out: resolve(options.out ?? `agent-${lab}`),
    parallel,
    holdMs: holdSec * msPerSec,
    clock: monotonicClock,
    signal: interrupted.signal,
    say,
    checkWires: ({ gateway }, place) => checkWires(gateway, place),
    runAttempt: attemptByProcess(launcherFile()),
    isStated: (requirement) => stated.has(requirement),
  });
  return 0;
}

/** Gateways without wiring of their own share what their lab has. */
function hasOwnWiring(gateway: RackGateway): boolean {
  if (gateway.kind !== "remote") return gateway.field !== undefined;
  const { console, power, reset, field = [] } = gateway;
  return console !== undefined || power !== undefined || reset !== undefined || field.length > 0;
}

/** A profile that cannot be read excludes its gateway and not the whole lab. */
async function toAgentGateway(
  gateway: RackGateway,
  rack: string,
  lab: string,
  ofLab: Labels,
  suites: readonly string[],
): Promise<RunOptions["gateways"][number]> {
  const { name } = gateway;
  const labels = { ...ofLab, ...gateway.labels };
  const entry = {
    name,
    labels,
    equipment: [...equipmentOf(gateway)],
    rig: labels["rig"] ?? (hasOwnWiring(gateway) ? gatewayId(lab, name) : lab),
    installs: gateway.kind === "remote" && gateway.install !== undefined,
    suites,
  };
  const base = { gateway, wires: wiresOf(gateway, rack) };
  try {
    const { profile } = await findTarget(name, { rack });
    return { ...base, entry: { ...entry, capabilities: [...profile.capabilities] } };
  } catch (thrown) {
    return { ...base, entry: { ...entry, unusable: messageOf(thrown) } };
  }
}
