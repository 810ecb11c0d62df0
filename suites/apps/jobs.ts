// Background jobs while upgrade jobs exist: their members, and the views of another user.
import { type CaseContext, sameValue, type Session, type TestCase, testCase } from "../../harness/index.ts";
import { App, Job } from "../../interface/resources/apps.ts";
import { Tag } from "../../interface/resources/tags.ts";
import { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { farMonth, restoreScheduleLater } from "../support/rebootSchedule.ts";
import { repeatedEntries } from "../support/repeatedEntries.ts";
import { cancelLater } from "../upgrade/downloads.ts";
import { fixedMembers } from "../upgrade/jobMembers.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { stringifyJson } from "../../record/index.ts";

/** Instants before this are placeholders for unset ones. */
const earliestMs = Date.UTC(2000, 0, 1);
/** Difference that may come from instants shown in whole seconds. */
const roundingMs = 1000;
/** A job is listed as soon as there is one; a wrong offset is a quarter of an hour at least. */
const listedWithinMs = 5 * 60_000;

const isSet = (text: string | null): text is string => text !== null && epochMsOf(text) > earliestMs;

/** Lists that two users with the same permissions read. */
const lists = [
  { operation: "listApps", requirement: "CORE-APP-33", members: App.properties, key: ["name"] },
  { operation: "listJobs", requirement: "CORE-APP-45", members: Job.properties, key: ["id"] },
  {
    operation: "listUpgradeJobs",
    requirement: "CORE-UPGRADE-47",
    members: UpgradeJob.properties,
    key: ["id"],
  },
  {
    operation: "listTags",
    requirement: "CORE-TAG-21",
    members: Tag.properties,
    key: ["prvdName", "srcName", "tagName"],
  },
] as const;

export const jobCases: readonly TestCase[] = [
  testCase({
    id: "apps/jobs-while-one-exists",
    title: "List jobs shows jobs by their state, and to every user alike",
    group: "apps",
    requirements: [
      "CORE-APP-24",
      "CORE-APP-25",
      "CORE-APP-26",
      "CORE-APP-28",
      "CORE-APP-29",
      "CORE-APP-30",
      "CORE-APP-31",
      "CORE-APP-32",
      "CORE-APP-46",
      "CORE-UPGRADE-25",
      "CORE-UPGRADE-56",
      "CORE-UPGRADE-74",
      ...lists.map(({ requirement }) => requirement),
    ],
    effect: "reversible",
    touches: ["upgrade-jobs", "accounts", "reboot-schedule"],
    capabilities: ["apps", "upgrade", "upgrade-jobs"],
    async run(context) {
      const { declares, gateway, note, profile, scratch, verify } = context;
      const { admin } = gateway;
      const plain = await create(context);
      if (plain === undefined) return context.unmet("Create upgrade job was rejected");
      const answer = await admin.call("listJobs");
      verify("CORE-APP-45").shape(answer);
      const { count, data } = answer.body();
      verify("CORE-APP-46").equal(count, data.length, "`count` of List jobs", answer);
      verify("CORE-APP-45").equal(repeatedEntries(answer.json), [], "repeated entries of List jobs", answer);
      verify("CORE-APP-32").equal(
        data.map(({ nextTriggerAt }) => nextTriggerAt).filter((text) => text !== null && !isSet(text)),
        [],
        `\`nextTriggerAt\` of listed jobs before ${new Date(earliestMs).toISOString()}, instead of null`,
        answer,
      );
      const states = data.map(({ state }) => state);
      if (states.length === 0)
        verify("CORE-APP-26").notApplicable("`state` of listed jobs", "none is listed");
      else
        verify("CORE-APP-26").equal(
          states.filter((state) => state === ""),
          [],
          "empty `state` of listed jobs",
          answer,
        );
      verifySchedules(context, data);
      if (data.length === 0) note("List jobs is empty while an upgrade job exists");
      await verifyInstants(context);
      await verifyPeriodic(context);
      await verifyWithSchedule(context);
      if (!declares("users") || !declares("roles")) {
        for (const requirement of [
          "CORE-UPGRADE-25",
          "CORE-UPGRADE-56",
          "CORE-UPGRADE-74",
          ...lists.map((list) => list.requirement),
        ])
          verify(requirement).notApplicable(
            "views of another user",
            "the profile declares no users or roles",
          );
        return;
      }
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      for (const list of lists) await verifyAlike(context, session, list);
      await verifyOwner(context, session, plain);
      const listedJob = await twinOf(context);
      const before = fixedMembers((await admin.call("getUpgradeJob", { path: { id: plain.id } })).data());
      const canceled = await session.call("operateUpgradeJob", {
        path: { id: plain.id, action: "cancel" },
        query: { deleteFileAfterInstallComplete: true },
      });
      if (canceled.accepted)
        verify("CORE-UPGRADE-74").equal(
          fixedMembers((await admin.call("getUpgradeJob", { path: { id: plain.id } })).data()),
          before,
          "`owner` and parameters of a job after another user canceled it",
          canceled,
        );
      else verify("CORE-UPGRADE-74").notApplicable("a job that another user operates", canceled.summary());
      await verifyCanceledTwin(context, listedJob);
      const last = await admin.call("listJobs");
      const { count: lastCount, data: lastJobs } = last.body();
      verify("CORE-APP-46").equal(
        lastCount,
        lastJobs.length,
        "`count` of List jobs with a canceled job",
        last,
      );
    },
  }),
];

/** Checks the owner of another user's job, where a job shows the name of the user who created it. */
async function verifyOwner(context: CaseContext, session: Session, { owner }: UpgradeJob): Promise<void> {
  const verify = context.verify("CORE-UPGRADE-25");
  const what = "`owner` of a job that another user created";
  const { name } = (await context.gateway.admin.call("getCurrentUser")).data();
  if (owner !== name) return verify.notApplicable(what, "a job does not show the name of its creator");
  const job = await create(context, undefined, session);
  if (job === undefined) return verify.notApplicable(what, "that user's job is rejected");
  verify.that(job.owner !== name, {
    what,
    expected: `another owner than that of the administrator's job, ${name}`,
    observed: job.owner,
  });
}

/** A job that never completes: port 9 (discard) sends no data, and `install` is false. */
async function create(
  context: CaseContext,
  at?: object,
  creator: Session = context.gateway.admin,
): Promise<UpgradeJob | undefined> {
  const { gateway, random } = context;
  const url = `http://${gateway.host.address}:9/rp-${random.word(10)}.bin`;
  const json = { url, download: true, install: false, ...(at === undefined ? {} : { at }) };
  const answer = await creator.call("createUpgradeJob", { json });
  if (!answer.accepted) return undefined;
  const job = answer.data();
  cancelLater(context, job);
  return job;
}

/** Checks the list while a reboot is scheduled, which a gateway may show as a job. */
async function verifyWithSchedule(context: CaseContext): Promise<void> {
  const { clock, declares, gateway, verify } = context;
  if (!declares("reboot") || !declares("disruptive-reboot")) return;
  await restoreScheduleLater(context);
  const at = `17 3 11 ${farMonth(clock.epochMs())} *`;
  const set = await gateway.admin.call("setReboot", { json: { at, enableScheduler: true } });
  if (!set.accepted) return;
  const answer = await gateway.admin.call("listJobs");
  const { count, data } = answer.body();
  verify("CORE-APP-46").equal(count, data.length, "`count` of List jobs while a reboot is scheduled", answer);
}

/** The jobs that were not listed before the action. */
async function newJobs({ gateway }: CaseContext, action: () => Promise<unknown>): Promise<Job[]> {
  const list = async (): Promise<Job[]> => (await gateway.admin.call("listJobs")).data();
  const known = new Set((await list()).map(({ id }) => id));
  await action();
  return (await list()).filter(({ id }) => !known.has(id));
}

/** An upgrade job and its entry in List jobs, with the state that both had at first. */
interface Twin {
  readonly id: number;
  readonly listedId: number;
  readonly firstState: string;
}

type States = { readonly state: string; readonly lastState: string };

/** A new upgrade job, where List jobs has one new entry with the same states. */
async function twinOf(context: CaseContext): Promise<Twin | undefined> {
  let job: UpgradeJob | undefined;
  const [listed, ...others] = await newJobs(context, async () => (job = await create(context)));
  if (job === undefined || listed === undefined || others.length > 0) return undefined;
  const twin = { id: job.id, listedId: listed.id };
  const [own, shown] = await statesOf(context, twin);
  return own !== undefined && sameValue(own, shown) ? { ...twin, firstState: own.state } : undefined;
}

/**
 * Checks the entry of a canceled job. Whether entries follow their jobs is not stated, but none has been canceled before it
 * was in an earlier state of its job.
 */
async function verifyCanceledTwin(context: CaseContext, twin: Twin | undefined): Promise<void> {
  const verify = context.verify("CORE-UPGRADE-56");
  const what = "`state` of a canceled job in List jobs whose `lastState` is canceled";
  if (twin === undefined) return verify.notApplicable(what, "List jobs does not show the states of the job");
  const answer = await context.gateway.admin.call("operateUpgradeJob", {
    path: { id: twin.id, action: "cancel" },
    query: { deleteFileAfterInstallComplete: true },
  });
  if (!answer.accepted) return verify.notApplicable(what, answer.summary());
  const { own, shown } = await context.waitFor(
    `the state canceled of job ${twin.id}`,
    async () => {
      const [upgradeJob, entry] = await statesOf(context, twin);
      return upgradeJob?.state === "canceled" ? { own: upgradeJob, shown: entry } : undefined;
    },
    { deadlineMs: context.profile.patience.settleMs },
  );
  const earlier = [twin.firstState, own.lastState].filter((state) => state !== "canceled");
  verify.that(shown?.lastState !== "canceled" || !earlier.includes(shown.state), {
    what,
    expected: `another state than ${earlier.join(" and ")}`,
    observed: shown ?? "no entry",
    evidence: answer,
  });
}

/** The states of the job as Find upgrade job by ID and as List jobs show them. */
async function statesOf(
  { gateway: { admin } }: CaseContext,
  { id, listedId }: Omit<Twin, "firstState">,
): Promise<[States | undefined, States | undefined]> {
  const pick = (job: States | undefined): States | undefined =>
    job && { state: job.state, lastState: job.lastState };
  const own = (await admin.call("getUpgradeJob", { path: { id } })).data();
  const shown = (await admin.call("listJobs")).data().find((one) => one.id === listedId);
  return [pick(own), pick(shown)];
}

/** Checks the instants of a new job by its state. */
async function verifyInstants(context: CaseContext): Promise<void> {
  const { verify } = context;
  let made: UpgradeJob | undefined;
  const jobs = await newJobs(context, async () => (made = await create(context)));
  const madeMs = epochMsOf(made?.createdAt ?? "");
  // Of several new ones some may be older jobs of another kind.
  if (Number.isNaN(madeMs) || jobs.length !== 1)
    verify("CORE-APP-28").notApplicable("`createdAt` of a new job", `${jobs.length} new jobs are listed`);
  else
    for (const { createdAt } of jobs)
      verify("CORE-APP-28").that(
        !isSet(createdAt) || Math.abs(epochMsOf(createdAt) - madeMs) < listedWithinMs,
        {
          what: "`createdAt` of a job that List jobs shows since an upgrade job was created",
          expected: `no instant, or one within ${listedWithinMs / 1000} s of ${made?.createdAt}`,
          observed: createdAt,
        },
      );
  for (const [name, requirement] of [
    ["pendingAt", "CORE-APP-29"],
    ["startedAt", "CORE-APP-30"],
    ["completedAt", "CORE-APP-31"],
  ] as const) {
    if (jobs.length === 0) verify(requirement).notApplicable(`\`${name}\` of a new job`, "no job is listed");
    for (const { state, lastState, createdAt, [name]: shown } of jobs) {
      // Whether a created job is pending already is not stated.
      const isUnset = state === "created" && lastState === "" && name !== "pendingAt";
      const ms = isSet(shown) ? epochMsOf(shown) : undefined;
      const leastMs = isSet(createdAt) ? epochMsOf(createdAt) - roundingMs : earliestMs;
      verify(requirement).that(ms === undefined || (!isUnset && ms >= leastMs), {
        what: `\`${name}\` of a job in the state ${state}, created at ${createdAt}`,
        expected: isUnset ? "no instant" : "no instant, or one that is not before createdAt",
        observed: shown,
      });
    }
  }
}

/** Checks `now` of a job with a schedule, where the gateway accepts the crontab fields of the reboot schedule. */
async function verifyPeriodic(context: CaseContext): Promise<void> {
  const { clock, verify } = context;
  const at = { minute: "17", hour: "3", day: "11", month: String(farMonth(clock.epochMs())), dayOfWeek: "*" };
  const listed = await newJobs(context, () => create(context, at));
  verifySchedules(context, listed);
  const periodic = listed.filter((job) => job.at !== null);
  if (periodic.length === 0)
    verify("CORE-APP-24").notApplicable("`now` of a periodic job", "no such job is accepted and listed");
  for (const { now } of periodic) verify("CORE-APP-24").equal(now, false, "`now` of a periodic job");
}

/** Checks that `at` may be a schedule, of which the form is not stated: an object, or a text as of the reboot schedule. */
function verifySchedules({ verify }: CaseContext, jobs: readonly Job[]): void {
  const isSchedule = (at: unknown): boolean =>
    (typeof at === "object" && !Array.isArray(at)) || (typeof at === "string" && at !== "");
  verify("CORE-APP-25").equal(
    jobs.map(({ at }): unknown => at).filter((at) => !isSchedule(at)),
    [],
    "`at` of listed jobs that is neither null nor a schedule",
  );
}

/** A list in a fixed order: neither that of its items nor that of their members is stated. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value) ? value.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)) : value;

function orderOf(item: unknown): string {
  return typeof item === "object" && item !== null
    ? stringifyJson(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : String(item);
}

type Entry = Readonly<Record<string, unknown>>;

/** Checks that another user is shown the same items; which items that user is shown is not stated. */
async function verifyAlike(
  { gateway: { admin }, declares, verify }: CaseContext,
  session: Session,
  { operation, requirement, members, key }: (typeof lists)[number],
): Promise<void> {
  if (operation === "listTags" && !declares("tags")) {
    verify(requirement).notApplicable("List tags as another user", "the profile declares no tags");
    return;
  }
  const read = async (caller: Session): Promise<Map<string, Entry> | undefined> => {
    const answer = await caller.call(operation);
    if (!answer.accepted) return undefined;
    const names = Object.keys(members);
    const entries = (answer.data() as readonly Entry[]).map((entry): [string, Entry] => [
      JSON.stringify(key.map((name) => entry[name])),
      Object.fromEntries(names.map((name) => [name, inOrder(entry[name])])),
    ]);
    return new Map(entries);
  };
  const before = await read(admin);
  const other = await read(session);
  const after = await read(admin);
  if (before === undefined || other === undefined || after === undefined) {
    verify(requirement).notApplicable(`${operation} as another user`, "rejected");
    return;
  }
  const lasting = [...after].filter(([id, entry]) => other.has(id) && sameValue(before.get(id), entry));
  const differing = lasting.filter(([id, entry]) => !sameValue(other.get(id), entry));
  const [first] = differing;
  verify(requirement).equal(
    first === undefined ? {} : other.get(first[0]),
    first === undefined ? {} : first[1],
    `item of ${operation} as another user, compared with the administrator's`,
  );
}
