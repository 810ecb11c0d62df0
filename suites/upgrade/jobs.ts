import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { upgradeActions, type UpgradeJob, type UpgradeTask } from "../../interface/resources/upgrade.ts";
import { enableKinds, watchRecorded } from "../support/recordedEvents.ts";
import type { UpgradeServer } from "../support/upgradeServer.ts";
import {
  memberRequirements,
  countRequirements,
  downloadTask,
  newJobRequirements,
  verifyCounts,
  verifyInstants,
  hasStarted,
  verifyNew,
  verifyRunning,
  verifyViews,
  viewRequirements,
} from "./jobMembers.ts";
import { serve, unlessAnotherFile } from "./contents.ts";
import { begun, download, findJob, operate, outOf, resumed, settleMs, sharedByJobs } from "./downloads.ts";
import { endedJob, followStates, isDone } from "./jobStates.ts";
import { snapshotDefault } from "./snapshotDefault.ts";
import { verifyLongNames } from "./longNames.ts";
import { restartsWithoutRange, suspendsAgain, unlessEnded, verifyPath, watchResumed } from "./transfers.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const paced = { sizeBytes: 320 * 1024, chunkPauseMs: 25, failures: 0 };
const slow = { sizeBytes: 1024 * 1024, chunkPauseMs: 40, failures: 0 };
const small = { sizeBytes: 1024, chunkPauseMs: 0, failures: 0 };
const beyondAscii = "é説.bin";
const noJob = 2_000_000_000;

/** A gateway may show a momentary speed, far above that of the server: bytes, not bursts, make a factor of 1024. */
const mostSpeedFactor = 200;
const leastSpeeds = 3;

/** Checks the unit by the least speed that was shown during the transfer. */
function verifySpeed(
  { verify }: CaseContext,
  { chunkBytes }: UpgradeServer,
  speeds: readonly number[],
): void {
  const what = "least `speed` of a download task, in KB/s";
  const shown = speeds.filter((speed) => speed > 0);
  if (shown.length < leastSpeeds)
    return verify("CORE-UPGRADE-88").notApplicable(what, "too few readings during the transfer");
  const most = Math.round(((mostSpeedFactor * chunkBytes) / 1024 / paced.chunkPauseMs) * 1000);
  verify("CORE-UPGRADE-88").that(Math.min(...shown) <= most, {
    what,
    expected: `at most ${most}, ${mostSpeedFactor} times the speed of the server`,
    observed: Math.min(...shown),
  });
}

/** A file of the same name may have been downloaded before: it must not count as a part of this one. */
function verifyWhole({ verify }: CaseContext, server: UpgradeServer): void {
  verify("CORE-UPGRADE-57").that(server.sentBytes >= server.sizeBytes, {
    what: `bytes that were sent for a completed download of ${server.sizeBytes} bytes`,
    expected: `at least ${server.sizeBytes}`,
    observed: server.sentBytes,
  });
}

