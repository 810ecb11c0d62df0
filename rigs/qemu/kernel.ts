// Debian's kernel for virtual machines, unpacked but not installed.
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { cacheFolder } from "../image/cacheFolder.ts";

/** An unpacked kernel: its image, and the folder of its modules. */
export interface Kernel {
  readonly image: string;
  readonly modules: string;
  /** Name of the package, with its version. */
  readonly name: string;
}

/**
 * Finds the kernel for this machine's processor: the package that `RACKPROOF_KERNEL_DEB` names, else one fetched before,
 * else Debian's present one, the dependency of `metaPackage`, by `apt-get download`. Throws an Error with the remedy when
 * none is available.
 */
export async function findKernel(
  metaPackage: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Kernel> {
  const folder = join(cacheFolder(environment), "kernel");
  await mkdir(folder, { recursive: true });
  const named = environment["RACKPROOF_KERNEL_DEB"];
  const deb = named ?? (await fetched(folder)) ?? (await download(metaPackage, folder));
  const name = (deb.split("/").at(-1) ?? deb).replace(/\.deb$/, "");
  const place = join(folder, name);
  await unpack(deb, place);
  return { ...(await unpackedKernel(place)), name };
}

/** The kernel of a package that was unpacked into the folder; throws an Error when there is none. */
export async function unpackedKernel(folder: string): Promise<Kernel> {
  const boot = await readdir(join(folder, "boot")).catch((): string[] => []);
  const image = boot.find((file) => file.startsWith("vmlinuz-"));
  if (image === undefined) throw new Error(`expected boot/vmlinuz-* in ${folder}, found none`);
  const name = image.slice("vmlinuz-".length);
  const modules = ["lib", "usr/lib"].map((place) => join(folder, place, "modules", name, "kernel"));
  const found = modules.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`expected ${modules.join(" or ")}, found neither`);
  return { image: join(folder, "boot", image), modules: found, name };
}

async function fetched(folder: string): Promise<string | undefined> {
  const file = (await readdir(folder))
    .filter((name) => name.endsWith(".deb"))
    .toSorted()
    .at(-1);
  return file === undefined ? undefined : join(folder, file);
}

/** Newest kernel of the distribution that this machine runs, by its own package manager. */
async function download(metaPackage: string, folder: string): Promise<string> {
  try {
    const { stdout } = await execa("apt-cache", ["depends", metaPackage]);
    const [, name] = /Depends: (linux-image-\S+)/.exec(stdout) ?? [];
    if (name === undefined) throw new Error(`apt-cache found no ${metaPackage}`);
    const fresh = join(folder, `download-${process.pid}`);
    await mkdir(fresh, { recursive: true });
    try {
      await execa("apt-get", ["download", name], { cwd: fresh });
      const [file] = await readdir(fresh);
      if (file === undefined) throw new Error(`apt-get download ${name} left no file`);
      await rename(join(fresh, file), join(folder, file));
      return join(folder, file);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown);
    throw new Error(
      `no kernel for the emulated gateway: ${why}. Fix: download the package that Debian's ${metaPackage} depends on and set RACKPROOF_KERNEL_DEB to its file`,
      { cause: thrown },
    );
  }
}

async function unpack(deb: string, place: string): Promise<void> {
  if (existsSync(place)) return;
  const fresh = `${place}.${process.pid}`;
  await execa("dpkg-deb", ["--extract", deb, fresh]);
  await rename(fresh, place).catch(async () => {
    await rm(fresh, { recursive: true, force: true });
  });
}
