// Finds the gateway that a command names: an embedded kind, a name of a rack file, or a URL.
import {
  type ArchitectureName,
  type EmbeddedKindName,
  embeddedKinds,
  isEmbeddedKind,
} from "../../interface/vocabulary/gatewayKinds.ts";
import {
  type Budgets,
  type FieldRack,
  type Impairment,
  type PacketLine,
  type RunningGateway,
  budgetsOf,
  findRemoteGateway,
  openPacketLine,
  paceOf,
  readImpairment,
  paceOfQemu,
  remoteGateway,
  startContainerGateway,
  startEmbeddedRack,
  startProcessGateway,
  startQemuGateway,
  whyNoPacketLine,
  startTimeServer,
} from "../../rigs/index.ts";
import { listFaults } from "../../alterations/faults/index.ts";
import { readVariations, type VariationId } from "../../alterations/variations/index.ts";
import {
  type EmbeddedRackGateway,
  type HeldLease,
  type Profile,
  type RemoteRackGateway,
  findInRack,
  loadProfile,
  nearest,
  startRackGateway,
  wiresOf,
  without,
} from "../../harness/index.ts";
import { HeldGateway } from "../../workflows/leases/heldGateway.ts";
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
  /** Processor of the emulated gateway; default that of this machine. */
  readonly arch?: ArchitectureName;
  /** A gateway at a URL that cannot be started or reached is answered too, with the reason: its run reports it. */
  readonly alsoUnreachable?: boolean;
  /** The gateway gets its time from a server of the run; kind `process` only. */
  readonly timeServer?: boolean;
  /** Parts of the rack's wiring that the run ignores: `power`, `reset`, `console`, `field NAME`. */
  readonly without?: readonly string[];
  /** How the line to the gateway is impaired, as in `delay=100,loss=2` or `clean`; kinds `process` and `qemu` only. */
  readonly line?: string;
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
  readonly start: (number: number, lease?: HeldLease) => Promise<RunningGateway>;
};

interface EmbeddedKind {
  /** Four use both cores of a small machine fully: three reboot and reset while the first answers. */
  readonly instances: number;
  /** The rack of the first gateway; an emulated gateway carries a fraction of a real one's load. */
  readonly rack: { readonly loadDevices: number; readonly units?: number; readonly pollsAreRarer?: number };
  readonly prepare: (architecture: ArchitectureName | undefined) => PreparedKind | Promise<PreparedKind>;
  readonly hasNoLine?: boolean;
}

interface PreparedKind {
  /** Waits and limits for a kind that those of the profile do not suit. */
  readonly budgets?: Budgets;
  readonly start: (options: EmbeddedStart) => Promise<RunningGateway>;
}

interface EmbeddedStart {
  readonly adminPassword: string;
  readonly fault?: string;
  /** Starts the field devices on an address of this machine; absent for gateways without a rig. */
  readonly startField?: (host?: string) => Promise<FieldRack>;
  readonly hasTimeServer: boolean;
  /** More options of the reference gateway. */
  readonly gatewayOptions: readonly string[];
  /** The line by which it is reached; default loopback. */
  readonly line?: PacketLine;
}

/** Without a declared patience; the longest wait for a gateway without a power switch, which cannot be booting. */
const firstAnswerMs = 4000;
const longestFirstAnswerMs = 30_000;

const say = (line: string): void => void process.stderr.write(`rackproof: ${line}\n`);

const embedded: Readonly<Record<EmbeddedKindName, EmbeddedKind>> = {
  process: {
    instances: 4,
    rack: { loadDevices: 32 },
    prepare: () => ({
      start: async ({ startField, hasTimeServer, ...options }) =>
        startProcessGateway({
          ...options,
          ...(hasTimeServer ? { timeServer: await startTimeServer({ host: "127.0.0.1", port: 0 }) } : {}),
          ...(await fieldOf(startField)),
        }),
    }),
  },
  container: {
    instances: 3,
    rack: { loadDevices: 32 },
    hasNoLine: true,
    prepare: () => ({
      start: ({ gatewayOptions: _none, line: _noLine, hasTimeServer: _no, ...options }) =>
        startContainerGateway({ ...options, say }),
    }),
  },
  qemu: {
    instances: 2,
    rack: { loadDevices: 1, units: 6, pollsAreRarer: 2 },
    prepare: async (architecture) => {
      const budgets = budgetsOf(await paceOfQemu(architecture, say));
      const { bootDeadlineMs, deviceTimeoutMs } = budgets;
      const machine = { bootDeadlineMs, deviceTimeoutMs, architecture };
      return {
        budgets,
        start: async ({ startField, gatewayOptions: _none, hasTimeServer: _no, ...options }) =>
          startQemuGateway({ ...options, ...machine, ...(await fieldOf(startField)), say }),
      };
    },
  },
};

