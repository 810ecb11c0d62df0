// Child processes that cannot outlive this one, however it ends.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

type Words = readonly [string, ...string[]];

/** The command with its end bound to that of its parent; unchanged on a machine without `setpriv`. */
export function boundToParent(command: Words): Words {
  return isProgram("setpriv") ? ["setpriv", "--pdeathsig", "KILL", ...command] : command;
}

/** Whether a program of this name is on the path. */
export function isProgram(name: string): boolean {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.some((folder) => existsSync(join(folder, name)));
}
