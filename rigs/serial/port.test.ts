import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test, vi } from "vitest";
import { boundToParent } from "../host/boundChild.ts";
import { openPort } from "./port.ts";
import { hasSocat, openPtyPair } from "./ptyPair.ts";

const hasNoLine = !hasSocat() && !(process.env["RACKPROOF_REQUIRE"] ?? "").includes("socat");

test.skipIf(hasNoLine)("each of 20 unplugged adapters ends its port", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  const path = join(folder, "ttyUSB0");
  const [program, ...words] = boundToParent(["socat", `pty,raw,echo=0,link=${path}`, "STDIO"]);
  for (let times = 0; times < 20; times++) {
    const adapter = execa(program, words, { reject: false });
    await vi.waitFor(() => stat(path), { timeout: 5000, interval: 5 });
    const port = await openPort({ path, baudRate: 115_200 });
    port.on("error", () => undefined);
    port.resume();
    const closed = new Promise<boolean>((resolve) => {
      port.once("close", () => resolve(true));
    });
    adapter.kill("SIGTERM");
    await adapter;
    const { promise: late, resolve: isLate } = Promise.withResolvers<boolean>();
    const deadline = setTimeout(() => isLate(false), 2000);
    expect(await Promise.race([closed, late])).toBe(true);
    clearTimeout(deadline);
  }
  await rm(folder, { recursive: true });
});

test.skipIf(hasNoLine)("a port whose peer is silent stays open", async () => {
  await using pair = await openPtyPair();
  const port = await openPort({ path: pair.near, baudRate: 9600 });
  let closed = false;
  port.once("close", () => {
    closed = true;
  });
  const startedMs = performance.now();
  await vi.waitUntil(() => performance.now() - startedMs > 400, 1000);
  expect(closed).toBe(false);
  port.destroy();
});

test("a port that is absent is not opened", async () => {
  await expect(openPort({ path: "/dev/absent-port", baudRate: 9600 })).rejects.toThrow("ENOENT");
});
