// Finds the gateway that a command names: an embedded kind, a name of a rack file, or a URL.
import {
  type EmbeddedKindName,
  embeddedKinds,
  isEmbeddedKind,
} from "../../interface/vocabulary/gatewayKinds.ts";
import {
  type FieldRack,
  type LeaseCheck,
  type RunningGateway,
  findRemoteGateway,
  remoteGateway,
  startContainerGateway,
  startEmbeddedRack,
  startProcessGateway,
  startQemuGateway,
} from "../../rigs/index.ts";
import { listFaults } from "../../alterations/faults/index.ts";
import { readVariations, type VariationId } from "../../alterations/variations/index.ts";
import {
  type EmbeddedRackGateway,
  type Profile,
  type RemoteRackGateway,
  findInRack,
  loadProfile,
  nearest,
  startRackGateway,
  wiresOf,
  without,
} from "../../harness/index.ts";
import { Lease } from "../../workflows/leases/lease.ts";
import { embeddedProfile, makeAdminPassword } from "./referenceProfile.ts";
import { UsageError, messageOf } from "../../record/index.ts";

export interface TargetOptions {
  readonly profile?: string;
  /** Rack file in which the gateway is named. */
  readonly rack?: string;
  /** Number of gateways that run at the same time; embedded kinds only. */
  readonly parallel?: number;
  /** Id of the fault that is injected into the reference gateway; embedded kinds only. */
  readonly fault?: string;
  /** True when no case needs field devices: an embedded gateway is then started without them. */
  readonly isWithoutField?: boolean;
  /** Ids of variations of the reference gateway, joined by commas; kind `process` only. */
  readonly variation?: string;
  /** A gateway at a URL that cannot be started or reached is answered too, with the reason: its run reports it. */
  readonly alsoUnreachable?: boolean;
  /** Parts of the rack's wiring that the run ignores: `power`, `reset`, `console`, `field NAME`. */
  readonly without?: readonly string[];
}

/** How a gateway is started, and its profile. */
export interface Target {
  readonly name: string;
  readonly profile: Profile;
  readonly instances: number;
  readonly start: (number: number) => Promise<RunningGateway>;
  /** The words that name this target on a command line. */
  readonly words: readonly string[];
}

/** A target whose parts check their lease before they act, because another command may hold the gateway by then. */
type HeldTarget = Omit<Target, "start"> & {
  readonly start: (number: number, lease?: LeaseCheck) => Promise<RunningGateway>;
};

interface EmbeddedKind {
  /** Three use both cores of a small machine fully: two reboot while the third answers. */
  readonly instances: number;
  /** The rack of the first gateway; an emulated gateway carries a fraction of a real one's load. */
  readonly rack: { readonly loadDevices: number; readonly units?: number; readonly pollsAreRarer?: number };
  /** Half width of the band around 5 s, where wider than in the profile: handling the request alone takes seconds. */
  readonly rebootDelayToleranceSec?: number;
  /** Factor on every wait of the harness: an emulated processor is slow. */
  readonly patience: number;
  /** Share of the declared changes per second that it carries and its rack can make. */
  readonly throughputShare: number;
  readonly start: (options: EmbeddedStart) => Promise<RunningGateway>;
}

interface EmbeddedStart {
  readonly adminPassword: string;
  readonly fault?: string;
  /** Starts the field devices on an address of this machine; absent for gateways without a rig. */
  readonly startField?: (host?: string) => Promise<FieldRack>;
  /** More options of the reference gateway. */
  readonly gatewayOptions: readonly string[];
}

/** Without a declared patience; the longest wait for a gateway without a power switch, which cannot be booting. */
const firstAnswerMs = 4000;
const longestFirstAnswerMs = 30_000;

const say = (line: string): void => void process.stderr.write(`rackproof: ${line}\n`);

const embedded: Readonly<Record<EmbeddedKindName, EmbeddedKind>> = {
  process: {
    instances: 3,
    rack: { loadDevices: 32 },
    patience: 1,
    throughputShare: 1,
    start: async ({ startField, ...options }) =>
      startProcessGateway({ ...options, ...(await fieldOf(startField)) }),
  },
  container: {
    instances: 3,
    rack: { loadDevices: 32 },
    patience: 1,
    throughputShare: 1,
    start: ({ gatewayOptions: _none, ...options }) => startContainerGateway({ ...options, say }),
  },
  qemu: {
    instances: 2,
    rack: { loadDevices: 1, units: 6, pollsAreRarer: 2 },
    patience: 4,
    throughputShare: 0.05,
    rebootDelayToleranceSec: 2.5,
    start: async ({ startField, gatewayOptions: _none, ...options }) =>
      startQemuGateway({ ...options, ...(await fieldOf(startField)), say }),
  },
};

