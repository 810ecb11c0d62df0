// `rackproof soak`: one gateway for a long time, with verdicts on what changes meanwhile.
import { randomInt } from "node:crypto";
import { join, relative } from "node:path";
import { setFlagsFromString } from "node:v8";
import {
  checkHealth,
  GatewayConnection,
  type Members,
  monotonicClock,
  type Profile,
} from "../harness/index.ts";
import { troubleLines, troubleTitle } from "../reports/text/trouble.ts";
import { type SoakRecord, type Trouble, UsageError, writeWhole } from "../record/index.ts";
import { soakPage } from "../reports/soak/soakPage.ts";
import { soakText } from "../reports/soak/soakText.ts";
import { type RunningGateway, removeLeftovers } from "../rigs/index.ts";
import { Course } from "../workflows/soak/course.ts";
import { Journal, readJournal } from "../workflows/soak/journal.ts";
import type { JournalLine, SoakHead } from "../workflows/soak/sample.ts";
import { type Mix, mixOf, readMix, readMixValue } from "../workflows/soak/mix.ts";
import { hours } from "../workflows/soak/judge.ts";
import { progressLine } from "../workflows/soak/progress.ts";
import { runSoak } from "../workflows/soak/soak.ts";
import { soakRecord } from "../workflows/soak/soakRecord.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { findTarget } from "./support/target.ts";
import { suiteVersion } from "./support/version.ts";

export interface SoakCommandOptions {
  readonly hours?: number;
  readonly minutes?: number;
  readonly mix?: string;
  readonly seed?: number;
  readonly out?: string;
  /** Folder of an interrupted soak. */
  readonly resume?: string;
  readonly profile?: string;
  readonly rack?: string;
  readonly fault?: string;
  readonly variation?: string;
  readonly without?: readonly string[];
  readonly json?: boolean;
}

const defaultHours = 72;
const interfaceName = "Core 2.3.0";
const maxSeed = 2 ** 31 - 1;

/** What a soak needs to begin or to continue. */
interface Plan {
  readonly folder: string;
  readonly mix: Mix;
  readonly target: SoakHead["target"];
  readonly plannedSec: number;
  readonly seed: number;
  readonly course: Course;
  /** Of the process that began it. */
  readonly head?: SoakHead | undefined;
  readonly found?: Readonly<Record<string, Members>> | undefined;
  readonly mixDocument: unknown;
}

/** Returns the exit code: 0 passed, 1 failed, 3 inconclusive, 130 interrupted. */
export async function soak(gateway: string, options: SoakCommandOptions): Promise<number> {
  const plan =
    options.resume === undefined ? await begun(gateway, options) : await resumed(options.resume, options);
  const { folder, course, mix, target } = plan;
  // V8 doubles its space for new objects after minutes or hours, and the memory of the harness rises by 52 MiB: it stays as it is.
  setFlagsFromString("--semi-space-growth-factor=1");
  const { gateway: named, without, ...rest } = target;
  const found = await findTarget(named, {
    ...rest,
    ...(without === undefined ? {} : { without }),
    parallel: 1,
  });
  const say = (line: string): void =>
    void (options.json === true ? process.stderr : process.stdout).write(`${line}\n`);
  using interrupted = onInterrupt();
  for (const removed of await removeLeftovers())
    say(`rackproof: removed leftover of an earlier run: ${removed}`);
  await using running = await found.start(0);
  const trouble = await troubleOf(running, found.profile);
  if (trouble !== undefined) {
    process.stderr.write(`rackproof: ${[troubleTitle(trouble), ...troubleLines(trouble)].join(". ")}\n`);
    return exitCodes.inconclusive;
  }
  const journal = new Journal(folder);
  const head = plan.head ?? headOf(plan, running, found.profile);
  if (plan.head === undefined) journal.add(head);
  const progress = progressLine(course, monotonicClock, say);
  say(
    `${running.name} ${running.version} at ${running.baseUrl}: soak until ${hours(plan.plannedSec)}, folder ${folder}`,
  );
  const write = (line: JournalLine): void => {
    journal.add(line);
    course.take(line);
    progress(line);
  };
  const left = await runSoak({
    gateway: running,
    profile: found.profile,
    clock: monotonicClock,
    mix,
    seed: plan.seed,
    plannedSec: plan.plannedSec,
    course,
    found: plan.found,
    write,
    signal: AbortSignal.any([
      interrupted.signal,
      ...(running.lease === undefined ? [] : [running.lease.lost]),
    ]),
  });
  write(
    interrupted.signal.aborted
      ? { kind: "event", event: happening(course, "interruption", "the soak was interrupted") }
      : { kind: "end", left },
  );
  const endedAt = new Date(monotonicClock.epochMs()).toISOString();
  const record = soakRecord(head, course, { mix, endedAt, interfaceName });
  await writeWhole(join(folder, "soak.json"), `${JSON.stringify(record, null, 1)}\n`);
  await writeWhole(join(folder, "soak.html"), soakPage(record));
  if (options.json === true) process.stdout.write(`${JSON.stringify({ ...summary(record), folder })}\n`);
  else process.stdout.write(soakText(record, relative(process.cwd(), join(folder, "soak.html"))));
  // A soak that ended early for another reason has lost its gateway or its lease.
  if (!interrupted.signal.aborted)
    return record.complete || record.verdict === "fail" ? exitCodes[record.verdict] : exitCodes.inconclusive;
  say(`resume: rackproof soak --resume ${folder}`);
  return 130;
}

