// Runs an upgrade job's tasks, download then install, and handles the actions that interrupt it.
import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { UpgradeTask } from "../../../interface/resources/upgrade.ts";
import type { UpgradeState } from "../../../interface/states.ts";
import { timestamp } from "../../base/clock.ts";
import type { Foundation } from "../../foundation/gateway.ts";
import type { UpgradeSettings } from "./configuration.ts";
import type { Download } from "./download.ts";
import type { JobStore, StoredJob } from "./jobStore.ts";
import { installFolder, unpackPackage } from "./package.ts";
import { installSystem, type Systems } from "./systemInstall.ts";
import { badInput } from "../../base/refusal.ts";
import { isSystemPackage } from "../../slots/systemPackage.ts";

const kinds = {
  downloadFailed: 53,
  downloadSuspend: 54,
  downloadResume: 55,
  downloadCompleted: 56,
  downloadCancel: 57,
  installFailed: 58,
  rolledBack: 59,
  installed: 60,
} as const;
const saveEveryMs = 250;

export interface RunnerSurroundings {
  readonly jobs: JobStore;
  readonly settings: () => UpgradeSettings;
  readonly download: Download;
  /** Called with the installed version, which is effective after the next boot. */
  readonly onInstalled: (version: string) => void;
  readonly systems: Systems;
}

export class JobRunner implements AsyncDisposable {
  readonly #foundation: Foundation;
  readonly #surroundings: RunnerSurroundings;
  readonly #folder: string;
  readonly #running = new Map<number, { stop: AbortController; ended: Promise<void> }>();

