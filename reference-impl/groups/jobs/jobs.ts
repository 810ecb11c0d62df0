// The job list of group 11: installations and the reboot schedule.
import type { Job } from "../../../interface/resources/apps.ts";
import { timestamp } from "../../base/clock.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import { list } from "../../http/handler.ts";
import type { Reboot } from "../reboot/reboot.ts";
import type { JobStore } from "../upgrade/jobStore.ts";

/** Ids of the reboot schedule stay clear of those of upgrade jobs, which count from 1. */
const rebootJobId = 1_000_000;

export function createJobs(foundation: Foundation, upgrades: JobStore, reboot: Reboot): Group {
  const installations = (): Job[] =>
    upgrades.all().map((job) => ({
      id: job.id,
      owner: job.owner,
      resourceID: job.id,
      resourceType: "installation",
      now: job.parameter.at === null,
      at: job.parameter.at,
      state: job.state,
      lastState: job.lastState,
      createdAt: job.createdAt,
      pendingAt: job.pendingAt,
      startedAt: job.startedAt,
      completedAt: job.completedAt,
      nextTriggerAt: null,
    }));
  const schedule = (): Job[] => {
    const dueMs = reboot.nextTriggerMs();
    if (!reboot.isScheduled()) return [];
    return [
      {
        id: rebootJobId,
        owner: "system",
        resourceID: 1,
        resourceType: "reboot",
        now: false,
        at: reboot.shownAt(),
        state: "pending",
        lastState: "created",
        createdAt: timestamp(foundation.board.bootedAtMs),
        pendingAt: null,
        startedAt: null,
        completedAt: null,
        nextTriggerAt: dueMs === undefined ? null : timestamp(dueMs),
      },
    ];
  };
  return {
    handlers: { listJobs: () => list([...installations(), ...schedule()]) },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
