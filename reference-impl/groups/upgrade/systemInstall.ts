// Installs the package of a whole system: verified, written into the inactive slot, tried by the next boot.
import type { Foundation } from "../../foundation/gateway.ts";
import { type PackageChecks, verifyPackage } from "../../slots/systemPackage.ts";
import type { SystemSlots } from "../../slots/systemSlots.ts";
import type { StoredJob } from "./jobStore.ts";

/** The systems of this gateway, and the boot that runs. */
export interface Systems {
  readonly slots: SystemSlots;
  readonly checks: PackageChecks;
  /** The job whose system this boot tries. */
  readonly trialOf: number | undefined;
  /** Resolves when the system of this boot is healthy. */
  readonly untilHealthy: Promise<void>;
}

export interface SystemInstall {
  readonly job: StoredJob;
  readonly file: string;
  readonly signal: AbortSignal;
  /** Makes the job durable with this progress of its task. */
  readonly save: (progress: number) => void;
  readonly raise: (kind: "installed" | "rolledBack", what: string) => void;
}

const progress = { verified: 10, written: 80, switched: 90 } as const;
/** Answers under way leave before the reboot. */
const rebootAfterMs = 100;

/**
 * Resolves in the boot that confirmed the new system; throws with the reason when the package is rejected, or in the
 * boot that restored the former system.
 */
export async function installSystem(
  { identity, board, clock }: Foundation,
  { slots, checks, trialOf, untilHealthy }: Systems,
  { job, file, signal, save, raise }: SystemInstall,
): Promise<void> {
  if (job.awaitsBoot === true) {
    if (trialOf === job.id) await untilHealthy;
    const end = slots.endOf(job.id);
    if (end?.isConfirmed === true) return raise("installed", `version ${identity.version} was installed`);
    if (end !== undefined) {
      raise("rolledBack", end.reason);
      throw new Error(end.reason);
    }
    // The power was cut before the switch.
    delete job.awaitsBoot;
  }
  const options = { checks, ownModel: identity.model, signal };
  const manifest = await verifyPackage(file, options);
  save(progress.verified);
  const share = (progress.written - progress.verified) / (2 * manifest.payloadBytes);
  let shown = progress.verified as number;
  await slots.write(file, options, (bytes) => {
    const now = Math.min(progress.written, progress.verified + Math.floor(bytes * share));
    if (now - shown >= 5) save((shown = now));
  });
  signal.throwIfAborted();
  job.awaitsBoot = true;
  save(progress.switched);
  slots.tryNext(job.id, manifest);
  clock.after(rebootAfterMs, () => board.reboot(`upgrade job ${job.id} switches to ${manifest.version}`));
  await new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(new Error("the gateway stops")), { once: true }),
  );
}
