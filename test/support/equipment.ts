// What a test needs of the machine. Where it is missing the test is skipped, unless RACKPROOF_REQUIRE names it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

/** Folder of the Python programs that tools/install-python-tools.sh installs. */
export const pythonTools = fileURLToPath(new URL("../../.cache/python/bin", import.meta.url));

/** Whether a test must be left out because it needs labgrid and ser2net. */
export function lacksLabgrid(): boolean {
  const isThere = existsSync(join(pythonTools, "labgrid-coordinator"));
  return (!isThere && !required.has("labgrid")) || lacks("ser2net") || lacks("socat");
}

/** Whether a test must be left out because no container engine answers. */
export async function lacksEngine(): Promise<boolean> {
  return !(await hasEngine()) && !required.has("docker");
}
