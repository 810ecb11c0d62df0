// Programs of the system that operate a switch. No shell: words reach the program unchanged.
import { execa } from "execa";
import { answerWithinMs } from "./driver.ts";

/** Standard output. Throws an Error with the first words of the program, or with the package that has it. */
export async function runTool(
  [program = "", ...words]: readonly string[],
  debianPackage: string,
): Promise<string> {
  const { exitCode, stdout, stderr, code, timedOut } = await execa(program, words, {
    timeout: answerWithinMs,
    reject: false,
  });
  if (exitCode === 0) return stdout;
  if (code === "ENOENT") throw new Error(missingTool(program, debianPackage));
  const [said = ""] = `${stderr}\n${stdout}`.trim().split("\n", 1);
  throw new Error(timedOut ? `${program} did not end within ${answerWithinMs} ms` : said);
}

function missingTool(program: string, debianPackage: string): string {
  return `missing: ${program}. Fix: apt-get install ${debianPackage}`;
}
