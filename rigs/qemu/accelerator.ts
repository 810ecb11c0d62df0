// Which accelerator the emulator can use here: found by a trial, because an existing device may not work.
import { access, constants, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { cacheFolder } from "../image/cacheFolder.ts";

export type Accelerator = "kvm" | "tcg";

const triedForMs = 4000;

/** KVM when the kernel boots on it within the time, else emulation. Tried once per boot of the host. */
export async function findAccelerator(program: string, kernelImage: string): Promise<Accelerator> {
  const file = join(cacheFolder(), "accelerator");
  const bootId = (await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
  const [knownBoot, known] = (await readFile(file, "utf8").catch(() => "")).split(" ");
  if (knownBoot === bootId && (known === "kvm" || known === "tcg")) return known;
  const accelerator = (await kvmWorks(program, kernelImage)) ? "kvm" : "tcg";
  await mkdir(cacheFolder(), { recursive: true });
  await writeFile(file, `${bootId} ${accelerator}`);
  return accelerator;
}

/** Firmware alone is no proof: on some hosts it runs and the kernel after it does not. */
async function kvmWorks(program: string, kernelImage: string): Promise<boolean> {
  const mayUse = await access("/dev/kvm", constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!mayUse) return false;
  const { stdout } = await execa(
    program,
    [
      ["-accel", "kvm"],
      ["-machine", "q35"],
      ["-cpu", "host"],
      ["-display", "none"],
      ["-nodefaults", "-no-user-config", "-no-reboot"],
      ["-serial", "stdio"],
      // Without a root file system the kernel panics as the last thing it does, and the machine ends.
      ["-kernel", kernelImage],
      ["-append", "console=ttyS0 panic=-1"],
    ].flat(),
    { stdin: "ignore", reject: false, timeout: triedForMs, killSignal: "SIGKILL" },
  );
  return stdout.includes("Kernel panic");
}
