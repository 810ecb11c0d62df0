// One campaign whose record, evidence, console and reports go into a folder.
import { randomBytes, randomInt } from "node:crypto";
import { join } from "node:path";
import {
  type CampaignOptions,
  type CampaignResult,
  type Progress,
  monotonicClock,
  runCampaign,
} from "../../harness/index.ts";
import {
  type CampaignRecord,
  type Exchange,
  type LogKey,
  LogWriter,
  SecretMasks,
  digestsOf,
  logKey,
  maskExchange,
  maskText,
  readExchanges,
  writeCampaign,
  writeExchanges,
  writeWhole,
} from "../../record/index.ts";
import { writeReports } from "../../reports/registry.ts";
import type { RunningGateway } from "../../rigs/index.ts";
import { ConsoleTail } from "../../workflows/live/consoleTail.ts";
import { newestFrozenSet } from "../../workflows/release/requirementSet.ts";
import { recordCases } from "../../workflows/replay/recordCases.ts";
import { recordedProfile } from "../../workflows/replay/recordedProfile.ts";
import { LiveLog, liveProgress, together } from "../../workflows/live/liveLog.ts";
import type { Target } from "./target.ts";
import { sourcesSha256 } from "./sourcesDigest.ts";
import { suiteVersion } from "./version.ts";

export interface RecordedRunOptions extends Pick<CampaignOptions, "cases" | "selection" | "level"> {
  readonly target: Target;
  /** Default a random one. */
  readonly seed?: number | undefined;
  /** Default a folder below `runs/` with the time and the target's name. */
  readonly folder?: string | undefined;
  /** Envelope of a certifier's challenge, for the header of the log. */
  readonly challenge?: unknown;
  /** Signs the log; default a key that is made for this run and discarded. */
  readonly key?: LogKey | undefined;
}

const maxSeed = 2 ** 31 - 1;

export class RecordedRun implements Disposable {
  readonly folder: string;
  readonly seed: number;
  readonly #options: RecordedRunOptions;
  readonly #live: LiveLog;
  readonly #consoles: ConsoleTail;
  #resultNow: (() => CampaignResult) | undefined;
  #written: Promise<string[]> | undefined;
  #log: LogWriter | undefined;

  /** Starts the folder's live log. */
  constructor(options: RecordedRunOptions) {
    const { target, level, selection } = options;
    this.#options = options;
    this.seed = options.seed ?? randomInt(1, maxSeed);
    this.folder = options.folder ?? join("runs", `${timeStamp(monotonicClock.epochMs())}-${target.name}`);
    this.#live = new LiveLog(this.folder, monotonicClock);
    this.#live.tell({ kind: "campaign", gateway: target.name, level, selection });
    this.#consoles = new ConsoleTail(this.#live);
  }

