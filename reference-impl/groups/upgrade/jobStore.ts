// Upgrade jobs as they are stored: one JSON document each, durable at every change of state.
import type { UpgradeJob, UpgradeTask } from "../../../interface/resources/upgrade.ts";
import type { UpgradeState } from "../../../interface/states.ts";
import { notFound } from "../../base/refusal.ts";
import type { Store } from "../../store/store.ts";

export interface StoredJob {
  id: number;
  owner: string;
  state: UpgradeState;
  lastState: string;
  isDeleted: boolean;
  parameter: UpgradeJob["parameter"];
  url: string;
  fileName: string;
  hasFile: boolean;
  createdAt: string;
  pendingAt: string | null;
  startedAt: string | null;
  completedAt: string | null;
  triggerdAt: string | null;
  errorMessage: string;
  tasks: UpgradeTask[];
  /** Its system is written and is tried by the next boots. */
  awaitsBoot?: boolean;
}

export class JobStore {
  readonly #store: Store;
  readonly #jobs = new Map<number, StoredJob>();

  constructor(store: Store) {
    this.#store = store;
    store.define(
      "CREATE TABLE IF NOT EXISTS upgrade_job (id INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL) STRICT",
    );
    for (const row of store.all("SELECT job FROM upgrade_job ORDER BY id")) {
      const job = JSON.parse(String(row["job"])) as StoredJob;
      this.#jobs.set(job.id, job);
    }
  }

  all(): StoredJob[] {
    return [...this.#jobs.values()];
  }

  get(id: number): StoredJob {
    const job = this.#jobs.get(id);
    if (job === undefined) throw notFound(`upgrade job ${id}`);
    return job;
  }

  add(make: (id: number) => StoredJob): StoredJob {
    return this.#store.transaction(() => {
      const { lastId } = this.#store.run("INSERT INTO upgrade_job (job) VALUES ('{}')");
      const job = make(lastId);
      this.#jobs.set(job.id, job);
      this.save(job);
      return job;
    });
  }

  /** Makes the job's present state durable. */
  save(job: StoredJob): void {
    this.#store.run("UPDATE upgrade_job SET job = ? WHERE id = ?", JSON.stringify(job), job.id);
  }

  clear(): void {
    this.#store.run("DELETE FROM upgrade_job");
    this.#jobs.clear();
  }
}

/** The job as answers show it. */
export function showJob(job: StoredJob): UpgradeJob & { errorMessage?: string } {
  const {
    id,
    owner,
    state,
    lastState,
    isDeleted,
    parameter,
    createdAt,
    pendingAt,
    startedAt,
    completedAt,
    triggerdAt,
    tasks,
  } = job;
  return {
    id,
    owner,
    state,
    lastState,
    isDeleted,
    parameter,
    createdAt,
    pendingAt,
    startedAt,
    completedAt,
    triggerdAt,
    totalTask: tasks.length,
    completedTask: tasks.filter((task) => task.state === "succeed").length,
    tasks,
    ...(job.errorMessage === "" ? {} : { errorMessage: job.errorMessage }),
  };
}
