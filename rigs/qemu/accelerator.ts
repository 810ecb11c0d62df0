// Which accelerator the emulator can use here: found by a trial, because an existing device may not work.
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { cacheFolder } from "../image/cacheFolder.ts";
import { oncePerBoot } from "../host/oncePerBoot.ts";
import type { Accelerator, Architecture } from "./architecture.ts";

const triedForMs = 4000;

/**
 * KVM when the kernel boots on it within the time, else emulation. Tried once per boot of the host; another processor
 * than that of the host is always emulated.
 */
export async function findAccelerator(architecture: Architecture, kernelImage: string): Promise<Accelerator> {
  if (architecture.name !== process.arch) return "tcg";
  return oncePerBoot<Accelerator>(
    join(cacheFolder(), "accelerator"),
    (text) => (text === "kvm" || text === "tcg" ? text : undefined),
    async () => ((await kvmWorks(architecture, kernelImage)) ? "kvm" : "tcg"),
  );
}

/** Firmware alone is no proof: on some hosts it runs and the kernel after it does not. */
async function kvmWorks(
  { emulator, machine, processor, kernelWords }: Architecture,
  kernelImage: string,
): Promise<boolean> {
  const mayUse = await access("/dev/kvm", constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!mayUse) return false;
  const { stdout } = await execa(
    emulator,
    [
      ["-accel", "kvm"],
      ["-machine", machine],
      ["-cpu", processor.kvm],
      ["-display", "none"],
      ["-nodefaults", "-no-user-config", "-no-reboot"],
      ["-serial", "stdio"],
      // Without a root file system the kernel panics as the last thing it does, and the machine ends.
      ["-kernel", kernelImage],
      ["-append", kernelWords],
    ].flat(),
    { stdin: "ignore", reject: false, timeout: triedForMs, killSignal: "SIGKILL" },
  );
  return stdout.includes("Kernel panic");
}
