// What of an emulated machine depends on its processor.
import type { ArchitectureName } from "../../interface/vocabulary/gatewayKinds.ts";

export type Accelerator = "kvm" | "tcg";

export interface Architecture {
  readonly name: ArchitectureName;
  /** The emulator of the whole machine, and Debian's package of it. */
  readonly emulator: string;
  readonly emulatorPackage: string;
  /** Runs single programs of this processor on another one. */
  readonly programEmulator: string;
  readonly machine: string;
  readonly processor: Readonly<Record<Accelerator, string>>;
  readonly kernelWords: string;
  /** The second serial port: the device of the emulator, and its path inside. */
  readonly secondSerial: { readonly device: string; readonly path: string };
  /** Debian's package that depends on the present kernel for virtual machines. */
  readonly kernelPackage: string;
  /** Path of the dynamic loader. */
  readonly loader: string;
  /** Folder of the libraries below `/lib` or `/usr/lib`. */
  readonly libraryFolder: string;
}

const everyKernel = "quiet panic=-1 mitigations=off random.trust_cpu=on";

const architectures: Readonly<Record<ArchitectureName, Architecture>> = {
  x64: {
    name: "x64",
    emulator: "qemu-system-x86_64",
    emulatorPackage: "qemu-system-x86",
    programEmulator: "qemu-x86_64",
    machine: "q35",
    // Emulated, this processor is half as fast again as one with wider vectors.
    processor: { tcg: "Nehalem", kvm: "host" },
    // Time from the emulated HPET, whose frequency is known: one that the kernel measures at boot is wrong by as much as
    // the host was busy at that moment, and with it every delay of the gateway.
    kernelWords: `console=ttyS0 clocksource=hpet tsc=unstable no_timer_check ${everyKernel}`,
    secondSerial: { device: "isa-serial,index=1", path: "/dev/ttyS1" },
    kernelPackage: "linux-image-cloud-amd64",
    loader: "lib64/ld-linux-x86-64.so.2",
    libraryFolder: "x86_64-linux-gnu",
  },
  arm64: {
    name: "arm64",
    emulator: "qemu-system-aarch64",
    emulatorPackage: "qemu-system-arm",
    programEmulator: "qemu-aarch64",
    machine: "virt,gic-version=max",
    // Its timer runs at a declared frequency: nothing is measured at boot.
    processor: { tcg: "cortex-a72", kvm: "host" },
    kernelWords: `console=ttyAMA0 ${everyKernel}`,
    // The board has one serial port; the second is a card.
    secondSerial: { device: "pci-serial", path: "/dev/ttyS0" },
    kernelPackage: "linux-image-cloud-arm64",
    loader: "lib/ld-linux-aarch64.so.1",
    libraryFolder: "aarch64-linux-gnu",
  },
};

/** The architecture with this name; default that of this machine. Throws an Error on a machine of another one. */
export function architectureOf(name: string = process.arch): Architecture {
  const found = Object.values(architectures).find((architecture) => architecture.name === name);
  if (found === undefined)
    throw new Error(
      `emulated gateway: expected the architecture ${Object.keys(architectures).join(" or ")}, found ${name}. Fix: name one with --arch`,
    );
  return found;
}
