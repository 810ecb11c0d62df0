import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";
import { recordLeftover, removeLeftovers } from "./leftovers.ts";

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

test("what a killed process recorded is removed, what a living one recorded stays", async () => {
  const mine = await mkdtemp(join(tmpdir(), "rackproof-gateway-"));
  const own = await recordLeftover({ kind: "folder", path: mine });
  const others = await mkdtemp(join(tmpdir(), "rackproof-gateway-"));
  const module = fileURLToPath(new URL("leftovers.ts", import.meta.url));
  const script = `const m = await import(${JSON.stringify(module)}); await m.recordLeftover({kind:"folder",path:${JSON.stringify(others)}}); process.kill(process.pid, "SIGKILL")`;
  await execa(process.execPath, ["--input-type=module", "-e", script], { reject: false });

  const removed = await removeLeftovers();

  expect(removed).toContain(`folder ${others}`);
  expect(await isThere(others)).toBe(false);
  expect(await isThere(mine)).toBe(true);
  await own.settle();
  await rm(mine, { recursive: true });
});
