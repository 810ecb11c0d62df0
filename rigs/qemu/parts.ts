// What an image is made of besides the gateway: kernel, busybox and Node. For this machine's processor they are this
// machine's own; for another one they lie in a folder that tools/fetch-machine-parts.sh fills.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../image/cacheFolder.ts";
import { type NodeFiles, ownNode } from "../image/gatewayProgram.ts";
import { isProgram } from "../host/boundChild.ts";
import type { Architecture } from "./architecture.ts";
import { findKernel, type Kernel, unpackedKernel } from "./kernel.ts";

export interface MachineParts {
  readonly kernel: Kernel;
  readonly busybox: string;
  readonly node: NodeFiles;
  /** Words that run a program of the image below `root` on this machine, before its path. */
  readonly runner: (root: string) => readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const ownBusybox = "/bin/busybox";
/** With these Node and the driver of serial ports are linked. */
const libraries = [
  "libc.so.6",
  "libm.so.6",
  "libdl.so.2",
  "libpthread.so.0",
  "libstdc++.so.6",
  "libgcc_s.so.1",
];

/** Finds the parts; throws an Error with the remedy when one is missing. */
export async function findParts(
  architecture: Architecture,
  environment: Environment = process.env,
  host: string = process.arch,
): Promise<MachineParts> {
  if (architecture.name !== host) return foreignParts(architecture, partsFolder(architecture, environment));
  const kernel = await findKernel(architecture.kernelPackage, environment);
  if (!existsSync(ownBusybox))
    throw new Error(`missing: ${ownBusybox} (emulated gateway). Fix: apt-get install busybox-static`);
  return { kernel, busybox: ownBusybox, node: ownNode, runner: () => [] };
}

/** Folder of the architecture below `RACKPROOF_MACHINE_PARTS`, else below the cache. */
function partsFolder({ name }: Architecture, environment: Environment = process.env): string {
  const named = environment["RACKPROOF_MACHINE_PARTS"];
  const shelf = named === undefined || named === "" ? join(cacheFolder(environment), "machine-parts") : named;
  return join(shelf, name);
}

async function foreignParts(architecture: Architecture, folder: string): Promise<MachineParts> {
  const { name, loader, libraryFolder, programEmulator, processor } = architecture;
  const remedy = `Fix: tools/fetch-machine-parts.sh ${name}, or fill the folder as docs/kinds.md describes`;
  const missing = (what: string): Error =>
    new Error(`missing: ${what} (emulated ${name} gateway). ${remedy}`);
  const root = join(folder, "root");
  /** The first of the places, below `root`, where something is. */
  const find = (...places: readonly string[]): string => {
    const file = places.map((place) => join(root, place)).find((path) => existsSync(path));
    if (file === undefined) throw missing(join(root, places[0] ?? ""));
    return file;
  };
  const busybox = find("bin/busybox", "usr/bin/busybox");
  const program = join(folder, "node/bin/node");
  if (!existsSync(program)) throw missing(program);
  const files = new Map([[`/${loader}`, find(loader, `usr/${loader}`)]]);
  for (const library of libraries) {
    const path = `lib/${libraryFolder}/${library}`;
    files.set(`/${path}`, find(path, `usr/${path}`));
  }
  const kernel = await unpackedKernel(root).catch((thrown: unknown) => {
    throw missing(`a kernel: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  });
  if (!isProgram(programEmulator))
    throw new Error(`missing: ${programEmulator} (emulated ${name} gateway). Fix: apt-get install qemu-user`);
  return {
    kernel,
    busybox,
    node: { program, arch: name, libraries: () => Promise.resolve(files) },
    runner: (imageRoot) => [programEmulator, "-L", imageRoot, "-cpu", processor.tcg],
  };
}
