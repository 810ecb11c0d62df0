// `rackproof compare`: sends the same steps to two gateways and reports where their answers differ.
import { isEmbeddedKind } from "../interface/vocabulary/gatewayKinds.ts";
import { randomBytes, randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { removeLeftovers } from "../rigs/index.ts";
import { UsageError, HarnessFault, NotApplicable, maskExchange, writeWhole } from "../record/index.ts";
import { GatewayConnection, monotonicClock } from "../harness/index.ts";
import type { CampaignLevel } from "../interface/vocabulary/levels.ts";
import {
  compareGateways,
  type Comparison,
  type ComparisonOptions,
  replay,
} from "../workflows/compare/comparison.ts";
import {
  type ConnectedGateway,
  connectedGateway,
  type FreshGateway,
} from "../workflows/compare/connectedGateway.ts";
import { describe, headline, parseReplay, replayText } from "../workflows/compare/script.ts";
import { type ComparedGateway, findCompared } from "./support/comparedGateway.ts";
import { onInterrupt } from "./support/interrupt.ts";

export interface CompareCommandOptions {
  readonly profileA?: string;
  readonly profileB?: string;
  readonly rack?: string;
  readonly level: CampaignLevel;
  /** Number of steps; the level's number when absent. */
  readonly steps?: number;
  readonly seed?: number;
  /** A sequence of steps that an earlier comparison wrote. */
  readonly replay?: string;
  readonly out?: string;
  readonly json?: boolean;
}

const stepsOfLevel: Readonly<Record<CampaignLevel, number>> = {
  smoke: 500,
  nightly: 5000,
  certification: 50_000,
};
const maxSeed = 2 ** 31 - 1;
/** Only the first gateway of a target has field devices; a comparison needs none. */
const withoutField = 1;

/** Returns the exit code: 0 no stated difference, 1 a stated difference, 3 inconclusive, 130 interrupted. */
export async function compare(a: string, b: string, options: CompareCommandOptions): Promise<number> {
  if (a === b && !isEmbeddedKind(a)) {
    throw new UsageError("COMPARE_ONE_GATEWAY", `compare ${a} ${b}: expected two gateways, found one`);
  }
  const given = options.replay === undefined ? undefined : await readReplay(options.replay);
  const named = [
    await findCompared(a, options.profileA, options.rack, "--profile-a"),
    await findCompared(b, options.profileB, options.rack, "--profile-b"),
  ] as const;
  const seed = options.seed ?? given?.seed ?? randomInt(1, maxSeed);
  const folder = options.out ?? join("runs", `${timeStamp()}-compare`);
  const say = (line: string): void =>
    void (options.json === true ? process.stderr : process.stdout).write(`${line}\n`);
  using interrupted = onInterrupt();
  for (const removed of await removeLeftovers()) say(`removed leftover of an earlier run: ${removed}`);
  await using stack = new AsyncDisposableStack();
  const [sideA, sideB] = [await connect(named[0], "A", stack, say), await connect(named[1], "B", stack, say)];
  const shared = { a: sideA, b: sideB, seed, token: randomBytes(3).toString("hex") };
  const startedMs = monotonicClock.nowMs();
  const comparison =
    given === undefined
      ? await compareGateways({
          ...shared,
          steps: options.steps ?? stepsOfLevel[options.level],
          signal: interrupted.signal,
          progress: progressLine(say),
        })
      : await replay(shared, given.steps).catch(explainReplay);
  const tokenHeaders = named.flatMap(({ target: { profile } }) => [
    profile.token.header,
    profile.tagToken.header,
  ]);
  await writeFolder(folder, comparison, shared.seed, [a, b], tokenHeaders);
  for (const [index, finding] of comparison.findings.entries()) {
    for (const line of describe(finding)) say(line);
    if (given === undefined) say(`  repeat: ${replayCommand(a, b, options, replayFile(folder, index))}`);
    say("");
  }
  const seconds = ((monotonicClock.nowMs() - startedMs) / 1000).toFixed(1);
  say(`${summary(comparison)}; ${seconds} s, seed ${seed}, folder ${folder}`);
  if (options.json === true)
    process.stdout.write(`${JSON.stringify({ ...toRecord(comparison, seed, [a, b]), folder })}\n`);
  if (interrupted.signal.aborted) return 130;
  return exitCode(comparison);
}

function exitCode({ findings, brokenOff }: Comparison): number {
  const stated = findings.filter(({ kind }) => kind === "stated");
  if (stated.some(({ isRepeatable }) => isRepeatable)) return 1;
  return stated.length > 0 || brokenOff !== undefined ? 3 : 0;
}

async function connect(
  { title, target, isRenewable }: ComparedGateway,
  side: string,
  stack: AsyncDisposableStack,
  say: (line: string) => void,
): Promise<ConnectedGateway> {
  const open = async (owner: AsyncDisposableStack): Promise<ConnectedGateway> => {
    const gateway = owner.use(await target.start(withoutField));
    const connection = owner.use(new GatewayConnection(gateway, target.profile, monotonicClock));
    if (owner === stack) say(`${side} is ${title}: ${gateway.name} ${gateway.version} at ${gateway.baseUrl}`);
    return connectedGateway(title, connection);
  };
  const fresh = async (): Promise<FreshGateway> => {
    await using owner = new AsyncDisposableStack();
    const other = await open(owner);
    const whole = owner.move();
    return { gateway: other, [Symbol.asyncDispose]: () => whole.disposeAsync() };
  };
  const first = await open(stack);
  return isRenewable ? { ...first, fresh } : first;
}

async function readReplay(file: string): Promise<ReturnType<typeof parseReplay>> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new UsageError("REPLAY_UNREADABLE", `replay ${file}: the file cannot be read`);
  });
  return parseReplay(text, file);
}