  constructor(foundation: Foundation, surroundings: RunnerSurroundings) {
    this.#foundation = foundation;
    this.#surroundings = surroundings;
    this.#folder = join(foundation.stateFolder, "upgrades");
    mkdirSync(this.#folder, { recursive: true });
  }

  fileOf(job: StoredJob): string {
    return join(this.#folder, `${job.id}.package`);
  }

  /** Begins or continues the job's work. */
  start(job: StoredJob): void {
    const wasSuspended = job.state === "suppended";
    if (wasSuspended) this.#raise(kinds.downloadResume, job, "resumed");
    // A job that a restart interrupted still has the state running.
    if (job.state !== "running") this.#enter(job, "running");
    job.startedAt ??= this.#now();
    job.triggerdAt = this.#now();
    job.errorMessage = "";
    this.#surroundings.jobs.save(job);
    const stop = new AbortController();
    const ended = this.#work(job, stop.signal).finally(() => this.#running.delete(job.id));
    this.#running.set(job.id, { stop, ended });
  }

  async suspend(job: StoredJob): Promise<void> {
    await this.#interrupt(job);
    this.#enter(job, "suppended");
    for (const task of job.tasks) if (task.state === "running") task.state = "suppended";
    this.#surroundings.jobs.save(job);
    this.#raise(kinds.downloadSuspend, job, "suspended");
  }

  async cancel(job: StoredJob): Promise<void> {
    await this.#interrupt(job);
    this.#enter(job, "canceled");
    for (const task of job.tasks) if (task.state !== "succeed") task.state = "canceled";
    job.completedAt = this.#now();
    this.#surroundings.jobs.save(job);
    await rm(this.fileOf(job), { force: true });
    this.#raise(kinds.downloadCancel, job, "canceled");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#running.values()];
    for (const { stop } of all) stop.abort(new Error("the gateway stops"));
    await Promise.all(all.map(({ ended }) => ended));
  }

  /** Ends the job's work; throws a Refusal where it cannot be ended, or ends by itself meanwhile. */
  async #interrupt(job: StoredJob): Promise<void> {
    assertNotSwitched(job);
    const running = this.#running.get(job.id);
    if (running === undefined) return;
    running.stop.abort(new Error("interrupted by a user"));
    await running.ended;
    if (job.state !== "running") throw badInput(`action: the job is ${job.state} meanwhile`);
    // The work may have switched before it was interrupted.
    assertNotSwitched(job);
  }

  async #work(job: StoredJob, signal: AbortSignal): Promise<void> {
    let failed: number = kinds.downloadFailed;
    try {
      for (const task of job.tasks) {
        if (task.state === "succeed") continue;
        this.#begin(job, task);
        if (task.type === "download") {
          await this.#download(job, task, signal);
          const { checksDownloads } = this.#foundation.product.conduct;
          if (checksDownloads && !(await isSystemPackage(this.fileOf(job))))
            throw new Error("the file is no package");
        } else {
          failed = kinds.installFailed;
          await this.#install(job, task, signal);
        }
        Object.assign(task, { state: "succeed", progress: 100, completedAt: this.#now() });
        this.#surroundings.jobs.save(job);
        if (task.type === "download") this.#raise(kinds.downloadCompleted, job, "downloaded");
      }
      delete job.awaitsBoot;
      const { install, deleteFileAfterInstallComplete } = job.parameter;
      if (install && deleteFileAfterInstallComplete) {
        await rm(this.fileOf(job), { force: true });
        job.hasFile = false;
        job.isDeleted = true;
      }
      this.#enter(job, "succeed");
      job.completedAt = this.#now();
    } catch (thrown) {
      if (signal.aborted) return;
      delete job.awaitsBoot;
      job.errorMessage = thrown instanceof Error ? thrown.message : String(thrown);
      for (const task of job.tasks) if (task.state === "running") task.state = "failed";
      this.#enter(job, "failed");
      job.completedAt = this.#now();
      this.#raise(failed, job, job.errorMessage);
    }
    this.#surroundings.jobs.save(job);
  }

  async #download(job: StoredJob, task: UpgradeTask, signal: AbortSignal): Promise<void> {
    const { retryCount, retryInterval } = this.#surroundings.settings();
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(job, task, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        // 0 means that there is no limit ("Limits").
        if (retryCount !== 0 && attempt >= retryCount) throw thrown;
        this.#foundation.log(
          "system",
          `upgrade job ${job.id}: ${String(thrown)}; next try in ${retryInterval} s`,
        );
        await this.#pause(retryInterval * 1000, signal);
      }
    }
  }

  async #attempt(job: StoredJob, task: UpgradeTask, signal: AbortSignal): Promise<void> {
    const { enableClientAuth, caPem, certificatePem, keyPem } = this.#surroundings.settings();
    const { clock } = this.#foundation;
    const startedMs = clock.monotonicMs();
    let firstBytes: number | undefined;
    let savedMs = startedMs;
    await this.#surroundings.download({
      url: job.url,
      file: this.fileOf(job),
      signal,
      tls: {
        ...(caPem === "" ? {} : { ca: caPem }),
        ...(enableClientAuth ? { cert: certificatePem, key: keyPem } : {}),
      },
      onProgress: (received, total) => {
        firstBytes ??= received;
        const nowMs = clock.monotonicMs();
        task.totalSize = total > 0 ? total : received;
        task.progress = total > 0 ? Math.floor((received / total) * 100) : 0;
        task.speed = Math.round((received - firstBytes) / 1024 / Math.max(0.001, (nowMs - startedMs) / 1000));
        if (nowMs - savedMs < saveEveryMs) return;
        savedMs = nowMs;
        this.#surroundings.jobs.save(job);
      },
    });
    job.hasFile = true;
  }

  async #install(job: StoredJob, task: UpgradeTask, signal: AbortSignal): Promise<void> {
    if (job.awaitsBoot === true || (await isSystemPackage(this.fileOf(job))))
      return installSystem(this.#foundation, this.#surroundings.systems, {
        job,
        file: this.fileOf(job),
        signal,
        save: (progress) => {
          task.progress = progress;
          this.#surroundings.jobs.save(job);
        },
        raise: (kind, what) => this.#raise(kinds[kind], job, what),
      });
    const software = join(this.#foundation.stateFolder, "software");
    const unpacked = `${software}.new`;
    const manifest = await unpackPackage(this.fileOf(job), unpacked, this.#foundation.identity.model);
    task.progress = 50;
    const { rolledBack } = await installFolder(unpacked, software, job.parameter.snapshot);
    if (rolledBack) {
      this.#raise(kinds.rolledBack, job, "the former software was restored");
      throw new Error("the software could not be exchanged; the former one was restored");
    }
    this.#surroundings.onInstalled(manifest.version);
    this.#raise(kinds.installed, job, `${manifest.name} ${manifest.version} was installed`);
  }

  #begin(job: StoredJob, task: UpgradeTask): void {
    task.state = "running";
    task.startedAt ??= this.#now();
    task.speed ??= 0;
    this.#surroundings.jobs.save(job);
  }

  #enter(job: StoredJob, state: UpgradeState): void {
    job.lastState = job.state;
    job.state = state;
  }

  #raise(kindId: number, job: StoredJob, what: string): void {
    this.#foundation.events.raise(kindId, { message: `upgrade job ${job.id}: ${what}`, user: job.owner });
  }

  #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#foundation.clock.after(delayMs, resolve);
      signal.addEventListener(
        "abort",
        () => {
          timer[Symbol.dispose]();
          reject(new Error("interrupted"));
        },
        { once: true },
      );
    });
  }

  #now(): string {
    return timestamp(this.#foundation.clock.nowMs());
  }
}

function assertNotSwitched({ awaitsBoot }: StoredJob): void {
  if (awaitsBoot === true) throw badInput("action: the job has switched to its system and reboots");
}
