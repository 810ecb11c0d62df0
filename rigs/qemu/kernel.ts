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

const metaPackage = "linux-image-cloud-amd64";

/**
 * Finds the kernel: the package that `RACKPROOF_KERNEL_DEB` names, else one fetched before, else Debian's present one by
 * `apt-get download`. Throws an Error with the remedy when none is available.
 */
export async function findKernel(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Kernel> {
  const folder = join(cacheFolder(environment), "kernel");
  await mkdir(folder, { recursive: true });
  const named = environment["RACKPROOF_KERNEL_DEB"];
  const deb = named ?? (await fetched(folder)) ?? (await download(folder));
  const name = (deb.split("/").at(-1) ?? deb).replace(/\.deb$/, "");
  const place = join(folder, name);
  await unpack(deb, place);
  const boot = await readdir(join(place, "boot"));
  const image = boot.find((file) => file.startsWith("vmlinuz-"));
  if (image === undefined) throw new Error(`${deb} contains no kernel; expected boot/vmlinuz-*`);
  const release = image.slice("vmlinuz-".length);
  return {
    image: join(place, "boot", image),
    modules: join(place, "lib/modules", release, "kernel"),
    name,
  };
}

async function fetched(folder: string): Promise<string | undefined> {
  const file = (await readdir(folder))
    .filter((name) => name.endsWith(".deb"))
    .toSorted()
    .at(-1);
  return file === undefined ? undefined : join(folder, file);
}

/** Newest kernel of the distribution that this machine runs, by its own package manager. */
async function download(folder: string): Promise<string> {
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