/** A step that the harness cannot send is a mistake in the file. */
function explainReplay(thrown: unknown): never {
  if (!(thrown instanceof HarnessFault || thrown instanceof NotApplicable)) throw thrown;
  throw new UsageError("REPLAY_STEP", `replay: ${thrown.message}`);
}

function summary({ findings, stepsTaken, sequences, brokenByBoth, brokenOff }: Comparison): string {
  const stated = findings.filter(({ kind }) => kind === "stated").length;
  const notes = findings.length - stated;
  return [
    `${stepsTaken} steps in ${sequences} sequences: ${stated} stated differences, ${notes} notes`,
    ...(brokenByBoth.length === 0 ? [] : [`both fail in the same way: ${brokenByBoth.join(", ")}`]),
    ...(brokenOff === undefined ? [] : [`stopped early: ${brokenOff}`]),
  ].join("; ");
}

function replayFile(folder: string, index: number): string {
  return join(folder, `replay-${index + 1}.json`);
}

function replayCommand(a: string, b: string, options: CompareCommandOptions, file: string): string {
  const pairs = [
    ["--profile-a", options.profileA],
    ["--profile-b", options.profileB],
    ["--rack", options.rack],
    ["--replay", file],
  ];
  const words = pairs.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return ["rackproof", "compare", a, b, ...words].join(" ");
}

function toRecord(comparison: Comparison, seed: number, titles: readonly string[]): object {
  const code = exitCode(comparison);
  return {
    format: "rackproof/comparison@1",
    verdict: code === 0 ? "alike" : code === 1 ? "different" : "undecided",
    gateways: titles,
    seed,
    steps: comparison.stepsTaken,
    sequences: comparison.sequences,
    brokenByBoth: comparison.brokenByBoth,
    ...(comparison.brokenOff === undefined ? {} : { brokenOff: comparison.brokenOff }),
    findings: comparison.findings.map((finding, index) => ({
      kind: finding.kind,
      headline: headline(finding),
      requirements: finding.difference.breaks,
      difference: finding.difference,
      steps: finding.steps.length,
      isRepeatable: finding.isRepeatable,
      seed: finding.seed,
      sequences: finding.sequences,
      replay: `replay-${index + 1}.json`,
    })),
  };
}

async function writeFolder(
  folder: string,
  comparison: Comparison,
  seed: number,
  titles: readonly string[],
  tokenHeaders: readonly string[],
): Promise<void> {
  const record = toRecord(comparison, seed, titles);
  await writeWhole(join(folder, "comparison.json"), `${JSON.stringify(record, null, 1)}\n`);
  for (const [index, finding] of comparison.findings.entries()) {
    await writeWhole(replayFile(folder, index), replayText(finding));
    const { a, b } = finding.exchanges;
    const masked = { a: maskExchange(a, tokenHeaders), b: maskExchange(b, tokenHeaders) };
    await writeWhole(join(folder, `exchanges-${index + 1}.json`), `${JSON.stringify(masked, null, 1)}\n`);
  }
}

/** Reports progress of a long comparison. */
function progressLine(say: (line: string) => void): ComparisonOptions["progress"] {
  const everyMs = 10_000;
  let lastMs = monotonicClock.nowMs();
  return (steps, findings) => {
    const nowMs = monotonicClock.nowMs();
    if (nowMs - lastMs < everyMs) return;
    lastMs = nowMs;
    say(`${steps} steps, ${findings} differences found`);
  };
}

function timeStamp(): string {
  return new Date(monotonicClock.epochMs()).toISOString().slice(0, 19).replaceAll(":", "-");
}