export const jobCases: readonly TestCase[] = [
  testCase({
    ...sharedByJobs,
    id: "upgrade/download-job",
    title: "A download job is created, listed, completed, and shows name, size and progress",
    requirements: [
      "CORE-UPGRADE-49",
      "CORE-UPGRADE-51",
      "CORE-UPGRADE-52",
      "CORE-UPGRADE-53",
      "CORE-UPGRADE-54",
      "CORE-UPGRADE-57",
      "CORE-UPGRADE-58",
      "CORE-UPGRADE-59",
      "CORE-UPGRADE-61",
      "CORE-UPGRADE-62",
      "CORE-UPGRADE-66",
      "CORE-UPGRADE-88",
      ...new Set([...memberRequirements, ...countRequirements, ...newJobRequirements, ...viewRequirements]),
    ],
    async run(context) {
      const { gateway, verify, waitFor, note, clock } = context;
      const { admin } = gateway;
      await using server = await serve(context, paced);
      const snapshots = await snapshotDefault(context);
      const enableSnapshot = await snapshots.set(!snapshots.present);
      const clockAnswer = await admin.call("getUpgradeConfiguration");
      // The gateway's clock by its Date header; the harness's clock advances it during the case.
      const offsetMs = (epochMsOf(clockAnswer.headers["date"] ?? "") || clock.epochMs()) - clock.epochMs();
      const fromMs = clock.epochMs() + offsetMs;
      const instants = (seen: UpgradeJob, phase: string): void =>
        verifyInstants(context, seen, { fromMs, nowMs: clock.epochMs() + offsetMs, phase });
      const job = await download(context, server);
      instants(job, "right after its creation");
      verifyNew(context, job, "the answer of Create upgrade job");
      verify("CORE-UPGRADE-54").equal(
        { state: job.state, lastState: job.lastState },
        { state: "created", lastState: "" },
        "`state` and `lastState` of a new job",
      );
      verify("CORE-UPGRADE-51").equal(
        { download: job.parameter.download, install: job.parameter.install },
        { download: true, install: false },
        "`parameter.download` and `parameter.install` of a new job",
      );
      verify("CORE-UPGRADE-52").equal(
        job.parameter.deleteFileAfterInstallComplete,
        true,
        "`parameter.deleteFileAfterInstallComplete` of a job created without it",
      );
      verify("CORE-UPGRADE-53").equal(
        job.parameter.snapshot,
        enableSnapshot,
        "`parameter.snapshot` of a job created without it, compared with enableSnapshot",
      );
      const list = (await admin.call("listUpgradeJobs")).data().map(({ id }) => id);
      verify("CORE-UPGRADE-66").equal(list.includes(job.id), true, "presence of the job in the list");
      const some = [...new Set([job.id, ...list.slice(0, 2)])];
      const found = await Promise.all(some.map((id) => findJob(context, id)));
      verify("CORE-UPGRADE-49").equal(
        found.map(({ id }) => id),
        some,
        "ids of jobs found by id",
      );
      // A job that is shown as done without a request is decided below; a server out of reach leaves the case inconclusive.
      await begun(context, server, job.id).catch(async (unmet: unknown) => {
        if (!isDone(await findJob(context, job.id))) throw unmet;
      });
      const shown: UpgradeTask[] = [];
      const speeds: number[] = [];
      const follow = followStates(context);
      follow(job);
      let running: UpgradeJob | undefined;
      let last = job;
      await waitFor(
        "completion of the download",
        async () => {
          // The transfer must have been incomplete before and after the reading of the job.
          const wasSending = server.sentBytes > 0;
          const seen = await findJob(context, job.id);
          const isMidway = wasSending && server.completed === 0;
          if (isMidway && !hasStarted(running)) running = seen;
          last = seen;
          follow(last);
          const now = downloadTask(seen);
          if (isMidway) speeds.push(now?.speed ?? 0);
          if (now !== undefined) shown.push(now);
          return isDone(last) ? true : undefined;
        },
        { deadlineMs: 30_000, lastSeen: () => last },
      ).catch(() => undefined);
      unlessAnotherFile(context, last, server);
      verify("CORE-UPGRADE-57").equal(
        { isFileSent: server.completed > 0, areTasksCompleted: isDone(last) },
        { isFileSent: true, areTasksCompleted: true },
        "complete transfer of the file and completion of the job's tasks",
      );
      if (isDone(last)) verifyWhole(context, server);
      verifySpeed(context, server, speeds);
      verifyRunning(context, running);
      if (running !== undefined) instants(running, "while its file is being transferred");
      last = await endedJob(context, last);
      follow(last);
      instants(last, "after the download");
      verifyCounts(context, last, "a completed download job");
      await verifyViews(context, job.id, "after the download");
      const task = downloadTask(last);
      verify("CORE-UPGRADE-58").equal(
        { name: task?.name, totalSize: task?.totalSize },
        { name: server.fileName, totalSize: server.sizeBytes },
        "`name` and `totalSize` of the download task",
      );
      // Another task may have been the only one before.
      const progress = shown.filter(({ id }) => id === task?.id).map((one) => one.progress);
      verify("CORE-UPGRADE-59").that(
        progress.every((value, index) => index === 0 || value >= (progress[index - 1] ?? 0)) &&
          progress.at(-1) === 100,
        {
          what: "`progress` of the download task",
          expected: "never decreasing, 100 at the end",
          observed: progress,
        },
      );
      verify("CORE-UPGRADE-61").refused(
        await admin.callInvalid("operateUpgradeJob", {
          path: { id: job.id, action: "explode" },
          query: { deleteFileAfterInstallComplete: true },
        }),
      );
      verify("CORE-UPGRADE-62").refused(await admin.call("getUpgradeJob", { path: { id: noJob } }));
      for (const action of upgradeActions)
        verify("CORE-UPGRADE-62").refused(await operate(context, noJob, action));
      note(`states of the job: ${job.state}, ${last.state}`);
      const encoded = encodeURIComponent(beyondAscii);
      await using other = await serve(context, small);
      const odd = await download(context, other, other.url.replace(other.fileName, encoded));
      // A gateway may have its tasks from the start of the job on.
      await begun(context, other, odd.id).catch(() => undefined);
      const isNamed = async (): Promise<string | undefined> =>
        downloadTask(await findJob(context, odd.id))?.name || undefined;
      const name = await waitFor("the name of a task", isNamed, { deadlineMs: settleMs }).catch(() => "");
      // Whether the name is decoded, and which characters a file may have in its name, is not stated.
      const isPlain = /^[\w.-]+$/u.test(name);
      const what = `\`name\` of the task that downloads ${encoded}`;
      if (name === "") verify("CORE-UPGRADE-58").notApplicable(what, "no name is shown");
      else
        verify("CORE-UPGRADE-58").that(isPlain || [beyondAscii, encoded].includes(name), {
          what,
          expected: `${beyondAscii}, ${encoded}, or a name without such characters`,
          observed: name,
        });
      await verifyPath(context, other, odd.id, encoded);
      await verifyLongNames(context);
    },
  }),
  testCase({
    ...sharedByJobs,
    id: "upgrade/cancel",
    title: "A canceled download has the state canceled and its previous state in `lastState`",
    requirements: [
      "CORE-UPGRADE-49",
      "CORE-UPGRADE-55",
      "CORE-UPGRADE-56",
      "CORE-UPGRADE-61",
      "CORE-UPGRADE-70",
      "CORE-EVENT-68",
    ],
    async run(context) {
      const { verify, waitFor } = context;
      await using server = await serve(context, slow);
      const job = await download(context, server);
      await begun(context, server, job.id);
      const running = await outOf(context, job.id, [job.state]);
      verify("CORE-UPGRADE-56").that(running.lastState !== "" && running.lastState !== running.state, {
        what: `\`lastState\` of a job in the state ${running.state}`,
        expected: `a previous state, neither empty nor ${running.state}`,
        observed: running.lastState,
      });
      // Neither a longer word nor a part of one is an action.
      for (const action of ["cancelx", "cance", "suspended", "suspen"])
        verify("CORE-UPGRADE-61").refused(
          await context.gateway.admin.callInvalid("operateUpgradeJob", {
            path: { id: job.id, action },
            query: { deleteFileAfterInstallComplete: true },
          }),
        );
      const cancels = await watchRecorded(context, "ota download cancel");
      const answer = await operate(context, job.id, "cancel");
      verify("CORE-UPGRADE-55").accepted(answer);
      let last = running;
      await waitFor(
        "the state canceled",
        async () => {
          last = await findJob(context, job.id);
          return last.state === "canceled" ? true : undefined;
        },
        { deadlineMs: settleMs, lastSeen: () => last.state },
      ).catch(() => undefined);
      verify("CORE-UPGRADE-55").equal(last.state, "canceled", "`state` of the canceled job");
      await cancels.verify("CORE-UPGRADE-70", "canceling the download");
      await unlessEnded(context, server, slow.chunkPauseMs);
      const later = await findJob(context, job.id);
      verify("CORE-UPGRADE-55").equal(
        { state: later.state, isCompleted: isDone(later) },
        { state: "canceled", isCompleted: false },
        "`state` of the canceled job and completion of its tasks after the time of a full transfer",
      );
      // An intermediate state may be too short to observe; the initial state had been left before.
      const isLater = running.state === job.state || last.lastState !== job.state;
      verify("CORE-UPGRADE-56").that(last.lastState !== "" && last.lastState !== "canceled" && isLater, {
        what: `\`lastState\` of the canceled job, observed in the state ${running.state} before`,
        expected: `${running.state}, or an intermediate state after it`,
        observed: last.lastState,
      });
      await verifyViews(context, job.id, "after its cancellation");
    },
  }),
  testCase({
    ...sharedByJobs,
    id: "upgrade/suspend-and-resume",
    title: "A suspended download stops, and continues from its position when resumed",
    addsTo: ["event-catalogue"],
    reliesOn: ["event-configuration"],
    requirements: [
      "CORE-UPGRADE-57",
      "CORE-UPGRADE-58",
      "CORE-UPGRADE-59",
      "CORE-UPGRADE-60",
      "CORE-UPGRADE-67",
      "CORE-UPGRADE-70",
      "CORE-EVENT-68",
      "CORE-UPGRADE-33",
      "CORE-UPGRADE-36",
      "CORE-UPGRADE-43",
      "CORE-UPGRADE-46",
      ...viewRequirements,
    ],
    async run(context) {
      const { verify, unmet, waitFor, clock, signal } = context;
      await using server = await serve(context, slow);
      const job = await download(context, server);
      await begun(context, server, job.id);
      await waitFor(
        "transfer of the first fifth of the file",
        () => (server.sentBytes > server.sizeBytes / 5 ? true : undefined),
        {
          deadlineMs: settleMs,
        },
      );
      await enableKinds(context, ["ota download resume", "ota download completed"]);
      const suspensions = await watchRecorded(context, "ota download suspend");
      const { state } = await findJob(context, job.id);
      const suspended = await operate(context, job.id, "suspend");
      if (suspended.rejected && isDone(await findJob(context, job.id)))
        unmet("the download ended before it was suspended");
      if (!verify("CORE-UPGRADE-60").accepted(suspended)) return;
      await clock.delay(300, signal);
      const atFirst = await outOf(context, job.id, ["created", "running", state]);
      verify("CORE-UPGRADE-56").that(!["", "created", atFirst.state].includes(atFirst.lastState), {
        what: `\`lastState\` of a suspended job in the state ${atFirst.state}`,
        expected: `a previous state, neither empty nor created nor ${atFirst.state}`,
        observed: atFirst.lastState,
      });
      await verifyViews(context, job.id, "while it is suspended");
      const before = server.sentBytes;
      await clock.delay(400, signal);
      if (server.sentBytes === before)
        verify("CORE-UPGRADE-60").equal(
          server.sentBytes,
          before,
          "number of bytes sent to the gateway, 400 ms apart, while suspended",
        );
      else {
        // A gateway may suspend by not reading: the rest of the file then waits in buffers, and the job stands still.
        await unlessEnded(context, server, slow.chunkPauseMs);
        const later = await findJob(context, job.id);
        verify("CORE-UPGRADE-60").equal(
          { progress: downloadTask(later)?.progress, isCompleted: isDone(later) },
          { progress: downloadTask(atFirst)?.progress, isCompleted: false },
          "`progress` and completion of a suspended download after the time of a full transfer",
        );
      }
      await suspensions.verify("CORE-UPGRADE-70", "suspending the download");
      const resumptions = await watchRecorded(context, "ota download resume");
      const completions = await watchRecorded(context, "ota download completed");
      const requestsBefore = server.requests.length;
      verify("CORE-UPGRADE-60").accepted(await resumed(context, job.id));
      const requestsAgain = await suspendsAgain(context, server, job.id, slow.chunkPauseMs);
      let last = await findJob(context, job.id);
      const resumedProgress = watchResumed(context, server, {
        requestsBefore,
        shownBefore: downloadTask(atFirst)?.progress ?? 0,
      });
      const follow = followStates(context, ["created"]);
      follow(atFirst);
      let running: UpgradeJob | undefined;
      await waitFor(
        "completion of the resumed download",
        async () => {
          follow(last);
          const wasSending = server.sending > 0;
          last = await resumedProgress.reading(() => findJob(context, job.id));
          const isRunning = [last, ...last.tasks].every(({ state }) => state === "running");
          if (wasSending && server.sending > 0 && isRunning) running = last;
          return isDone(last) ? true : undefined;
        },
        { deadlineMs: 30_000, lastSeen: () => last },
      ).catch(() => undefined);
      unlessAnotherFile(context, last, server);
      verify("CORE-UPGRADE-60").equal(isDone(last), true, "completion of the resumed download");
      resumedProgress.verify();
      verifyRunning(context, running);
      follow(last);
      follow(await endedJob(context, last));
      await resumptions.verify("CORE-UPGRADE-70", "resuming the download");
      if (isDone(last)) {
        verifyWhole(context, server);
        await completions.verify("CORE-UPGRADE-70", "the completion of the download");
      }
      verify("CORE-UPGRADE-58").equal(
        downloadTask(last)?.totalSize,
        server.sizeBytes,
        "`totalSize` of the task of a resumed download",
      );
      const atResumptions = [requestsBefore, ...(requestsAgain === undefined ? [] : [requestsAgain])];
      for (const range of atResumptions.map((index) => server.requests[index]?.range ?? "no range"))
        verify("CORE-UPGRADE-67").that(/^bytes=[1-9]\d*-/.test(range), {
          what: "`Range` header of the request after resume",
          expected: "bytes=n- with n > 0",
          observed: range,
        });
      await restartsWithoutRange(context);
    },
  }),
];
