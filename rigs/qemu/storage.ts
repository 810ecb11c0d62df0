// Fills the state disk of an emulated gateway and frees it again, while its power is off.
import { rm, truncate, writeFile } from "node:fs/promises";
import { execa } from "execa";
import type { StorageControl } from "../gateway/gateway.ts";
import { timed } from "../host/instant.ts";
import type { Machine } from "./machine.ts";

const ballastName = "ballast";
/** Space that remains: enough to mount and boot, not enough to work. */
const roomBytes = 192 * 1024;
const path = { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` };

export function storageOf(machine: Machine, disk: string): StorageControl {
  const whileOff = (action: () => Promise<unknown>) =>
    timed(async () => {
      await machine.powerOff();
      // The journal is replayed first, as the gateway itself would do it.
      await execa("e2fsck", ["-p", disk], { env: path, reject: false });
      await action();
      await machine.powerOn();
    });
  return {
    fill: () =>
      whileOff(async () => {
        const ballast = `${disk}.${ballastName}`;
        await writeFile(ballast, "");
        await truncate(ballast, Math.max(0, (await freeBytes(disk)) - roomBytes));
        try {
          await fillWith(disk, ballast);
        } finally {
          await rm(ballast, { force: true });
        }
      }),
    free: () => whileOff(() => debugfs(disk, `rm ${ballastName}`)),
  };
}

/** A sparse file would use no space: all blocks are allocated. */
async function fillWith(disk: string, ballast: string): Promise<void> {
  await debugfs(disk, `write ${ballast} ${ballastName}`);
  const blocks = Math.floor((await freeBytes(disk)) / blockBytes);
  const wanted = blocks - Math.ceil(roomBytes / blockBytes);
  if (wanted > 0) await debugfs(disk, `fallocate ${ballastName} 0 ${wanted}`);
}

const blockBytes = 4096;

async function freeBytes(disk: string): Promise<number> {
  const { stdout } = await execa("dumpe2fs", ["-h", disk], { env: path });
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(stdout)?.[1]);
  const free = read("Free blocks") * read("Block size");
  if (!Number.isFinite(free)) throw new Error(`dumpe2fs reports no free space of ${disk}`);
  return free;
}

async function debugfs(disk: string, command: string): Promise<void> {
  await execa("debugfs", ["-w", "-R", command, disk], { env: path });
}
