// The image of an emulated gateway: Debian's kernel, and an archive with busybox, Node and the reference gateway in it.
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { execa } from "execa";
import { cachedImage } from "../image/cachedImage.ts";
import { contentHash, programFolder, writeNode, writeProgram } from "../image/gatewayProgram.ts";
import { writeInitramfs } from "./initramfs.ts";
import type { Architecture } from "./architecture.ts";
import { findParts, type MachineParts } from "./parts.ts";

export interface QemuImage {
  readonly kernel: string;
  readonly initramfs: string;
  /** Folder of the image; it ends with it. */
  readonly folder: string;
  /** The gateway in the image, as a folder of this machine. */
  readonly program: string;
}

/** Some seconds of work, under emulation ten; a busy host takes a multiple. */
const fillWithinMs = 600_000;
const initFile = fileURLToPath(new URL("machineFiles/init", import.meta.url));
// The order matters: virtio_ring before virtio, and both before what uses them.
const modules = [
  "drivers/virtio/virtio_ring.ko",
  "drivers/virtio/virtio.ko",
  "drivers/virtio/virtio_pci_legacy_dev.ko",
  "drivers/virtio/virtio_pci_modern_dev.ko",
  "drivers/virtio/virtio_pci.ko",
  "net/core/failover.ko",
  "drivers/net/net_failover.ko",
  "drivers/net/virtio_net.ko",
  "drivers/block/virtio_blk.ko",
];
const emptyFolders = ["bin", "dev", "proc", "sys", "tmp", "state", "lib/modules"];

/** Finds the image of this version of the gateway, or builds it (some seconds); `say` receives messages on slow steps. */
export async function qemuImage(
  architecture: Architecture,
  say: (line: string) => void = () => undefined,
): Promise<QemuImage> {
  const parts = await findParts(architecture);
  const { kernel, node, busybox } = parts;
  const init = await readFile(initFile);
  const hash = await contentHash(node, kernel.name, init, modules.join(), await readFile(busybox));
  const folder = await cachedImage(`qemu-${architecture.name}`, hash, async (fresh) => {
    say(`building the image of the emulated ${architecture.name} gateway`);
    await build(fresh, parts);
  });
  return {
    kernel: kernel.image,
    initramfs: join(folder, "initramfs"),
    folder,
    program: join(folder, "program"),
  };
}

async function build(folder: string, { kernel, node, busybox, runner }: MachineParts): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "rackproof-image-"));
  try {
    await Promise.all(emptyFolders.map((name) => mkdir(join(root, name), { recursive: true })));
    await Promise.all([writeNode(root, node), writeProgram(root, node)]);
    await copyFile(busybox, join(root, "bin/busybox"));
    await copyFile(initFile, join(root, "init"));
    await chmod(join(root, "init"), 0o755);
    for (const module of modules)
      await copyFile(join(kernel.modules, module), join(root, "lib/modules", basename(module)));
    await writeFile(join(root, "lib/modules/order"), modules.map((path) => basename(path)).join("\n"));
    await makeCertificate(root);
    await fillCompileCache(root, [...runner(root), join(root, "bin/node")]);
    await writeInitramfs(root, join(folder, "initramfs"));
    await cp(join(root, programFolder), join(folder, "program"), { recursive: true });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Work of the factory that the first boot need not repeat. */
async function makeCertificate(root: string): Promise<void> {
  const { stdout } = await execa(process.execPath, [
    join(root, programFolder, "dist/makeSelfSigned.js"),
    "emulated-gateway",
    String(Date.now()),
  ]);
  await writeFile(join(root, programFolder, "certificate.json"), stdout, { mode: 0o600 });
}

/**
 * Runs the gateway once with OPC UA in use, so that the image carries its code as V8 compiled it: half a second of every
 * emulated boot, and seconds of the first use of that library.
 */
async function fillCompileCache(root: string, [first = "", ...rest]: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-image-state-"));
  const listener = createServer().listen(0, "127.0.0.1");
  try {
    await once(listener, "listening");
    const delivered = join(folder, "delivered.json");
    await writeFile(
      delivered,
      JSON.stringify({ "opcuaclient/general": { connections: [asking(listener)] } }),
    );
    const words = ["--state", join(folder, "state"), "--delivered", delivered];
    const certificate = ["--certificate", join(root, programFolder, "certificate.json")];
    const gateway = execa(
      first,
      [
        ...rest,
        "--max-semi-space-size=4",
        join(root, programFolder, "dist/main.js"),
        ...words,
        ...certificate,
      ],
      {
        env: {
          NODE_COMPILE_CACHE: join(root, programFolder, "cache"),
          NODE_COMPILE_CACHE_PORTABLE: "1",
        },
        stdin: "pipe",
        reject: false,
        timeout: fillWithinMs,
      },
    );
    listener.on("connection", (socket) => socket.destroy());
    // A connection shows that the library is loaded; the gateway writes its cache when it ends.
    const isReady = once(gateway.stdout, "data");
    const isLoaded = once(listener, "connection");
    await Promise.race([Promise.all([isReady, isLoaded]), gateway]);
    gateway.kill("SIGTERM");
    const { exitCode, shortMessage, stderr } = await gateway;
    if (exitCode !== 0) throw new Error(`the bundled gateway failed: ${shortMessage ?? ""} ${stderr}`);
  } finally {
    listener.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A connection of the gateway's OPC UA client to the listener. */
function asking(listener: Server): object {
  const address = listener.address();
  if (typeof address !== "object" || address === null) throw new Error("no free port on loopback");
  return {
    name: "nobody",
    enable: true,
    endpoint: `opc.tcp://127.0.0.1:${address.port}`,
    security: "None",
    publishingIntervalMs: 100,
    nodes: [],
  };
}
