// Altered gateways one after the other in one process, which loads its modules once. Each line of the standard input is a
// JSON array with the words of the next one; the gateway before it ends first.
import { createInterface } from "node:readline";
import Type from "typebox";
import { checker } from "../interface/schema/validate.ts";
import { type RunningReference, startReference } from "../reference-impl/compose.ts";
import { readOptions } from "../reference-impl/options.ts";
import { readWords } from "./words.ts";

const wordsProblems = checker(Type.Array(Type.String()));
/** A gateway whose fault keeps it from ending ends with the process. */
const endWithinMs = 3000;

let running: RunningReference | undefined;

async function next(line: string): Promise<void> {
  const stuck = setTimeout(() => process.exit(1), endWithinMs);
  await running?.[Symbol.asyncDispose]();
  clearTimeout(stuck);
  running = undefined;
  const words: unknown = JSON.parse(line);
  if (wordsProblems(words).length > 0) throw new Error(`expected an array of words, found ${line}`);
  const { edges, rest } = readWords(words as string[]);
  const made = edges();
  running = await startReference(readOptions(rest, process.env), made);
  const { httpPort, httpsPort, version } = running;
  const below = made.basePath === "" ? {} : { basePath: made.basePath };
  process.stdout.write(`${JSON.stringify({ ready: true, httpPort, httpsPort, ...below, version })}\n`);
}

const lines = createInterface({ input: process.stdin });
lines.once("close", () => process.exit(0));
for await (const line of lines) {
  try {
    await next(line);
  } catch (thrown) {
    process.stderr.write(`gateway: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(2);
  }
}
