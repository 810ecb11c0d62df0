// What a test needs of the machine. Where it is missing the test is skipped, unless RACKPROOF_REQUIRE names it.
import { spawnSync } from "node:child_process";
import { hasEngine } from "../../rigs/host/engine.ts";
import { isProgram } from "../../rigs/host/boundChild.ts";

const required = new Set((process.env["RACKPROOF_REQUIRE"] ?? "").split(","));

/** Whether a test must be left out because the program is missing. */
export function lacks(program: string, name = program): boolean {
  return !isProgram(program) && !required.has(name);
}

/** Whether a test must be left out because Python has no such module. */
export function lacksPython(module: string): boolean {
  const { status } = spawnSync("python3", ["-c", `import ${module}`]);
  return status !== 0 && !required.has("python");
}

/** Whether a test must be left out because no container engine answers. */
export async function lacksEngine(): Promise<boolean> {
  return !(await hasEngine()) && !required.has("docker");
}
