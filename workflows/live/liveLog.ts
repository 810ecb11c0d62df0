// Writes `live.jsonl`. Each line is in the file when the call returns, even if the process is killed afterwards.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Progress } from "../../harness/index.ts";
import { maskText } from "../../record/index.ts";
import type { LiveNews } from "./events.ts";

export const liveFile = "live.jsonl";

export class LiveLog implements Disposable {
  readonly #clock: Clock;
  #file: number | undefined;

  /** Starts a new file. */
  constructor(folder: string, clock: Clock) {
    mkdirSync(folder, { recursive: true });
    this.#file = openSync(join(folder, liveFile), "w");
    this.#clock = clock;
  }

  /** Secrets are masked as in the records. */
  tell(news: LiveNews): void {
    if (this.#file === undefined) return;
    const text = JSON.stringify({ at: this.#clock.epochMs(), ...news }, (_key, value: unknown) =>
      typeof value === "string" ? maskText(value) : value,
    );
    try {
      writeSync(this.#file, `${text}\n`);
    } catch {
      // A full disk must not end a campaign because of its live view.
    }
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** A campaign's progress as events. */
export function liveProgress(log: LiveLog): Progress {
  return {
    gatewayReady: (name, baseUrl) => log.tell({ kind: "ready", name, baseUrl }),
    planned: (count) => log.tell({ kind: "planned", count }),
    started: (caseId) => log.tell({ kind: "started", case: caseId }),
    finished: ({ id, verdict, durationMs, reason, reasonCode, decided }) =>
      log.tell({
        kind: "finished",
        case: id,
        verdict,
        durationMs,
        ...(reason === undefined ? {} : { reason }),
        ...(reasonCode === undefined ? {} : { reasonCode }),
        decided,
      }),
    remark: (text) => log.tell({ kind: "remark", text }),
    streamed: (reading) => log.tell({ kind: "stream", ...reading }),
  };
}

/** Forwards to several receivers. */
export function together(...all: readonly Progress[]): Progress {
  return {
    gatewayReady: (name, baseUrl) => all.forEach((one) => one.gatewayReady(name, baseUrl)),
    planned: (count) => all.forEach((one) => one.planned(count)),
    started: (caseId) => all.forEach((one) => one.started(caseId)),
    finished: (record) => all.forEach((one) => one.finished(record)),
    notApplicable: (record) => all.forEach((one) => one.notApplicable?.(record)),
    remark: (text) => all.forEach((one) => one.remark(text)),
    streamed: (reading) => all.forEach((one) => one.streamed(reading)),
  };
}