const exitCodes: Readonly<Record<SoakRecord["verdict"], number>> = { pass: 0, fail: 1, inconclusive: 3 };

/** Why the gateway cannot be soaked: no answer, another certificate, or a rejected sign-in. */
async function troubleOf(gateway: RunningGateway, profile: Profile): Promise<Trouble | undefined> {
  await using connection = new GatewayConnection(gateway, profile, monotonicClock);
  return await checkHealth({ connection, gateway, needsField: false, note: () => undefined });
}

function summary({ verdict, complete, seed, soakedSec, findings }: SoakRecord): object {
  return { verdict, complete, seed, soakedSec, findings };
}

async function begun(gateway: string, options: SoakCommandOptions): Promise<Plan> {
  const { hours, minutes, mix: mixFile, profile, rack, fault, variation, without } = options;
  if (hours !== undefined && minutes !== undefined)
    throw new UsageError("SOAK_DURATION", `--hours ${hours} --minutes ${minutes}: expected one of the two`);
  const mixDocument = mixFile === undefined ? {} : await readMix(mixFile);
  const mix = mixOf(mixDocument);
  const startedAt = new Date(monotonicClock.epochMs()).toISOString();
  const timeStamp = startedAt.slice(0, 19).replaceAll(":", "-");
  return {
    folder: options.out ?? join("runs", `${timeStamp}-soak`),
    mix,
    mixDocument,
    target: {
      gateway,
      ...(profile === undefined ? {} : { profile }),
      ...(rack === undefined ? {} : { rack }),
      ...(fault === undefined ? {} : { fault }),
      ...(variation === undefined ? {} : { variation }),
      ...(without === undefined ? {} : { without: [...without] }),
    },
    plannedSec: minutes === undefined ? (hours ?? defaultHours) * 3600 : minutes * 60,
    seed: options.seed ?? randomInt(1, maxSeed),
    course: new Course(mix.warmUpSec),
  };
}

/** Reads the journal of the interrupted soak. */
async function resumed(folder: string, options: SoakCommandOptions): Promise<Plan> {
  const { resume: _folder, json: _json, ...others } = options;
  const [given] = Object.keys(others);
  if (given !== undefined)
    throw new UsageError(
      "SOAK_RESUME_OPTION",
      `--resume ${folder}: expected no other option, found --${given}`,
    );
  let plan: Plan | undefined;
  let hasEnded = false;
  for await (const line of readJournal(folder)) {
    if (line.kind === "head") {
      const { target, plannedSec, seed } = line;
      const mix = mixOf(readMixValue(line.mix, folder));
      plan = {
        folder,
        mix,
        mixDocument: line.mix,
        target,
        plannedSec,
        seed,
        course: new Course(mix.warmUpSec),
        head: line,
      };
    } else if (line.kind === "found" && plan !== undefined) plan = { ...plan, found: line.settings };
    else plan?.course.take(line);
    hasEnded = line.kind === "end";
  }
  if (plan === undefined) throw new UsageError("SOAK_FOLDER", `soak ${folder}: the journal has no head`);
  if (hasEnded) throw new UsageError("SOAK_FOLDER", `soak ${folder}: it has ended and cannot be resumed`);
  return plan;
}

function headOf(
  { target, plannedSec, seed, mixDocument }: Plan,
  { kind, name, version, baseUrl, fault }: RunningGateway,
  profile: { readonly name: string; readonly sha256: string },
): SoakHead {
  return {
    kind: "head",
    format: "rackproof/soak-journal@1",
    suiteVersion,
    startedAt: new Date(monotonicClock.epochMs()).toISOString(),
    plannedSec,
    seed,
    target,
    mix: mixDocument,
    gateway: { kind, name, version, baseUrl, ...(fault === undefined ? {} : { fault }) },
    profile: { name: profile.name, sha256: profile.sha256 },
  };
}

function happening(course: Course, kind: "interruption", text: string) {
  return { sec: course.soakedSec, at: new Date(monotonicClock.epochMs()).toISOString(), kind, text };
}