async function fieldOf(startField: EmbeddedStart["startField"]): Promise<{ field?: FieldRack }> {
  return startField === undefined ? {} : { field: await startField() };
}

/** Finds the gateway that the word names; throws a UsageError for an unknown one. */
export async function findTarget(gateway: string, options: TargetOptions): Promise<Target> {
  if (options.fault !== undefined) await assertFault(gateway, options);
  if (options.variation !== undefined) variationsOf(gateway, options);
  if (options.line !== undefined && (options.rack !== undefined || !isEmbeddedKind(gateway)))
    throw new UsageError("LINE_UNUSABLE", `--line: expected process or qemu, found ${gateway}`);
  if (options.arch !== undefined && (options.rack !== undefined || gateway !== "qemu"))
    throw new UsageError("ARCH_KIND", `--arch ${options.arch}: expected the gateway qemu, found ${gateway}`);
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
  const impairment = lineOf(name, kind, options);
  if (options.timeServer === true && name !== "process")
    throw new UsageError("TIME_SERVER_KIND", `--time-server: expected the gateway process, found ${name}`);
  const profile = await embeddedProfile(adminPassword, options.profile, variations);
  const { start, budgets } = await kind.prepare(options.arch);
  return {
    name,
    profile: overLine(budgets === undefined ? profile : slowedDown(profile, budgets), impairment),
    instances: options.parallel ?? kind.instances,
    // One rig is enough: cases that need it run on the gateway with the rig.
    start: async (number) =>
      start({
        adminPassword,
        ...(impairment === undefined ? {} : { line: await openPacketLine(impairment) }),
        ...(options.fault === undefined ? {} : { fault: options.fault }),
        hasTimeServer: options.timeServer === true,
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
      ...(options.arch === undefined ? [] : ["--arch", options.arch]),
      ...variationOptions(variations),
      ...(options.line === undefined ? [] : ["--line", options.line]),
      ...(options.timeServer === true ? ["--time-server"] : []),
    ],
  };
}

/** Reads `--line`; throws a UsageError where it cannot be opened. */
function lineOf(name: string, { hasNoLine }: EmbeddedKind, { line }: TargetOptions): Impairment | undefined {
  if (line === undefined) return undefined;
  const problem = hasNoLine === true ? `expected process or qemu, found ${name}` : whyNoPacketLine();
  if (problem !== undefined) throw new UsageError("LINE_UNUSABLE", `--line: ${problem}`);
  try {
    return readImpairment(line);
  } catch (thrown) {
    throw new UsageError("LINE_UNUSABLE", `--line: ${messageOf(thrown)}`);
  }
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

function slowedDown(profile: Profile, budgets: Budgets): Profile {
  const { patience: factor, rebootDelayToleranceSec, throughputShare } = budgets;
  const { answerMs, bootMs, settleMs } = profile.patience;
  const patience = {
    answerMs: Math.ceil(answerMs * factor),
    bootMs: Math.ceil(bootMs * factor),
    settleMs: Math.ceil(settleMs * factor),
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

/** Waits longer for what crosses an impaired line. The throughput that a profile declares is that over a good one. */
function overLine(profile: Profile, impairment: Impairment = {}): Profile {
  const { exchangeMs } = paceOf(impairment) ?? {};
  if (exchangeMs === undefined) return profile;
  const { answerMs, bootMs, settleMs } = profile.patience;
  const patience = {
    answerMs: answerMs + exchangeMs,
    bootMs: bootMs + exchangeMs,
    settleMs: settleMs + exchangeMs,
  };
  return { ...profile, patience, throughput: {} };
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
      const lease = stack.use(await HeldGateway.takeOrAdopt(entry, { gateway: name, wires, owner }));
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
    ...(entry.line === undefined ? {} : { line: entry.line }),
    ...(entry.arch === undefined ? {} : { arch: entry.arch }),
    ...(entry.timeServer === undefined ? {} : { timeServer: true }),
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
