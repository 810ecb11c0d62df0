// Group 12: upgrade configuration and jobs.
//
// A job with a download or an installation begins by itself as soon as its creation is answered, unless `at`
// gives it a time or the product begins none; a job with neither waits for `start`. An uploaded package needs no download.
import { copyFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import { Cron } from "croner";
import type { Disk } from "../../../interface/resources/disk.ts";
import type { UpgradeAction, UpgradeTask } from "../../../interface/resources/upgrade.ts";
import { upgradeActionsByState } from "../../../interface/states.ts";
import { timestamp } from "../../base/clock.ts";
import { listDisks } from "../../foundation/disks.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { type Answer, type Call, data, list } from "../../http/handler.ts";
import { badInput } from "../../base/refusal.ts";
import { mergeUpgrade, openUpgradeSettings, showUpgrade } from "./configuration.ts";
import { type Download, downloadOnce } from "./download.ts";
import { JobStore, showJob, type StoredJob } from "./jobStore.ts";
import { JobRunner } from "./runner.ts";
import type { Systems } from "./systemInstall.ts";

export interface UpgradeOptions {
  readonly isSnapshotSupported: boolean;
  readonly onInstalled: (version: string) => void;
  readonly systems: Systems;
  /** Default the plain one. */
  readonly download?: Download;
}

export interface Upgrade extends Group {
  readonly jobs: JobStore;
}

const afterAnswerMs = 20;

export function createUpgrade(foundation: Foundation, options: UpgradeOptions): Upgrade {
  const { clock } = foundation;
  const { conduct } = foundation.product;
  const { isSnapshotSupported } = options;
  const settings = openUpgradeSettings(foundation);
  const jobs = new JobStore(foundation.store);
  const runner = new JobRunner(foundation, {
    jobs,
    settings: () => settings.get(),
    onInstalled: options.onInstalled,
    systems: options.systems,
    download: options.download ?? downloadOnce,
  });
  const timers = new Set<Disposable>();

  const later = (delayMs: number, action: () => void): void => {
    const timer = clock.after(delayMs, () => {
      timers.delete(timer);
      action();
    });
    timers.add(timer);
  };
  const disks = (): Disk[] => listDisks(foundation.stateFolder, foundation.product.moreDisks);
  const configure = async (call: Call): Promise<Answer> => {
    settings.set(await mergeUpgrade(settings.get(), call, disks(), isSnapshotSupported));
    return data(showUpgrade(settings.get(), disks(), isSnapshotSupported));
  };

  const schedule = (job: StoredJob): void => {
    const dueMs = dueOf(job.parameter.at, clock.nowMs(), conduct.timeZone);
    if (dueMs === undefined) return;
    later(dueMs - clock.nowMs(), () => {
      if (job.state === "pending") runner.start(job);
    });
  };

  const create = async (call: Call): Promise<Answer> => {
    const body = call.body as {
      at?: Record<string, unknown>;
      deleteFileAfterInstallComplete?: boolean;
      download?: boolean;
      id?: number;
      install?: boolean;
      snapshot?: boolean;
      url?: string;
    };
    const file = call.files.find((one) => one.fieldName === "file");
    const wantsDownload = body.download === true && file === undefined;
    if (body.url !== undefined) assertUrl(body.url);
    if (wantsDownload && body.url === undefined)
      throw badInput("url: expected where to download from, found nothing");
    if (body.install === true && !wantsDownload && file === undefined)
      throw badInput("file: expected a package to install, or a download of one");
    if (body.at !== undefined) dueOf(body.at, clock.nowMs(), conduct.timeZone);
    const snapshot = body.snapshot ?? settings.get().enableSnapshot;
    if (snapshot && !isSnapshotSupported) throw badInput("snapshot: this device does not support snapshots");
    const fileName =
      file?.fileName ?? (body.url === undefined ? "" : basename(new URL(body.url).pathname) || "package");
    const types = [
      ...(wantsDownload || (body.url !== undefined && file === undefined) ? ["download"] : []),
      ...(body.install === true ? ["install"] : []),
    ];
    const job = jobs.add((id) => ({
      id,
      owner: call.caller?.name ?? "",
      state: "created",
      lastState: "",
      isDeleted: false,
      parameter: {
        at: body.at ?? null,
        deleteFileAfterInstallComplete: body.deleteFileAfterInstallComplete ?? true,
        download: body.download ?? false,
        id: body.id ?? null,
        install: body.install ?? false,
        snapshot,
      },
      url: body.url ?? "",
      fileName,
      hasFile: file !== undefined,
      createdAt: timestamp(clock.nowMs()),
      pendingAt: null,
      startedAt: null,
      completedAt: null,
      triggerdAt: null,
      errorMessage: "",
      tasks: types.map((type, index): UpgradeTask => ({
        id: index + 1,
        name: fileName,
        type,
        state: "created",
        progress: 0,
        totalSize: file?.size ?? 0,
        startedAt: null,
        completedAt: null,
      })),
    }));
    if (file !== undefined) await copyFile(file.path, runner.fileOf(job));
    const shown = structuredClone(showJob(job));
    if (body.at !== undefined) {
      later(afterAnswerMs, () => {
        // It may have been canceled meanwhile.
        if (job.state !== "created") return;
        Object.assign(job, { state: "pending", lastState: "created", pendingAt: timestamp(clock.nowMs()) });
        jobs.save(job);
        schedule(job);
      });
    } else if (conduct.beginsJobs && (wantsDownload || body.install === true)) {
      later(afterAnswerMs, () => void (job.state === "created" && runner.start(job)));
    }
    return data(shown);
  };

  const operate = async (call: Call): Promise<Answer> => {
    const job = jobs.get(Number(call.path["id"]));
    const action = call.path["action"] as UpgradeAction;
    if (!upgradeActionsByState[job.state].includes(action))
      throw badInput(`action: ${action} is not possible while the job is ${job.state}`);
    const keepsFile = call.query["deleteFileAfterInstallComplete"];
    if (typeof keepsFile === "boolean") job.parameter.deleteFileAfterInstallComplete = keepsFile;
    if (action === "cancel") await runner.cancel(job);
    else if (action === "suspend") await runner.suspend(job);
    else runner.start(job);
    return data(showJob(job));
  };

  const remove = async (call: Call): Promise<Answer> => {
    const job = jobs.get(Number(call.path["id"]));
    if (job.isDeleted) throw badInput("the job's file is deleted already");
    if (job.state === "running") await runner.cancel(job);
    await rm(runner.fileOf(job), { force: true });
    job.isDeleted = true;
    jobs.save(job);
    return data(showJob(job));
  };

  return {
    jobs,
    handlers: {
      getUpgradeConfiguration: () => data(showUpgrade(settings.get(), disks(), isSnapshotSupported)),
      updateUpgradeConfiguration: configure,
      setUpgradeConfiguration: configure,
      listUpgradeJobs: () => list(jobs.all().map(showJob)),
      createUpgradeJob: create,
      getUpgradeJob: (call) => data(showJob(jobs.get(Number(call.path["id"])))),
      operateUpgradeJob: operate,
      deleteUpgradeJob: remove,
    },
    settings: [settings],
    resetParts: [
      { scopes: ["upgrade"], reset: () => settings.reset() },
      { scopes: ["job"], reset: () => jobs.clear() },
    ],
    start() {
      for (const job of jobs.all()) {
        // Interrupted work continues where it was; a part is continued by a range request.
        if (job.state === "running") runner.start(job);
        if (job.state === "pending") schedule(job);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) timer[Symbol.dispose]();
      await runner[Symbol.asyncDispose]();
    },
  };
}

function assertUrl(text: string): void {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw badInput(`url: expected an http or https address, found ${JSON.stringify(text.slice(0, 100))}`);
}

const cronFields = ["minute", "hour", "day", "month", "dayOfWeek"] as const;

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "?";
}

/** When a job with this `at` is due; undefined when it never is. Throws a Refusal for what is no schedule. */
function dueOf(at: object | null, nowMs: number, timezone: string): number | undefined {
  if (at === null) return undefined;
  const fields = at as Partial<Record<(typeof cronFields)[number], unknown>>;
  const expression = cronFields
    .map((name) => (fields[name] === undefined ? "*" : text(fields[name])))
    .join(" ");
  try {
    return new Cron(expression, { timezone, mode: "5-part" }).nextRun(new Date(nowMs))?.getTime();
  } catch {
    throw badInput(`at: ${JSON.stringify(expression)} is no crontab expression`);
  }
}
