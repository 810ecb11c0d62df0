// The command line: runs the command that was typed, and ends with its exit code.
import { CommanderError } from "commander";
import { UsageError } from "../record/index.ts";
import { rackproofProgram } from "./program.ts";
import { errorLine } from "./support/errorLine.ts";

const exitWithinMs = 3000;

const exit = (code: number): void => {
  process.exitCode = code;
  // Abandoned work of a case may still wait for an answer, or listen for one, and would delay the exit or prevent it.
  setTimeout(() => process.exit(), exitWithinMs).unref();
};

// A reader such as head closes the pipe when it has read enough.
process.stdout.on("error", (fault: NodeJS.ErrnoException) => process.exit(fault.code === "EPIPE" ? 0 : 3));

// A defect of this program is no verdict, least of all "a stated requirement failed".
process.on("uncaughtException", (thrown) => process.exit(explain(thrown)));

try {
  await rackproofProgram(exit).parseAsync();
} catch (thrown) {
  exit(explain(thrown));
}

function explain(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  process.stderr.write(errorLine(thrown));
  if (thrown instanceof UsageError) return 2;
  if (process.env["RACKPROOF_DEBUG"] !== undefined && thrown instanceof Error)
    process.stderr.write(`${thrown.stack ?? ""}\n`);
  return 3;
}
