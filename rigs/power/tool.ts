// Programs of the system that operate a switch. No shell: words reach the program unchanged.
import { execa } from "execa";
import { answerWithinMs } from "./driver.ts";

interface ToolOptions {
  readonly withinMs?: number;
  /** More variables for the program. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Standard output. Throws an Error with the reason that the program prints, or with the command that installs it. */
export async function runTool(
  [program = "", ...words]: readonly string[],
  install: string,
  { withinMs = answerWithinMs, environment = {} }: ToolOptions = {},
): Promise<string> {
  const { exitCode, stdout, stderr, code, timedOut } = await execa(program, words, {
    timeout: withinMs,
    env: environment,
    reject: false,
  });
  if (exitCode === 0) return stdout;
  if (code === "ENOENT") throw new Error(`missing: ${program}. Fix: ${install}`);
  const lines = `${stderr}\n${stdout}`.trim().split("\n");
  // A program in Python ends with the reason.
  const said = lines[0]?.startsWith("Traceback ") === true ? lines.at(-1) : lines[0];
  throw new Error(timedOut ? `${program} did not end within ${withinMs} ms` : said);
}
