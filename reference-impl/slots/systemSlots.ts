// The two system slots. An upgrade is written into the inactive one and tried; the boot that becomes healthy confirms it,
// and a system that does not is given up for the one before.
import { mkdirSync } from "node:fs";
import { open, rm, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Clock } from "../base/clock.ts";
import { type BootRecord, otherSlot, readBootRecord, type SlotName, writeBootRecord } from "./bootRecord.ts";
import { syncFolder } from "./durable.ts";
import { type ReadOptions, readPayload, type SystemManifest } from "./systemPackage.ts";

/** The module of a slot that every boot of it runs. */
const systemModule = "system.mjs";
const triesOfTrial = 3;
const flashChunkBytes = 64 * 1024;
/** The flash memory of such gateways takes some megabytes a second. */
const flashChunkMs = 15;

export interface BootChoice {
  readonly slot: SlotName;
  /** Folder of the slot; undefined for the system that this program contains. */
  readonly folder: string | undefined;
  /** The upgrade job whose system is tried; undefined when this boot is none of a trial. */
  readonly trialOf: number | undefined;
}

/** How an upgrade job's trial ended. */
type TrialEnd = { readonly isConfirmed: boolean; readonly reason: string };

export interface SystemSlots {
  /** Chooses the slot of this boot; a trial without tries left is given up. Durable when it returns. */
  choose(): BootChoice;
  /** Writes a verified package into the inactive slot, which is empty when that fails. */
  write(file: string, options: ReadOptions, onProgress: (bytes: number) => void): Promise<void>;
  /** Lets the next boots try the slot that was written. */
  tryNext(jobId: number, manifest: SystemManifest): void;
  /** The system of this boot is healthy. */
  confirm(): void;
  /** The end of the job's trial; undefined when there was none or it has not ended. */
  endOf(jobId: number): TrialEnd | undefined;
}

/** The slots below the folder; throws an Error when their boot record cannot be read. */
export function openSlots(folder: string, clock: Clock): SystemSlots {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const recordFile = join(folder, "boot.json");
  let record = readBootRecord(recordFile);
  const change = (part: Partial<BootRecord>): void => {
    record = { ...record, ...part };
    writeBootRecord(recordFile, record);
  };
  const choiceOf = (slot: SlotName, trialOf: number | undefined): BootChoice => {
    const content = record[slot];
    return {
      slot,
      folder: content !== null && "builtIn" in content ? undefined : join(folder, slot),
      trialOf,
    };
  };

  return {
    choose() {
      const { active, trial } = record;
      if (trial === null) return choiceOf(active, undefined);
      const { jobId, triesLeft } = trial;
      if (triesLeft > 0) {
        change({ trial: { jobId, triesLeft: triesLeft - 1 } });
        return choiceOf(otherSlot(active), jobId);
      }
      const reason = `the new system did not start ${triesOfTrial} times; the former one was restored`;
      change({ trial: null, last: { jobId, isConfirmed: false, reason } });
      return choiceOf(active, undefined);
    },
    async write(file, options, onProgress) {
      const slot = otherSlot(record.active);
      const target = join(folder, slot);
      change(slot === "a" ? { a: null } : { b: null });
      await rm(target, { recursive: true, force: true });
      await mkdir(target, { recursive: true, mode: 0o700 });
      let written = 0;
      const names = new Set<string>();
      try {
        await readPayload(file, options, async (name, chunks) => {
          await using handle = await open(join(target, name), "wx", 0o600);
          for await (const chunk of inParts(chunks)) {
            options.signal.throwIfAborted();
            await handle.write(chunk);
            await handle.datasync();
            await new Promise<void>((resolve) => void clock.after(flashChunkMs, resolve));
            onProgress((written += chunk.length));
          }
          await handle.sync();
          names.add(name);
        });
        if (!names.has(systemModule)) throw new Error(`the package has no ${systemModule}`);
        syncFolder(target);
        syncFolder(folder);
      } catch (thrown) {
        await rm(target, { recursive: true, force: true });
        throw thrown;
      }
    },
    tryNext(jobId, { version, payloadSha256 }) {
      change({
        [otherSlot(record.active)]: { version, payloadSha256 },
        trial: { jobId, triesLeft: triesOfTrial },
        last: null,
      });
    },
    confirm() {
      const { trial, active } = record;
      if (trial === null) return;
      change({
        active: otherSlot(active),
        trial: null,
        last: { jobId: trial.jobId, isConfirmed: true, reason: "" },
      });
    },
    endOf: (jobId) => (record.last?.jobId === jobId ? record.last : undefined),
  };
}

/** The same bytes in parts of the flash memory's size. */
async function* inParts(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= flashChunkBytes; rest = rest.subarray(flashChunkBytes))
      yield rest.subarray(0, flashChunkBytes);
  }
  if (rest.length > 0) yield rest;
}

/** Runs the chosen system; answers its version, or undefined for the one that this program contains. */
export async function startSystem({ folder }: BootChoice): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const system: unknown = await import(pathToFileURL(join(folder, systemModule)).href);
  if (typeof system !== "object" || system === null || !("version" in system))
    throw new Error(`${systemModule} exports no version`);
  const { version } = system;
  if (typeof version !== "string") throw new Error(`${systemModule} exports no version`);
  if ("start" in system && typeof system.start === "function") await system.start();
  return version;
}
