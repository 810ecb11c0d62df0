// A run as a separate process: its results after a kill, and its end by a signal.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/commandLine.ts";
import { attemptByProcess } from "./attempt.ts";

const event = {
  kind: "finished",
  case: "x/a",
  verdict: "pass",
  durationMs: 1,
  decided: [{ requirement: "CORE-A", verdict: "pass" }],
};

/** A program in the place of rackproof: it tells of one case that ended, and then does what is given. */
async function attempt(folder: string, then: string, signal = new AbortController().signal) {
  const launcher = join(folder, "launcher.mjs");
  const program = `import { writeFileSync } from "node:fs";
    const out = process.argv[process.argv.indexOf("--out") + 1];
    writeFileSync(out + "/live.jsonl", ${JSON.stringify(JSON.stringify({ at: 1, ...event }))} + '\\n{"at":2,"kind":"fin');
    ${then}`;
  await writeFile(launcher, program);
  return attemptByProcess(launcher)({
    gateway: "left",
    words: [],
    folder: join(folder, "attempt-1"),
    environment: {},
    signal,
  });
}

test.each([
  ["process.kill(process.pid, 'SIGKILL')", "ended by SIGKILL", /^no record written \(ended by SIGKILL; /],
  ["console.error('rackproof: out of memory'); process.exit(3)", "exit code 3", /^out of memory$/],
])("what a run told before it died counts: %s", async (then, ending, trouble) => {
  await using folder = await temporaryFolder();
  expect(await attempt(folder.path, then)).toEqual({
    ending,
    concluded: [{ id: "x/a", verdict: "pass", durationMs: 1, decided: event.decided }],
    trouble: expect.stringMatching(trouble),
  });
});

test("a run is asked to end when the night is", async () => {
  await using folder = await temporaryFolder();
  const then = "process.on('SIGTERM', () => process.exit(130)); setInterval(() => {}, 1000);";
  const { ending } = await attempt(folder.path, then, AbortSignal.timeout(2000));
  expect(ending).toBe("exit code 130");
});
