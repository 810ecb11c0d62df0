// Two pseudo-terminals joined end to end: a serial line without hardware.
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { boundToParent, isProgram } from "../host/boundChild.ts";
import { recordLeftover } from "../host/leftovers.ts";

/** Paths of the two ends; bytes written to one are read from the other. */
export interface PtyPair extends AsyncDisposable {
  readonly near: string;
  readonly far: string;
}

const readyWithinMs = 5000;

/** Whether this machine can make pty pairs. */
export function hasSocat(): boolean {
  return isProgram("socat");
}

/** Joins two new pseudo-terminals. Throws an Error that names what is missing. */
export async function openPtyPair(): Promise<PtyPair> {
  if (!hasSocat())
    throw new Error("missing: socat (serial lines without hardware). Fix: apt-get install socat");
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rackproof-pty-"));
  const leftover = await recordLeftover({ kind: "folder", path: folder });
  stack.defer(async () => {
    await rm(folder, { recursive: true, force: true });
    await leftover.settle();
  });
  const links = [join(folder, "near"), join(folder, "far")];
  const [program, ...rest] = boundToParent(["socat", ...links.map((link) => `pty,raw,echo=0,link=${link}`)]);
  const child = execa(program, rest, { stdin: "ignore", stdout: "ignore", stderr: "pipe", reject: false });
  stack.defer(async () => {
    child.kill("SIGKILL");
    await child;
  });
  const ended = child.then(({ stderr, exitCode }) => {
    throw new Error(`socat ended before the line was ready: ${stderr} (exit code ${exitCode ?? "none"})`);
  });
  ended.catch(() => undefined);
  await Promise.race([ended, untilThere(links)]);
  const [near = "", far = ""] = await Promise.all(links.map((link) => realpath(link)));
  const whole = stack.move();
  return { near, far, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

async function untilThere(links: readonly string[]): Promise<void> {
  const startedMs = performance.now();
  while (!links.every((link) => existsSync(link))) {
    if (performance.now() - startedMs > readyWithinMs)
      throw new Error(`expected two pseudo-terminals within ${readyWithinMs} ms, found none`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
