// Things that a case creates through the interface and reads again later: after a reboot, or after a reset of scopes
// that do not own them.
import { type CaseContext, sameValue } from "../../harness/index.ts";
import { maxTagDataSize, maxTagUnitLength, type Tag } from "../../interface/resources/tags.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { severities } from "../../interface/resources/events.ts";
import { dateTimeText } from "./dateTime.ts";
import { Unmet } from "../../record/index.ts";
import { beyondAscii, firstAccepted, withAndWithout } from "./acceptedTexts.ts";
import { tagCreatedAgain } from "./createdAgain.ts";
import { heldRoles } from "./heldRoles.ts";
import { entryMarks } from "./entryCategories.ts";
import { canceledJob, createWaitingJob } from "./waitingJobs.ts";
import { keepListed } from "../../interface/schema/listedMembers.ts";
import { CrontabFields } from "../../interface/resources/reboot.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { keyOf, type Name, nameOf, updateTag } from "./virtualTag.ts";
import { permissionsFor, showsSignIn, signInAsSelf } from "../users/accounts.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

export type CreatedKind =
  | "role"
  | "updated role"
  | "user"
  | "user with two roles"
  | "signed-in user"
  | "changed password"
  | "own password"
  | "own record"
  | "virtual tag"
  | "updated virtual tag"
  | "virtual tag created again"
  | "event"
  | "upgrade job";

/** One created thing. */
export interface CreatedThing {
  readonly kind: CreatedKind;
  /** What is compared, as a noun phrase. */
  readonly what: string;
  readonly expected: unknown;
  /** The same part as it is now; `absent` when the thing is not listed. */
  readonly read: () => Promise<unknown>;
  /** Absent where the interface shows no operation that deletes it. */
  readonly delete?: () => Promise<unknown>;
}

type RoleTexts = NonNullable<Parameters<CaseContext["scratch"]["role"]>[1]>;
/** `expected`: what a reading shows that would itself change what the gateway stores. */
type Maker = (
  context: CaseContext,
) => Promise<Omit<CreatedThing, "kind" | "expected"> & { readonly expected?: unknown }>;

/** The instant of a timestamp, which may be written in another offset later. */
function instant(time: string | null): number | null {
  return time === null ? null : epochMsOf(time);
}

/** Each access and further data types, with the limits of the other members. */
const otherTags = [
  { dataType: "double", access: "r", dataSize: 0, dataUnit: "u".repeat(maxTagUnitLength) },
  { dataType: "string", access: "w", dataSize: maxTagDataSize, dataUnit: "" },
  { dataType: "boolean", access: "rw", dataSize: 1, dataUnit: "説" },
] as const;

const tagMembers = ({ dataType, dataSize, dataUnit, access }: Tag): object => ({
  dataType,
  dataSize,
  dataUnit,
  access,
});

/** Sign-ins after a change of the password; they are read once only, because a sign-in may store it. */
function changedPassword(
  { gateway: { anonymous } }: CaseContext,
  name: string,
  { newPassword, password }: { newPassword: string; password: string },
): Awaited<ReturnType<Maker>> {
  const isAccepted = async (one: string): Promise<boolean> =>
    (await anonymous.call("signIn", { json: { name, password: one } })).accepted;
  return {
    what: "sign-ins of a user with the changed and the former password",
    expected: { changed: "accepted", former: "rejected" },
    async read() {
      // A rejected sign-in counts towards a lock: the former password only where the changed one signs in.
      if (!(await isAccepted(newPassword))) return { changed: "rejected" };
      return { changed: "accepted", former: (await isAccepted(password)) ? "accepted" : "rejected" };
    },
  };
}

