// Progress of a campaign: one line that is rewritten on a terminal, plain lines elsewhere.
import type { WriteStream } from "node:tty";
import picocolors from "picocolors";
import type { Progress } from "../../harness/index.ts";
import type { CaseRecord } from "../../record/index.ts";

/** Where progress is written. */
type Output = NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;

const redrawEveryMs = 100;

export function progressDisplay(output: Output): Progress & Disposable {
  const isTerminal = output.isTTY === true;
  const running = new Set<string>();
  let planned = 0;
  let done = 0;
  let isClosed = false;
  const startedMs = performance.now();

  const clearLine = (): void => void (isTerminal && output.write("\r\u001B[2K"));
  const line = (text: string): void => {
    clearLine();
    output.write(`${text}\n`);
  };
  const redraw = (): void => {
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    const text = `${done}/${planned} cases, ${seconds} s, running: ${[...running].join(", ") || "-"}`;
    clearLine();
    output.write(text.slice(0, (output.columns ?? 80) - 1));
  };
  const timer = isTerminal ? setInterval(redraw, redrawEveryMs) : undefined;

  return {
    gatewayReady: (name, baseUrl) => line(`gateway ${name} is reachable at ${baseUrl}`),
    planned(count) {
      planned = count;
      line(`${count} cases selected`);
    },
    started: (caseId) => void running.add(caseId),
    finished(record) {
      if (running.delete(record.id)) done += 1;
      if (record.verdict !== "pass") line(describe(record));
      else if (!isTerminal) line(`pass  ${record.id} (${Math.round(record.durationMs)} ms)`);
    },
    remark: line,
    streamed: () => undefined,
    [Symbol.dispose]() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      clearLine();
    },
  };
}

function describe(record: CaseRecord): string {
  const colour =
    record.verdict === "fail"
      ? picocolors.red
      : record.verdict === "error"
        ? picocolors.magenta
        : picocolors.yellow;
  return `${colour(record.verdict)}  ${record.id}: ${record.reason ?? ""}`;
}