  /** Runs the campaign and writes everything; returns one line for each report that failed. */
  async run(
    progress: Progress,
    signal: AbortSignal,
  ): Promise<{ readonly record: CampaignRecord; readonly failures: string[] }> {
    const { target, cases, selection, level } = this.#options;
    const { folder, seed } = this;
    const tokenHeaders = [target.profile.token.header, target.profile.tagToken.header];
    const masks = new SecretMasks(tokenHeaders);
    const log = (this.#log = this.#beginLog(masks));
    const result = await runCampaign({
      cases,
      selection,
      profile: target.profile,
      level,
      seed,
      clock: monotonicClock,
      suiteVersion,
      instances: cases.length === 1 ? 1 : target.instances,
      startGateway: async (number) => {
        const started = await target.start(number);
        this.#consoles.follow(started);
        return started;
      },
      reproduce: (caseId) =>
        ["rackproof", "run", ...target.words, "--seed", seed, "--select", `'${caseId}'`].join(" "),
      progress: together(progress, liveProgress(this.#live)),

      keepExchanges: (caseId, exchanges) =>
        writeExchanges(folder, caseId, exchanges, (exchange) => maskExchange(exchange, tokenHeaders)),
      taping: recordCases({
        add: (entry, contents) => log.add(entry, contents),
        maskText: (text) => masks.text(text),
        maskHeaders: (headers) => masks.headers(headers),
      }),
      signal,
      onStarted: (now) => (this.#resultNow = now),
    });
    const failures = await (this.#written ??= writeRun(folder, result, log));
    this.#live.tell({ kind: "ended", text: result.record.summary.verdict });
    return { record: result.record, failures };
  }

  /** Writes what was measured until now, for an end that cannot wait; without effect before the first case. */
  async writeNow(): Promise<void> {
    if (this.#resultNow !== undefined)
      await (this.#written ??= writeRun(this.folder, this.#resultNow(), this.#log));
  }

  #beginLog(masks: SecretMasks): LogWriter {
    const { target, level, selection, challenge, key = logKey() } = this.#options;
    const { set, sha256: setSha256 } = newestFrozenSet();
    return new LogWriter(this.folder, key, {
      run: randomBytes(16).toString("hex"),
      epochMs: () => monotonicClock.epochMs(),
      contents: { profile: masks.text(JSON.stringify(recordedProfile(target.profile))) },
      header: {
        suite: { version: suiteVersion, interface: set.interface, sourcesSha256: sourcesSha256() },
        requirementSet: { name: set.name, sha256: setSha256 },
        profile: { name: target.profile.name, sha256: target.profile.sha256 },
        level,
        selection,
        seed: this.seed,
        startedAt: new Date(monotonicClock.epochMs()).toISOString(),
        ...(challenge === undefined ? {} : { challenge }),
      },
    });
  }

  [Symbol.dispose](): void {
    this.#consoles[Symbol.dispose]();
    this.#live[Symbol.dispose]();
    this.#log?.[Symbol.dispose]();
  }
}

/** Writes record, end of the log, console and reports into the run's folder; returns one line for each report that failed. */
async function writeRun(
  folder: string,
  { record, console, consoleChunks }: CampaignResult,
  log: LogWriter | undefined,
): Promise<string[]> {
  await writeCampaign(folder, record);
  log?.end({ complete: record.complete, files: await digestsOf(folder) });
  await writeWhole(join(folder, "console.log"), consoleText(console));
  if (consoleChunks.length > 0)
    await writeWhole(join(folder, "console-raw.jsonl"), rawConsoleText(consoleChunks));
  return writeReports(record, await exchangesOfOpenCases(folder, record), folder);
}

async function exchangesOfOpenCases(
  folder: string,
  record: CampaignRecord,
): Promise<(caseId: string) => readonly Exchange[]> {
  const loaded = new Map<string, readonly Exchange[]>();
  for (const { id, verdict, checks } of record.cases) {
    const hasAdvice = checks.some((check) => check.verdict === "advice");
    if ((verdict === "pass" && !hasAdvice) || verdict === "not-applicable") continue;
    // A shape case refers to exchanges of the cases that observed the breach.
    for (const caseId of new Set([id, ...checks.flatMap((check) => check.exchangeCase ?? [])])) {
      if (!loaded.has(caseId)) loaded.set(caseId, await readExchanges(folder, caseId));
    }
  }
  return (caseId) => loaded.get(caseId) ?? [];
}

function consoleText(lines: RunningGateway["console"]): string {
  return lines
    .toSorted((a, b) => a.monotonicMs - b.monotonicMs)
    .map(
      (line) =>
        `${new Date(line.epochMs).toISOString()} ${line.monotonicMs.toFixed(3)} ${maskText(line.text)}\n`,
    )
    .join("");
}

/** One JSON object a line; bytes in base64, because a chunk may end within a character. */
function rawConsoleText(chunks: NonNullable<RunningGateway["consoleChunks"]>): string {
  return chunks
    .toSorted((a, b) => a.monotonicMs - b.monotonicMs)
    .map(({ direction, monotonicMs, epochMs, bytes }) =>
      JSON.stringify({
        at: new Date(epochMs).toISOString(),
        monotonicMs,
        direction,
        // Secrets that the gateway prints are masked as in console.log.
        base64: Buffer.from(maskText(bytes.toString("latin1")), "latin1").toString("base64"),
      }),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** UTC without characters that file systems reject: 2026-03-01T07-00-00. */
function timeStamp(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replaceAll(":", "-");
}
