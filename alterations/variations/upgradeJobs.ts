// What upgrade jobs do and show where the interface states neither the one way nor the other.
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { fields, type Fields, items, text } from "../mechanism/edits.ts";
import type { Variation, Variations } from "./variation.ts";

const jobOperations = ["getUpgradeJob", "listUpgradeJobs", "operateUpgradeJob"] as const;
const transitions = "States: the transitions of upgrade jobs, and how soon they are shown, are not shown";
const recordMs = 1000;
const probeBytes = 100;
const unfinished: ReadonlySet<string> = new Set(["created", "pending", "running", "suppended"]);

/** Jobs are shown from records that are updated once a second. */
const shownLate: NonNullable<Variation["install"]> = (at) => {
  const records = new Map<unknown, { readonly atMs: number; readonly job: Fields }>();
  const recorded = (job: Fields): Fields => {
    const present = { atMs: performance.now(), job: fields(structuredClone(job)) };
    records.set(job["id"], present);
    return present.job;
  };
  at.data("createUpgradeJob", recorded);
  at.around("operateUpgradeJob", async (call, proceed, ask) => {
    const before = await ask("getUpgradeJob", { path: call.path });
    if (before.kind === "json") recorded(fields(fields(before.body)["data"]));
    return proceed(call);
  });
  at.data(jobOperations, (job) => {
    const record = records.get(job["id"]);
    return record === undefined || record.atMs + recordMs < performance.now() ? recorded(job) : record.job;
  });
};

/** Asks for the size, then for the first bytes, before each try. */
const probed: NonNullable<Variation["install"]> = (at) =>
  at.download((download) => async (transfer) => {
    const { url, signal } = transfer;
    // A server that is not trusted gets no probe.
    const probe = async (init: RequestInit): Promise<Response | undefined> =>
      fetch(url, { ...init, signal }).catch(() => undefined);
    await probe({ method: "HEAD" });
    const first = await probe({ headers: { range: `bytes=0-${probeBytes - 1}` } });
    const bytes = (await first?.arrayBuffer().catch(() => undefined))?.byteLength ?? 0;
    if (first?.status === 206 && bytes !== probeBytes)
      throw new Error(`the server sent ${bytes} bytes of ${probeBytes}`);
    return download(transfer);
  });

const takenOverMs = 400;
const upgradeWritings = ["updateUpgradeConfiguration", "setUpgradeConfiguration"] as const;

/** For a while after a change, downloads present the former client certificate. */
const certificateLater: NonNullable<Variation["install"]> = (at) => {
  let changedMs = -takenOverMs;
  let former: { cert?: string; key?: string } = {};
  at.around(upgradeWritings, async (call, proceed) => {
    const answer = await proceed(call);
    changedMs = performance.now();
    return answer;
  });
  at.download((download) => async (transfer) => {
    const { ca, ...present } = transfer.tls;
    if (performance.now() - changedMs >= takenOverMs) former = present;
    return download({ ...transfer, tls: { ...(ca === undefined ? {} : { ca }), ...former } });
  });
};

const checkId = 1000;

/** A task before the download checks its source; the file has a name once it has arrived. */
const checkedFirst: NonNullable<Variation["install"]> = (at) =>
  at.data([...jobOperations, "createUpgradeJob", "deleteUpgradeJob"], (job) => {
    const tasks = items(job["tasks"]);
    const { startedAt } = job;
    if (!tasks.some(({ type }) => type === "download")) return job;
    const begun =
      startedAt === null ? { state: "created", progress: 0 } : { state: "succeed", progress: 100, speed: 0 };
    const check = {
      id: checkId,
      name: "",
      type: "check",
      totalSize: 0,
      startedAt,
      completedAt: startedAt,
      ...begun,
    };
    return {
      ...job,
      totalTask: Number(job["totalTask"]) + 1,
      completedTask: Number(job["completedTask"]) + (startedAt === null ? 0 : 1),
      tasks: [check, ...tasks.map((task) => (task["state"] === "succeed" ? task : { ...task, name: "" }))],
    };
  });

const mostUnfinished = 4;

const fewUnfinished: NonNullable<Variation["install"]> = (at) =>
  at.around("createUpgradeJob", async (call, proceed, ask) => {
    const listed = await ask("listUpgradeJobs");
    const jobs = listed.kind === "json" ? items(fields(listed.body)["data"]) : [];
    if (jobs.filter(({ state }) => unfinished.has(text(state))).length >= mostUnfinished)
      throw new Refusal(409, `at most ${mostUnfinished} jobs`);
    return proceed(call);
  });

/** A boot takes the suspension from a job, which waits for its start then. */
const waitsAfterBoot: NonNullable<Variation["install"]> = (at) =>
  at.boot((store) => {
    if (store.get("SELECT 1 FROM sqlite_master WHERE name = 'upgrade_job'") !== undefined)
      store.run(
        "UPDATE upgrade_job SET job = json_set(job, '$.state', 'pending') WHERE json_extract(job, '$.state') = 'suppended'",
      );
  });

export const upgradeJobVariations = {
  "few-unfinished-upgrade-jobs": {
    differs: `At most ${mostUnfinished} upgrade jobs have not ended; a further one is rejected`,
    freedom: "Create upgrade job: how many jobs there can be at a time is not stated",
    install: fewUnfinished,
  },
  "downloads-are-probed": {
    differs: "Each try of a download asks for the size and for the first bytes of the file before",
    freedom: "Create upgrade job: by which requests a file is downloaded is not stated",
    install: probed,
  },
  "client-certificate-follows-after-400-ms": {
    differs: `A change of the client certificate or of \`enableClientAuth\` takes effect ${takenOverMs} ms after the answer`,
    freedom: "Set upgrade configuration: how soon it takes effect is not stated",
    install: certificateLater,
  },
  "jobs-check-before-the-download": {
    differs:
      "A task of the type check precedes the download, whose `name` is empty until the file has arrived",
    freedom: "Task: which tasks a job has, in which order, and when `name` is known is not stated",
    install: checkedFirst,
  },
  "job-states-shown-late": {
    differs: "Upgrade jobs are shown by records of up to 1 s before, also after an action",
    freedom: transitions,
    install: shownLate,
  },
  "suspended-jobs-wait-after-a-boot": {
    differs: "A boot makes suspended upgrade jobs pending, in which they wait for their start",
    freedom: transitions,
    install: waitsAfterBoot,
  },
} as const satisfies Variations;