const makers: Readonly<Record<CreatedKind, Maker>> = {
  async role({ gateway: { admin }, scratch, profile }) {
    const attempts: readonly [RoleTexts, ...RoleTexts[]] = [
      { name: ` ${beyondAscii}`, description: ` ${beyondAscii}` },
      { description: ` ${beyondAscii}` },
      {},
    ];
    const { id } = await firstAccepted((texts) => scratch.role(profile.permissions, texts), attempts);
    return {
      what: "name, description and permissions of a created role",
      async read() {
        const listed = (await admin.call("listRoles")).data().filter((one) => one.id === id).length;
        if (listed === 0) return "absent";
        const { name, description, permissions } = (await admin.call("getRole", { path: { id } })).data();
        return { name, description, permissions: permissions.toSorted(), listed };
      },
    };
  },
  async user({ gateway: { admin }, scratch }) {
    const user = await firstAccepted((suffix) => scratch.user({ suffix }), withAndWithout);
    const path = { id: user.id };
    const json = { expiredAfter: "2093-04-05T06:07:08Z", isActive: false, roles: [user.roleId] };
    await firstAccepted(async (text) => {
      const email = `rp.created${text.trim()}@example.org`;
      (await admin.call("updateUser", { path, json: { ...json, email } })).body();
    }, withAndWithout);
    return {
      what: "name, email, expiry, state, permissions and roles of an added user",
      async read() {
        const listed = (await admin.call("listUsers")).data().filter((one) => one.id === user.id).length;
        if (listed === 0) return "absent";
        const one = (await admin.call("getUser", { path })).data();
        const { name, email, isActive, permissions, roles } = one;
        return {
          name,
          email,
          isActive,
          permissions: permissions.toSorted(),
          roles: roles.map(({ id }) => ({ id })),
          expiredAfter: instant(one.expiredAfter),
          listed,
        };
      },
    };
  },
  "user with two roles": heldRoles,
  async "updated role"({ gateway: { admin }, scratch, profile }) {
    const { id } = await scratch.role([]);
    const json = {
      name: scratch.name("role"),
      description: "another text",
      permissions: profile.permissions.slice(-1),
    };
    (await admin.call("updateRole", { path: { id }, json })).body();
    return {
      what: "name, description and permissions of an updated role",
      async read() {
        const { name, description, permissions } = (await admin.call("getRole", { path: { id } })).data();
        return { name, description, permissions };
      },
    };
  },
  async "changed password"(context) {
    const { id, name, password } = await context.scratch.user();
    const newPassword = `Np-${context.random.word(12)}2!`;
    const json = { newPassword };
    (await context.gateway.admin.call("updateUserPassword", { path: { id }, json })).body();
    return changedPassword(context, name, { newPassword, password });
  },
  async "own password"(context) {
    const permissions = permissionsFor(context.profile, "updateCurrentUserPassword", "getCurrentUser");
    const user = await context.scratch.user({ permissions });
    const json = { newPassword: `Np-${context.random.word(12)}3!`, oldPassword: user.password };
    (await (await signInAsSelf(context, user)).call("updateCurrentUserPassword", { json })).body();
    return changedPassword(context, user.name, { ...json, password: user.password });
  },
  async "own record"(context) {
    const { gateway, profile, scratch } = context;
    const permissions = permissionsFor(profile, "updateCurrentUser", "updateUser", "getCurrentUser");
    const user = await scratch.user({ permissions });
    const json = { email: "own.record@example.org" };
    (await (await signInAsSelf(context, user)).call("updateCurrentUser", { json })).body();
    const path = { id: user.id };
    return {
      what: "`email` of a user who updated their own record",
      async read() {
        const { email } = (await gateway.admin.call("getUser", { path })).data();
        return email;
      },
    };
  },
  async "signed-in user"(context) {
    const { admin } = context.gateway;
    const { id, signIn } = await context.scratch.user();
    const { loginAt } = (await admin.call("getUser", { path: { id } })).data();
    await signIn();
    await showsSignIn(context, id, loginAt);
    return {
      what: "`createdAt`, `loginAt` and `changedPasswordAt` of a user after a sign-in",
      async read() {
        if (!(await admin.call("listUsers")).data().some((one) => one.id === id)) return "absent";
        const user = (await admin.call("getUser", { path: { id } })).data();
        return {
          createdAt: instant(user.createdAt),
          loginAt: instant(user.loginAt),
          changedPasswordAt: instant(user.changedPasswordAt),
        };
      },
    };
  },
  async "virtual tag"(context) {
    const { admin } = context.gateway;
    const { scratch } = context;
    const json = { dataType: "uint64", dataValue: 2n ** 64n - 1n } as const;
    const tag = await firstAccepted(async (suffix) => {
      const size = { dataType: "uint64", dataSize: 8, dataUnit: "°C/h" } as const;
      const made = await scratch.virtualTag({ ...size, access: "rw", suffix });
      const write = await admin.call("writeTag", { path: made.path, json });
      if (!write.accepted) write.body();
      return made;
    }, withAndWithout);
    const others: Name[] = [];
    for (const part of otherTags) others.push(await scratch.virtualTag(part));
    // Whether clients may name a source or provider of their own is not stated.
    for (const part of [{ srcName: "rp-other" }, { prvdName: "rp-own" }]) {
      const json = { ...nameOf(tag), dataType: "int32", access: "rw", ...part } as const;
      context.scratch.removeTagLater(json);
      if ((await admin.call("createVirtualTag", { json })).accepted) others.push(json);
    }
    return {
      what: "list entries of created virtual tags, dataType of a value, and acceptance of a write",
      delete: () => admin.call("deleteVirtualTag", { json: nameOf(tag) }),
      async read() {
        const tags = (await admin.call("listTags")).data();
        const entries = [tag, ...others].map((wanted) => tags.filter((one) => keyOf(one) === keyOf(wanted)));
        const [found, ...rest] = entries.map(([first]) => first);
        if (found === undefined) return "absent";
        const { prvdName, srcName, dataType, dataSize, dataUnit, access } = found;
        // Whether a value outlives a restart is not stated; its type is that of the tag.
        const value = await admin.call("readTag", { path: tag.path });
        const valueType = value.accepted ? value.body().dataType : dataType;
        const takesValues = (await admin.call("writeTag", { path: tag.path, json })).accepted;
        return {
          prvdName,
          srcName,
          dataType,
          dataSize,
          dataUnit,
          access,
          valueType,
          takesValues,
          others: rest.map((one) => one && tagMembers(one)),
          listed: entries.map(({ length }) => length),
        };
      },
    };
  },
  async "updated virtual tag"({ gateway, scratch }) {
    const { prvdName, srcName, tagName } = await scratch.virtualTag({ dataType: "uint8", dataUnit: "K" });
    const name = { prvdName, srcName, tagName };
    const json = { ...name, dataType: "int32", dataSize: 4, dataUnit: "m/s", access: "r" } as const;
    (await updateTag(gateway, json, "uint8")).answer.body();
    return {
      what: "list entry of an updated virtual tag",
      async read() {
        const found = (await gateway.admin.call("listTags"))
          .data()
          .find((one) => one.tagName === tagName && one.prvdName === prvdName && one.srcName === srcName);
        return found === undefined ? "absent" : tagMembers(found);
      },
    };
  },
  "virtual tag created again": tagCreatedAgain,
  async event(context) {
    const { gateway, random, clock } = context;
    const { admin } = gateway;
    const marks = await entryMarks(context);
    const own = `rp${random.word(8)}`;
    const made: { readonly category: string; readonly origin: string }[] = [];
    const texts = [` ${beyondAscii} "lines"\r\n\tend`, ...withAndWithout] as const;
    const short = texts.map((text) => ({ text, tail: "" }));
    // A store that reads its lines through a buffer loses a longer one, and everything behind it.
    const long = (times: number) => ({ text: texts[0], tail: " löng".repeat(times) });
    for (const [index, severity] of severities.entries())
      await firstAccepted(
        async ({ text, tail }) => {
          const offset = index === 0 ? "+05:30" : "Z";
          const json = {
            category: marks.category(text === "" ? own : `${own} ${beyondAscii}`),
            event: `${own} created${text}`,
            origin: marks.areOwn ? `${own} origin${text}` : `${own} origin`,
            message: `${own} message${text} \\ 'a' <b>%41&amp;${tail}`,
            severity,
            user: `${own} user${text}`,
            userOrigin: "192.0.2.77",
            // More than a second between them: a log may count in whole seconds.
            createdAt: dateTimeText(clock.epochMs() - 60_000 - index * 2000, offset, ".25"),
          };
          (await admin.call("createEvent", { json })).body();
          made.push(json);
        },
        index === 1 ? [long(13_000), long(790), ...short] : [{ text: texts[0], tail: "" }, ...short.slice(1)],
      );
    return {
      what: "log entries of the categories of created entries",
      async read() {
        const page = await admin.call("getEvents", { query: marks.query(...made) });
        const found = page
          .data()
          .map(({ id: _id, createdAt, ...record }) => ({ ...record, createdAt: instant(createdAt) }));
        return found.length < severities.length ? "absent" : found;
      },
    };
  },
  async "upgrade job"(context) {
    const { admin } = context.gateway;
    const { id } = (await createWaitingJob(context)).data();
    const canceled = await canceledJob(context);
    return {
      what: "owner, parameters and `createdAt` of a created upgrade job, and members of a canceled one",
      async read() {
        const [listed, ...again] = (await admin.call("listUpgradeJobs"))
          .data()
          .filter((one) => one.id === id);
        if (listed === undefined) return "absent";
        const found = (await admin.call("getUpgradeJob", { path: { id } })).data();
        const { owner, parameter } = found;
        const shown = ({ at, ...rest }: typeof parameter): object => ({
          ...rest,
          at: keepListed(CrontabFields, at),
        });
        const createdAt = instant(found.createdAt);
        const all = [listed, ...again].map((one) => shown(one.parameter));
        return { owner, parameter: shown(parameter), listed: all, createdAt, canceled: await canceled() };
      },
    };
  },
};

