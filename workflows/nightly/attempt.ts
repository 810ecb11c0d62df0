// One run on one gateway as a separate process, which isolates the night from its failures.
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";

import { readLines } from "../../rigs/index.ts";
import { execa } from "execa";
import { readLive } from "../live/readLive.ts";
import { messageOf, type CampaignRecord, readCampaign } from "../../record/index.ts";
import { type ConcludedCase, concludedCases } from "../history/outcome.ts";

export interface AttemptWish {
  readonly gateway: string;
  /** Arguments of `rackproof run` after the gateway's name, except `--out`. */
  readonly words: readonly string[];
  /** The run's own folder. */
  readonly folder: string;
  /** Environment of the run: its lease. */
  readonly environment: Readonly<Record<string, string>>;
  /** Program and first words of another release of rackproof that runs it. */
  readonly launcher?: readonly string[];
  /** Ends the run: the night was interrupted, or the lease reached its limit or was lost. */
  readonly signal: AbortSignal;
  /** Receives the lines that the run prints. */
  readonly printed?: (line: string) => void;
}

export interface AttemptResult {
  /** How it ended, in words. */
  readonly ending: string;
  /** The record; absent when the run ended without writing one. */
  readonly record?: CampaignRecord;
  /** The cases that came to their end, from the record or from the events of the run. */
  readonly concluded: readonly ConcludedCase[];
  /** Why there is no record: the last output of the run. */
  readonly trouble?: string;
}

export type RunAttempt = (wish: AttemptWish) => Promise<AttemptResult>;

const exited = "exit code ";

/** The exit code of a run, from how it ended; undefined when it was killed or not started. */
export function exitCodeOf(ending: string): number | undefined {
  const code = ending.startsWith(exited) ? Number(ending.slice(exited.length)) : NaN;
  return Number.isInteger(code) ? code : undefined;
}

/** A run that is ended by a signal restores the gateway's settings first. */
const endsWithinMs = 60_000;

/** Starts `rackproof run` and waits for its end; `launcher` is the file that started this program. */
export function attemptByProcess(launcher: string): RunAttempt {
  return async ({
    gateway,
    words,
    folder,
    environment,
    signal,
    printed = () => undefined,
    launcher: [program, ...before] = [process.execPath, launcher],
  }) => {
    await mkdir(folder, { recursive: true });
    // The output is beside the folder, whose content belongs to the run.
    const output = createWriteStream(`${folder}.txt`);
    // A full disk loses the output, but does not end the night.
    output.on("error", () => undefined);
    const child = execa(program ?? process.execPath, [...before, "run", gateway, ...words, "--out", folder], {
      // It ends with this pipe and cannot outlive the night; a separate process group receives Ctrl-C once.
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      buffer: false,
      reject: false,
      detached: true,
      env: { ...environment, NO_COLOR: "1" },
      cancelSignal: signal,
      gracefulCancel: false,
      killSignal: "SIGTERM",
      forceKillAfterDelay: endsWithinMs,
    });
    let last = "";
    child.stdout.pipe(output, { end: false });
    readLines(child.stdout, printed);
    readLines(child.stderr, (line) => {
      printed(line);
      if (line.trim() !== "") last = line;
      output.write(`${line}\n`);
    });
    const { exitCode, signal: killedBy, originalMessage } = await child;
    output.end();
    const ending =
      exitCode !== undefined
        ? `${exited}${exitCode}`
        : killedBy === undefined
          ? `not started: ${originalMessage ?? "unknown reason"}`
          : `ended by ${killedBy}`;
    try {
      const record = await readCampaign(folder);
      return { ending, record, concluded: concludedCases(record) };
    } catch (thrown) {
      const trouble =
        last === ""
          ? `no record written (${ending}; ${messageOf(thrown)})`
          : last.replace(/^rackproof: /, "");
      return { ending, concluded: await concludedBefore(folder), trouble };
    }
  };
}

/** The events of a run without a record. */
async function concludedBefore(folder: string): Promise<ConcludedCase[]> {
  const events = await readLive(folder);
  return events.flatMap((event) => {
    if (event.kind !== "finished" || event.reasonCode === "interrupted" || event.reasonCode === "not-run")
      return [];
    const { case: id, verdict, durationMs, reason, decided } = event;
    return [{ id, verdict, durationMs, decided, ...(reason === undefined ? {} : { reason }) }];
  });
}

/** The folder of an attempt of a gateway. */
export function attemptFolder(nightFolder: string, gateway: string, number: number): string {
  return `${nightFolder}/${folderName(gateway)}/attempt-${number}`;
}

/** A gateway's name as a folder: characters that a file system may reject are encoded. */
function folderName(gateway: string): string {
  const name = gateway.replaceAll(/[^\w.-]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
  return /^\.+$/.test(name) ? name.replaceAll(".", "%2e") : name;
}
