// One run over one gateway as a process of its own, so that nothing it does to itself reaches the rest of the night.
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";

import { readLines } from "../../rigs/index.ts";
import { execa } from "execa";
import { messageOf } from "../../harness/index.ts";
import { readLive } from "../live/readLive.ts";
import { type CampaignRecord, readCampaign } from "../../record/index.ts";
import { type ConcludedCase, concludedCases } from "../history/outcome.ts";

export interface AttemptWish {
  readonly gateway: string;
  /** Words of `rackproof run` after the gateway's name, but `--out`. */
  readonly words: readonly string[];
  /** The run's own folder. */
  readonly folder: string;
  /** What the run must find in its environment: the lease that it works under. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the run: the night was interrupted, or the lease reached its limit or was lost. */
  readonly signal: AbortSignal;
}

export interface AttemptResult {
  /** How it ended, in words. */
  readonly ending: string;
  /** The record; absent when the run ended without writing one. */
  readonly record?: CampaignRecord;
  /** The cases that came to their end, from the record or from what the run told before it ended. */
  readonly concluded: readonly ConcludedCase[];
  /** Why there is no record: the last thing that the run said. */
  readonly trouble?: string;
}

export type RunAttempt = (wish: AttemptWish) => Promise<AttemptResult>;

/** A run that was asked to end puts the gateway's settings back first. */
const endsWithinMs = 60_000;

/** Starts `rackproof run` and waits for its end; `launcher` is the file that started this program. */
export function attemptByProcess(launcher: string): RunAttempt {
  return async ({ gateway, words, folder, environment, signal }) => {
    await mkdir(folder, { recursive: true });
    // The output stands beside the folder, whose content is the run's own.
    const output = createWriteStream(`${folder}.txt`);
    // A disk that is full takes the output, and not the night.
    output.on("error", () => undefined);
    const child = execa(process.execPath, [launcher, "run", gateway, ...words, "--out", folder], {
      // It ends when this pipe does, so it cannot outlive the night; a group of its own, so that Ctrl-C reaches it once.
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
    readLines(child.stderr, (line) => {
      if (line.trim() !== "") last = line;
      output.write(`${line}\n`);
    });
    const { exitCode, signal: killedBy, originalMessage } = await child;
    output.end();
    const ending =
      exitCode !== undefined
        ? `exit code ${exitCode}`
        : killedBy === undefined
          ? `it did not start: ${originalMessage ?? "for no reason known"}`
          : `ended by ${killedBy}`;
    try {
      const record = await readCampaign(folder);
      return { ending, record, concluded: concludedCases(record) };
    } catch (thrown) {
      const trouble =
        last === ""
          ? `it left no record (${ending}; ${messageOf(thrown)})`
          : last.replace(/^rackproof: /, "");
      return { ending, concluded: await concludedBefore(folder), trouble };
    }
  };
}

/** What a run that left no record had told by then. */
async function concludedBefore(folder: string): Promise<ConcludedCase[]> {
  const events = await readLive(folder);
  return events.flatMap((event) => {
    if (event.kind !== "finished" || event.reasonCode === "interrupted" || event.reasonCode === "not-run")
      return [];
    const { case: id, verdict, durationMs, reason, decided } = event;
    return [{ id, verdict, durationMs, decided, ...(reason === undefined ? {} : { reason }) }];
  });
}

/** Where an attempt of a gateway keeps its files. */
export function attemptFolder(nightFolder: string, gateway: string, number: number): string {
  return `${nightFolder}/${folderName(gateway)}/attempt-${number}`;
}

/** A gateway's name as a folder: what a file system could take amiss is spelled out. */
function folderName(gateway: string): string {
  const name = gateway.replaceAll(/[^\w.-]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
  return /^\.+$/.test(name) ? name.replaceAll(".", "%2e") : name;
}
