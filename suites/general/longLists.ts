// Long lists: every entry once, and counted. Only entries that a gateway can remove again are
// created, and as many as it accepts.
import {
  type Answer,
  type CaseContext,
  sameValue,
  type StateDomain,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { createWaitingJob } from "../support/waitingJobs.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { repeatedEntries } from "../support/repeatedEntries.ts";
import { verifyManyTags } from "../tags/manyTags.ts";
import { isOver } from "../upgrade/jobStates.ts";
import { valueAt } from "../support/settingValues.ts";
import { farFuture, removeLater, roleReferences } from "../users/accounts.ts";
import { inParallel } from "../users/inParallel.ts";

type Entries = Readonly<Record<CampaignLevel, number>>;
/** Beyond 128, half of what a counter of 8 bits holds. */
const manyEntries: Entries = { smoke: 3, nightly: 132, certification: 260 };
/** Beyond a counter of 8 bits; published gateways take 2,048 tags. */
const tagEntries: Entries = { smoke: 3, nightly: 520, certification: 1100 };
/** A gateway may take long to hash a password: as many as it creates in time, and at least the fewer. */
const userEntries: Entries = { smoke: 3, nightly: 66, certification: 130 };
const usersWithinMs = 3000;
const fewerEntries: Entries = { smoke: 3, nightly: 24, certification: 130 };
const createdAtOnce = 6;
/** Time for created jobs to reach the state in which they wait. */
const atRestWithinMs = 2000;

interface LongList {
  readonly list: "listRoles" | "listUsers" | "listTags" | "listUpgradeJobs";
  readonly touches: StateDomain;
  readonly entries: Entries;
  /** Creates an entry of the name and registers its removal. */
  readonly create: (context: CaseContext, name: string) => Promise<Answer<OperationId>>;
  readonly isRemovable: (context: CaseContext) => boolean;
  /** Whether the gateway still has the entry: it may keep only the newest ones. Default: it has. */
  readonly isStored?: (context: CaseContext, key: number) => Promise<boolean>;
  /** Member of an entry that identifies it: the name, or an id that the answer to the creation shows. */
  readonly key: "name" | "tagName" | "id";
  readonly complete: string;
  readonly counted?: string;
  /** What else shows the entries, and the requirements that this checks. */
  readonly beyond?: {
    readonly requirements: readonly string[];
    readonly verify: (context: CaseContext, created: readonly string[]) => Promise<void>;
  };
  /** That a role shows all of its users; the entries have the role of the administrator. */
  readonly holder?: string;
  /** Time after which the nightly run creates no more than the fewer entries. */
  readonly nightlyMs?: number;
}

const longLists: readonly LongList[] = [
  {
    list: "listRoles",
    touches: "accounts",
    entries: manyEntries,
    key: "name",
    complete: "CORE-ROLE-16",
    counted: "CORE-ROLE-15",
    isRemovable: ({ declares, profile }) => declares("roles") && profile.extensions.has("deleteRole"),
    async create(context, name) {
      const { gateway, profile } = context;
      const json = { name, description: "", permissions: profile.permissions.slice(0, 1) };
      const answer = await gateway.admin.call("createRole", { json });
      removeLater(context, answer, "deleteRole", "role");
      return answer;
    },
  },
  {
    list: "listUsers",
    touches: "accounts",
    entries: userEntries,
    nightlyMs: usersWithinMs,
    key: "name",
    complete: "CORE-USER-16",
    counted: "CORE-USER-15",
    holder: "CORE-ROLE-11",
    isRemovable: ({ declares, profile }) => declares("users") && profile.extensions.has("deleteUser"),
    async create(context, name) {
      const { gateway, profile } = context;
      const { roles } = (await gateway.admin.call("getCurrentUser")).data();
      const json = {
        name,
        password: `Long-${name.slice(-10)}1!`,
        isActive: false,
        expiredAfter: farFuture,
        roles: roleReferences(
          profile,
          roles.slice(0, 1).map(({ id }) => id),
        ),
      };
      const answer = await gateway.admin.callInvalid("addUser", { json });
      removeLater(context, answer, "deleteUser", "user");
      return answer;
    },
  },
  {
    list: "listTags",
    touches: "virtual-tags",
    entries: tagEntries,
    key: "tagName",
    complete: "CORE-TAG-27",
    beyond: {
      requirements: [48, 49, 51, 52, 57, 61].map((number) => `CORE-TAG-${number}`),
      verify: verifyManyTags,
    },
    isRemovable: ({ declares }) => declares("tags") && declares("virtual-tags"),
    async create({ gateway, profile, scratch }, tagName) {
      const name = { prvdName: profile.virtualTags.provider, srcName: profile.virtualTags.source, tagName };
      const json = { ...name, dataType: "uint8", access: "rw" } as const;
      const answer = await gateway.admin.call("createVirtualTag", { json });
      if (answer.accepted) scratch.removeTagLater(name);
      return answer;
    },
  },
  {
    list: "listUpgradeJobs",
    touches: "upgrade-jobs",
    entries: fewerEntries,
    key: "id",
    complete: "CORE-UPGRADE-66",
    counted: "CORE-UPGRADE-47",
    isRemovable: ({ declares, profile }) =>
      declares("upgrade-jobs") && profile.extensions.has("deleteUpgradeJob"),
    create: createWaitingJob,
    isStored: async ({ gateway }, id) =>
      (await gateway.admin.call("getUpgradeJob", { path: { id } })).accepted,
  },
];

/** State and creation of the upgrade jobs that have not ended, by id. */
async function unended({ gateway: { admin } }: CaseContext): Promise<Map<unknown, string>> {
  const jobs = (await admin.call("listUpgradeJobs")).data().filter((job) => !isOver(job));
  return new Map(jobs.map((job) => [job.id, marks(job)]));
}

/** The same, once it does not change any more: a job may wait for its time only after it was created. */
async function unendedAtRest(context: CaseContext): Promise<Map<unknown, string>> {
  let last = await unended(context);
  const isAtRest = async (): Promise<true | undefined> => {
    const before = last;
    last = await unended(context);
    return sameValue([...before], [...last]) || undefined;
  };
  const limits = { deadlineMs: atRestWithinMs, everyMs: 100 };
  await context.waitFor("the same states of all jobs twice", isAtRest, limits).catch(() => undefined);
  return last;
}

const stateIn = (marked: string): string => marked.slice(0, marked.lastIndexOf(" "));

const marks = ({ state, createdAt }: { state: string; createdAt: string | null }): string =>
  `${state} ${createdAt === null ? "" : Math.round(epochMsOf(createdAt) / 1000)}`;

/**
 * Checks that List jobs has all of the created jobs of a state, or none. Which jobs are background jobs is not stated: where
 * one that has not ended is among them, so are all of its state. A `resourceID` may be of something else: there must be too
 * few entries, too.
 */
async function verifyJobs(context: CaseContext, created: readonly unknown[]): Promise<void> {
  const verify = context.verify("CORE-APP-45");
  const what = "number of unended upgrade jobs of the case in List jobs, which shows some of their state";
  if (!context.declares("apps")) return verify.notApplicable(what, "the profile declares no apps");
  const before = await unendedAtRest(context);
  const answer = await context.gateway.admin.call("listJobs");
  const after = await unended(context);
  const lasting = created.filter((id) => before.has(id) && before.get(id) === after.get(id));
  const jobs = answer.data();
  const shown = jobs.filter(
    (job) => lasting.includes(job.resourceID) && marks(job) === after.get(job.resourceID),
  );
  if (shown.length === 0) return verify.notApplicable(what, "it shows none by `resourceID` and `createdAt`");
  const states = new Set(shown.map(({ state }) => state));
  const owed = lasting.filter((id) => states.has(stateIn(after.get(id) ?? "")));
  verify.that(shown.length >= owed.length || jobs.length >= owed.length, {
    what,
    expected: `at least ${owed.length}`,
    observed: shown.length,
    evidence: answer,
  });
}

/** The words of an operation's id, in small letters. */
function wordsOf(operation: OperationId): string[] {
  return operation.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}

/** One case a list: they share no state and run at the same time. */
export const longListCases: readonly TestCase[] = longLists.map((one) =>
  testCase({
    id: `general/long-list-of-${wordsOf(one.list).slice(1).join("-")}`,
    title: `${wordsOf(one.list).join(" ").replace("list", "List")} returns every entry of a long list once`,
    group: "general",
    requirements: [
      one.complete,
      ...[one.counted, one.holder].filter((id) => id !== undefined),
      ...(one.beyond?.requirements ?? []),
      ...(one.list === "listUpgradeJobs" ? ["CORE-APP-45"] : []),
    ],
    effect: "reversible",
    touches: [one.touches],
    deadlineMs: 240_000,
    async run(context) {
      const { clock, gateway, level, note, notApplicable, scratch, verify } = context;
      const { list, key, complete, counted, holder } = one;
      if (!one.isRemovable(context))
        return notApplicable("the gateway does not offer to create and remove such entries");
      const wanted = Array.from({ length: one.entries[level] }, () => scratch.name("many"));
      const least = Math.min(wanted.length, fewerEntries[level]);
      const startedMs = clock.nowMs();
      const create = async (name: string) => ({ name, answer: await one.create(context, name) });
      const answers = await inParallel(wanted.slice(0, least), createdAtOnce, create);
      const mayTakeMs = level === "nightly" ? (one.nightlyMs ?? Infinity) : Infinity;
      await inParallel(wanted.slice(least), createdAtOnce, async (name) => {
        if (clock.nowMs() - startedMs < mayTakeMs) answers.push(await create(name));
      });
      const created = answers.flatMap(({ name, answer }) =>
        answer.accepted ? [key === "id" ? valueAt(answer.json, "data.id") : name] : [],
      );
      // How many entries a gateway stores is not stated.
      if (created.length < answers.length)
        note(`${created.length} of ${answers.length} entries were accepted by the gateway`);
      if (list === "listUpgradeJobs") await verifyJobs(context, created);
      const answer = await gateway.admin.call(list);
      const entries: readonly object[] = answer.data();
      const shown = Map.groupBy(entries, (entry) => valueAt(entry, key));
      const otherwise: unknown[] = [];
      for (const entry of created) {
        const times = shown.get(entry)?.length ?? 0;
        const isGone = times === 0 && (await one.isStored?.(context, Number(entry))) === false;
        if (times !== 1 && !isGone) otherwise.push(entry);
      }
      verify(complete).equal(
        otherwise,
        [],
        `entries that ${list} does not show exactly once, out of ${created.length} created`,
        answer,
      );
      verify(complete).equal(
        repeatedEntries(answer.json).slice(0, 3),
        [],
        `entries that ${list} shows twice`,
        answer,
      );
      await one.beyond?.verify(context, created.map(String));
      if (counted !== undefined) {
        const body: unknown = answer.json;
        const count = typeof body === "object" && body !== null && "count" in body ? body.count : undefined;
        verify(counted).equal(count, entries.length, `\`count\` of ${list}`, answer);
      }
      if (holder === undefined) return;
      const [role] = (await gateway.admin.call("getCurrentUser")).data().roles;
      if (!context.declares("roles") || role === undefined)
        return verify(holder).notApplicable("`users` of a role", "the administrator has no role");
      const seen = await gateway.admin.call("getRole", { path: { id: role.id } });
      const users = Map.groupBy(seen.data().users, ({ name }): unknown => name);
      verify(holder).equal(
        created.filter((name) => users.get(name)?.length !== 1),
        [],
        `users that \`users\` of their role does not show exactly once, out of ${created.length} created`,
        seen,
      );
    },
  }),
);
