import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { expect, test } from "vitest";

const interrupt = new URL("./interrupt.ts", import.meta.url).href;
/** Prints what each signal causes, and never ends by itself. */
const program = `
  const { onInterrupt } = await import(${JSON.stringify(interrupt)});
  const { signal } = onInterrupt({ beforeForcedEnd: async () => {
    console.log("forced");
    if (process.argv.includes("slow")) await new Promise(() => undefined);
    console.log("written");
  } });
  signal.addEventListener("abort", () => console.log("aborted"));
  if (process.argv.includes("defect")) setTimeout(() => { throw new Error("a defect"); }, 50);
  setInterval(() => undefined, 1000);
  console.log("ready");
`;

/** A command that ends by the last signal has ended by then, even on a busy machine; one that continues is given less. */
const endsWithinMs = 10_000;
const staysForMs = 300;

async function linesAfter(signals: readonly (NodeJS.Signals | number)[], ...words: string[]) {
  const child = execa(process.execPath, ["--input-type=module", "-e", program, ...words], {
    reject: false,
    buffer: false,
    forceKillAfterDelay: false,
  });
  let isRunning = true;
  const ended = child.then(({ exitCode }) => {
    isRunning = false;
    return exitCode;
  });
  const lines: string[] = [];
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    if (line === "ready") resolve();
  });
  await ready;
  for (const one of signals) {
    if (typeof one === "number") await delay(one);
    else child.kill(one);
  }
  await Promise.race([ended, delay(words.includes("stays") ? staysForMs : endsWithinMs)]);
  const wasRunning = isRunning;
  child.kill("SIGKILL");
  const exitCode = await ended;
  return { lines: lines.slice(1), exitCode: wasRunning ? "running" : exitCode };
}

test("signals within a second are one: the command continues to its clean end", async () => {
  expect(await linesAfter(["SIGINT", 50, "SIGINT", 50, "SIGTERM", "SIGINT"], "stays")).toEqual({
    lines: ["aborted"],
    exitCode: "running",
  });
});

test("a second signal a second later writes what was measured and ends", async () => {
  expect(await linesAfter(["SIGINT", 1200, "SIGINT"])).toEqual({
    lines: ["aborted", "forced", "written"],
    exitCode: 130,
  });
});

test("a third signal does not wait for the writing", async () => {
  expect(await linesAfter(["SIGTERM", 1200, "SIGTERM", 1200, "SIGTERM"], "slow")).toEqual({
    lines: ["aborted", "forced"],
    exitCode: 130,
  });
});

test("a defect of the program writes what was measured and ends without a verdict", async () => {
  expect(await linesAfter([100], "defect")).toEqual({ lines: ["forced", "written"], exitCode: 3 });
});

test("abandoned work of a case or of a run without its lease does not end the command, other failures do", async () => {
  const lease = new URL("../../workflows/leases/lease.ts", import.meta.url).href;
  const record = new URL("../../record/index.ts", import.meta.url).href;
  const after = (thrown: string): string => `
    const { onInterrupt } = await import(${JSON.stringify(interrupt)});
    const { LeaseLost } = await import(${JSON.stringify(lease)});
    const { HarnessFault, Unmet } = await import(${JSON.stringify(record)});
    onInterrupt();
    Promise.reject(${thrown});
    setTimeout(() => { console.log("continued"); process.exit(0); }, 50);
  `;
  const ended = async (thrown: string) =>
    execa(process.execPath, ["--input-type=module", "-e", after(thrown)], { reject: false });
  for (const end of ['LeaseLost("expired")', 'Unmet("the gateway was lost")', 'HarnessFault("no time left")'])
    expect([end, await ended(`new ${end}`)]).toMatchObject([end, { exitCode: 0, stdout: "continued" }]);
  expect(await ended('new Error("a defect")')).toMatchObject({ exitCode: 1, stdout: "" });
});

test("a defect of the program ends it with one line and without a verdict", async () => {
  const defect = 'data:text/javascript,setTimeout(() => { throw new Error("a defect") }, 1500)';
  const main = new URL("../main.ts", import.meta.url).pathname;
  const words = ["--disable-warning=ExperimentalWarning", "--import", defect, main];
  const { exitCode, stderr } = await execa(
    process.execPath,
    [...words, "serve", "--port", "0", "--https-port", "0"],
    { reject: false, env: { RACKPROOF_DEBUG: undefined } },
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: "rackproof: a defect" });
});