/** The operations that make it: a user is made with a role. */
const needs: Readonly<Record<CreatedKind, readonly OperationId[]>> = {
  role: ["createRole"],
  "updated role": ["createRole", "updateRole"],
  user: ["createRole", "addUser", "updateUser"],
  "user with two roles": ["createRole", "addUser", "updateUser"],
  "changed password": ["createRole", "addUser", "updateUserPassword"],
  "own password": ["createRole", "addUser", "updateCurrentUserPassword", "getCurrentUser"],
  "own record": ["createRole", "addUser", "updateCurrentUser", "getCurrentUser"],
  "signed-in user": ["createRole", "addUser"],
  "virtual tag": ["createVirtualTag"],
  "updated virtual tag": ["createVirtualTag", "updateVirtualTag"],
  "virtual tag created again": ["createVirtualTag", "deleteVirtualTag"],
  event: ["createEvent"],
  "upgrade job": ["createUpgradeJob"],
};

/**
 * Reads the thing until it is as expected, as long as a service may take to be ready after a restart; returns the last
 * reading.
 */
export async function laterReading(
  { clock, signal, profile }: CaseContext,
  { expected, read }: CreatedThing,
): Promise<unknown> {
  const startedMs = clock.nowMs();
  for (;;) {
    const isOver = clock.nowMs() - startedMs > profile.patience.settleMs;
    const reading = await read().catch((thrown: unknown) => {
      if (!(thrown instanceof Unmet) || isOver) throw thrown;
      return undefined;
    });
    if (isOver || sameValue(reading, expected)) return reading;
    await clock.delay(100, signal);
  }
}

/** Creates those of the kinds that the gateway offers, and reads each once for the comparison. */
export async function createThings(
  context: CaseContext,
  kinds: readonly CreatedKind[],
): Promise<CreatedThing[]> {
  const things: CreatedThing[] = [];
  for (const kind of kinds) {
    if (!needs[kind].every((operation) => isOffered(context.profile, operation))) continue;
    if (kind === "upgrade job" && !context.declares("upgrade-jobs")) continue;
    const made = await makers[kind](context);
    // A log may list an entry with a delay.
    const expected =
      made.expected ??
      (await context.waitFor(
        `a created ${kind} to be listed`,
        async () => {
          const seen = await made.read();
          return seen === "absent" ? undefined : seen;
        },
        { deadlineMs: context.profile.patience.settleMs },
      ));
    things.push({ kind, ...made, expected });
  }
  return things;
}
