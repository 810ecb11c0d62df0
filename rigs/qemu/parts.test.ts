import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isProgram } from "../host/boundChild.ts";
import { architectureOf } from "./architecture.ts";
import { findParts } from "./parts.ts";

const arm64 = architectureOf("arm64");
const library = (name: string): string => `root/lib/aarch64-linux-gnu/${name}`;
/** In the order in which they are looked for. */
const files = [
  "root/bin/busybox",
  "node/bin/node",
  "root/lib/ld-linux-aarch64.so.1",
  ...["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1"].map(
    library,
  ),
  "root/boot/vmlinuz-6.1.0",
  "root/lib/modules/6.1.0/kernel/drivers/block/virtio_blk.ko",
];

async function emptyFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "rackproof-parts-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function put(folder: string, file: string): Promise<void> {
  await mkdir(dirname(join(folder, "arm64", file)), { recursive: true });
  await writeFile(join(folder, "arm64", file), "");
}

const found = (folder: string) => findParts(arm64, { RACKPROOF_MACHINE_PARTS: folder }, "x64");

test("each missing part for another processor is named with the remedy", async () => {
  await using folder = await emptyFolder();
  for (const file of files) {
    const name = file.includes("vmlinuz") ? "vmlinuz-*" : basename(file);
    const remedy = "(emulated arm64 gateway). Fix: tools/fetch-machine-parts.sh arm64";
    await expect(found(folder.path)).rejects.toThrow(remedy);
    await expect(found(folder.path)).rejects.toThrow(file.startsWith("root/lib/modules") ? "modules" : name);
    await put(folder.path, file);
  }
});

test.skipIf(!isProgram("qemu-aarch64"))(
  "a complete folder is found, with or without /usr before its libraries",
  async () => {
    await using folder = await emptyFolder();
    for (const file of files) await put(folder.path, file);
    const root = join(folder.path, "arm64/root");
    await cp(join(root, "lib/aarch64-linux-gnu"), join(root, "usr/lib/aarch64-linux-gnu"), {
      recursive: true,
    });
    await rm(join(root, "lib/aarch64-linux-gnu"), { recursive: true });
    const { kernel, node, runner } = await found(folder.path);
    expect(kernel).toEqual({
      image: join(root, "boot/vmlinuz-6.1.0"),
      modules: join(root, "lib/modules/6.1.0/kernel"),
      name: "6.1.0",
    });
    expect((await node.libraries()).get("/lib/aarch64-linux-gnu/libc.so.6")).toBe(
      join(root, "usr/lib/aarch64-linux-gnu/libc.so.6"),
    );
    expect(runner("/image").slice(0, 3)).toEqual(["qemu-aarch64", "-L", "/image"]);
  },
);

test("an architecture that cannot be emulated is reported with those that can", () => {
  expect(() => architectureOf("mips")).toThrow(/expected the architecture x64 or arm64, found mips.*Fix:/);
});