async function fieldOf(startField: EmbeddedStart["startField"]): Promise<{ field?: FieldRack }> {
  return startField === undefined ? {} : { field: await startField() };
}

/** Finds the gateway that the word names; throws a UsageError for an unknown one. */
export async function findTarget(gateway: string, options: TargetOptions): Promise<Target> {
  if (options.fault !== undefined) await assertFault(gateway, options);
  if (options.variation !== undefined) variationsOf(gateway, options);
  if (/^https?:\/\//.test(gateway)) return remoteTarget(gateway, options);
  if (options.rack !== undefined) return rackTarget(options.rack, gateway, options);
  if (isEmbeddedKind(gateway)) return embeddedTarget(gateway, embedded[gateway], options);
  throw new UsageError(
    "GATEWAY_UNKNOWN",
    `gateway ${gateway}: expected ${embeddedKinds.join(", ")}, a URL, or with --rack FILE a name of the rack file`,
  );
}

/** Faults can be injected into the reference gateway only. */
async function assertFault(gateway: string, { fault, rack }: TargetOptions): Promise<void> {
  if (rack !== undefined || !isEmbeddedKind(gateway)) {
    throw new UsageError(
      "FAULT_NOT_HERE",
      `--fault ${fault}: expected a gateway of kind ${embeddedKinds.join(", ")}, found ${gateway}`,
    );
  }
  const ids = listFaults().map(({ id }) => id);
  if (fault !== undefined && !ids.includes(fault)) {
    const similar = nearest(fault, ids);
    throw new UsageError(
      "FAULT_UNKNOWN",
      `--fault ${fault}: unknown fault${similar === undefined ? "" : `; did you mean ${similar}?`}`,
    );
  }
}

async function embeddedTarget(
  name: string,
  kind: EmbeddedKind,
  options: TargetOptions,
  moreOptions: readonly string[] = [],
): Promise<Target> {
  const adminPassword = makeAdminPassword();
  const variations = variationsOf(name, options);
  const profile = await embeddedProfile(adminPassword, options.profile, variations);
  return {
    name,
    profile: slowedDown(profile, kind),
    instances: options.parallel ?? kind.instances,
    // One rig is enough: cases that need it run on the gateway with the rig.
    start: (number) =>
      kind.start({
        adminPassword,
        ...(options.fault === undefined ? {} : { fault: options.fault }),
        gatewayOptions: [...variationOptions(variations), ...moreOptions],
        ...(number === 0 && options.isWithoutField !== true
          ? {
              startField: (host?: string) =>
                startEmbeddedRack({ ...kind.rack, ...(host === undefined ? {} : { host }) }),
            }
          : {}),
      }),
    words: [
      name,
      ...(options.profile === undefined ? [] : ["--profile", options.profile]),
      ...(options.fault === undefined ? [] : ["--fault", options.fault]),
      ...variationOptions(variations),
    ],
  };
}

/** Reads `--variation`; throws a UsageError for an unknown id or another kind of gateway. */
export function variationsOf(kind: string, { variation }: Pick<TargetOptions, "variation">): VariationId[] {
  if (variation === undefined) return [];
  if (kind !== "process")
    throw new UsageError("VARIATION_KIND", `--variation: expected the gateway process, found ${kind}`);
  try {
    return readVariations(variation);
  } catch (thrown) {
    throw new UsageError("VARIATION_UNKNOWN", `--variation: ${messageOf(thrown)}`);
  }
}

/** The options that start a reference gateway with the variations. */
export function variationOptions(variations: readonly VariationId[]): string[] {
  return variations.length === 0 ? [] : ["--variation", variations.join(",")];
}

function slowedDown(profile: Profile, kind: EmbeddedKind): Profile {
  const { patience: factor, rebootDelayToleranceSec = 0, throughputShare } = kind;
  const { answerMs, bootMs, settleMs } = profile.patience;
  const patience = {
    answerMs: answerMs * factor,
    bootMs: bootMs * factor,
    settleMs: settleMs * factor,
  };
  const tolerances = {
    ...profile.tolerances,
    rebootDelaySec: Math.max(profile.tolerances.rebootDelaySec, rebootDelayToleranceSec),
  };
  const { changesPerSec, latencyP99Ms } = profile.throughput;
  const throughput = {
    ...profile.throughput,
    ...(changesPerSec === undefined ? {} : { changesPerSec: changesPerSec * throughputShare }),
    ...(latencyP99Ms === undefined ? {} : { latencyP99Ms: latencyP99Ms * factor }),
  };
  return { ...profile, patience, tolerances, throughput };
}

/** Every command holds a gateway of a rack by a lease from its start to its end. */
async function rackTarget(rack: string, name: string, options: TargetOptions): Promise<Target> {
  const entry = without(await findInRack(rack, name), options.without ?? []);
  const words = [
    name,
    "--rack",
    rack,
    ...(options.without === undefined ? [] : ["--without", `'${options.without.join(",")}'`]),
  ];
  const target =
    entry.kind === "remote" ? await wiredTarget(entry, options) : await startedTarget(entry, options);
  return {
    ...target,
    name,
    words,
    start: async (number) => {
      const wires = wiresOf(entry, rack).map((wire) => (number === 0 ? wire : `${wire} ${number}`));
      const owner = `rackproof, process ${process.pid}`;
      await using stack = new AsyncDisposableStack();
      const lease = stack.use(Lease.takeOrAdopt({ gateway: name, wires, owner }));
      const gateway = stack.use(await target.start(number, lease));
      const whole = stack.move();
      return { ...gateway, name, lease, [Symbol.asyncDispose]: () => whole.disposeAsync() };
    },
  };
}

async function wiredTarget(entry: RemoteRackGateway, options: TargetOptions): Promise<HeldTarget> {
  const target = await remoteTarget(entry.url, { ...options, profile: options.profile ?? entry.profileFile });
  const { profile } = target;
  const firstMs = entry.power === undefined ? firstAnswerWithinMs(profile) : profile.patience.bootMs;
  return {
    ...target,
    start: (_number, lease) =>
      orNotStarted(entry.url, profile, options, () =>
        startRackGateway(entry, { ...profile, patience: { ...profile.patience, bootMs: firstMs } }, lease),
      ),
  };
}

async function startedTarget(entry: EmbeddedRackGateway, options: TargetOptions): Promise<HeldTarget> {
  const kind = embedded[entry.kind];
  if (kind === undefined) throw new Error(`no embedded kind ${entry.kind}`);
  const profile = options.profile ?? entry.profileFile;
  // A gateway of a rack is a single one unless --parallel asks for more.
  const given = {
    parallel: 1,
    ...options,
    isWithoutField: entry.field === undefined || options.isWithoutField === true,
    ...(profile === undefined ? {} : { profile }),
    ...(entry.fault === undefined ? {} : { fault: entry.fault }),
  };
  if (entry.fault !== undefined) await assertFault(entry.kind, { fault: entry.fault });
  return embeddedTarget(entry.kind, kind, given, entry.options);
}

async function remoteTarget(url: string, options: TargetOptions): Promise<Target> {
  if (options.profile === undefined) {
    throw new UsageError(
      "PROFILE_MISSING",
      `gateway ${url}: expected --profile FILE for a gateway on a URL, found none`,
    );
  }
  const profile = await loadProfile(options.profile, { environment: process.env });
  return {
    name: "remote",
    profile,
    instances: 1,
    start: () =>
      orNotStarted(url, profile, options, () =>
        findRemoteGateway(url, profile.gateway, firstAnswerWithinMs(profile)),
      ),
    words: [url, "--profile", options.profile],
  };
}

function firstAnswerWithinMs({ declared, patience }: Profile): number {
  const wantedMs = declared.has("patience.bootMs") ? longestFirstAnswerMs : firstAnswerMs;
  return Math.min(patience.bootMs, wantedMs);
}

/** Starts the gateway; one that does not start is answered with the reason where the caller reports that. */
async function orNotStarted(
  url: string,
  profile: Profile,
  { alsoUnreachable }: TargetOptions,
  start: () => Promise<RunningGateway>,
): Promise<RunningGateway> {
  try {
    return await start();
  } catch (thrown) {
    if (alsoUnreachable !== true || thrown instanceof UsageError) throw thrown;
    return { ...remoteGateway(url, profile.gateway), notStarted: messageOf(thrown) };
  }
}
