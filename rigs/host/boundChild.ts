// Child processes that cannot outlive this one, however it ends.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

type Words = readonly [string, ...string[]];

/** The command in such a form that the kernel ends it with its parent; as it is where the machine has no `setpriv`. */
export function boundToParent(command: Words): Words {
  return isProgram("setpriv") ? ["setpriv", "--pdeathsig", "KILL", ...command] : command;
}

/** Whether a program of this name is on the path. */
export function isProgram(name: string): boolean {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.some((folder) => existsSync(join(folder, name)));
}
