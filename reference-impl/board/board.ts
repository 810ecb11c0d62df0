// The gateway's side of the board: when it booted, how it requests a reboot, and its console.
import type { Board } from "../foundation/gateway.ts";
import { rebootExitCode } from "./exitCodes.ts";

/** The board of this process. Its boot began when the process did. */
export function createBoard(nowMs: number): Board {
  const bootedAtMs = nowMs - Math.round(process.uptime() * 1000);
  return {
    bootedAtMs,
    reboot(reason) {
      // A console line is written synchronously, then the process ends: no connection is closed in order.
      process.stdout.write(`gateway: rebooting: ${reason}\n`, () => process.exit(rebootExitCode));
    },
    print: (line) => void process.stdout.write(`${line}\n`),
  };
}
