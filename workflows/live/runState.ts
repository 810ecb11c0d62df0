// Reduces the events of one campaign to the content of the live view.
import type { LiveReading, LiveRun } from "../../record/index.ts";
import type { LiveEvent } from "./events.ts";

const mostOpen = 30;
const mostLatest = 8;
const mostConsoleLines = 40;
const mostReadings = 240;

export class RunState {
  #run: LiveRun = {
    gateway: "",
    level: "",
    selection: "",
    startedAt: 0,
    lastAt: 0,
    address: "",
    planned: 0,
    done: 0,
    counts: {},
    running: [],
    open: [],
    latest: [],
    console: [],
    streams: [],
    remarks: [],
  };

  get run(): LiveRun {
    return this.#run;
  }

  take(event: LiveEvent): void {
    this.#run = { ...this.#run, lastAt: event.at, ...this.#change(event) };
  }

  #change(event: LiveEvent): Partial<LiveRun> {
    const run = this.#run;
    switch (event.kind) {
      case "campaign": {
        const { gateway, level, selection, at } = event;
        return { gateway, level, selection, startedAt: at };
      }
      case "ready":
        return { address: event.baseUrl };
      case "planned":
        return { planned: event.count };
      case "started":
        return { running: [...run.running, { case: event.case, since: event.at }] };
      case "finished":
        return this.#finished(event);
      case "remark":
        return { remarks: [...run.remarks, event.text].slice(-mostLatest) };
      case "console":
        return { console: [...run.console, ...event.lines].slice(-mostConsoleLines) };
      case "stream": {
        const { at, valuesPerSec, latencyMs } = event;
        const reading: LiveReading = { at, valuesPerSec, ...(latencyMs === undefined ? {} : { latencyMs }) };
        return { streams: [...run.streams, reading].slice(-mostReadings) };
      }
      case "ended":
        return { ended: event.text, running: [] };
      case "turn":
        return {};
    }
  }

  #finished(event: LiveEvent & { readonly kind: "finished" }): Partial<LiveRun> {
    const { running, done, counts, open, latest } = this.#run;
    const { case: id, verdict, durationMs, reason = "" } = event;
    const wasRunning = running.some((one) => one.case === id);
    const isOpen = verdict !== "pass" && verdict !== "not-applicable";
    return {
      // Shapes are judged at the end, from recorded answers: they are not planned cases.
      done: wasRunning ? done + 1 : done,
      running: running.filter((one) => one.case !== id),
      counts: { ...counts, [verdict]: (counts[verdict] ?? 0) + 1 },
      open: isOpen ? [{ case: id, verdict, reason }, ...open].slice(0, mostOpen) : open,
      latest: [{ case: id, verdict, durationMs }, ...latest].slice(0, mostLatest),
    };
  }
}
