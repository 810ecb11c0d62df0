// Shared by the cases about roles, users and sign-in: request bodies, comparable views, snapshots of other accounts.
import {
  type Answer,
  type CaseContext,
  type GatewayUnderTest,
  type Profile,
  type ScratchUser,
  type Session,
  type Verify,
  objectOf,
  scratchPrefix,
} from "../../harness/index.ts";
import { type PermissionWays, permits } from "../../interface/authorisation.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { Role } from "../../interface/resources/roles.ts";
import { neverLoggedIn, type User } from "../../interface/resources/users.ts";
import { isInteger } from "../../record/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { isSuspended } from "../../interface/states.ts";

/** An expiry later than any run of the suite. */
export const farFuture = "2099-12-31T23:59:59Z";
/** One that neither 32 bits of seconds nor 64 bits of nanoseconds hold. */
export const beyondNanoseconds = "2345-06-07T08:09:10Z";
/** An expiry in the past of any gateway whose clock was set once. */
export const longPast = "2001-02-03T04:05:06Z";

/** The texts sorted and without duplicates, because the interface does not state their order. */
export function asSet(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

/** The entries sorted by id, because the interface does not state their order. */
export function byId<T extends { id: number }>(entries: readonly T[]): T[] {
  // Not by subtraction: ids beyond 2^53 are bigint.
  return entries.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}

export function idsOf(entries: readonly { id: number }[]): number[] {
  return byId(entries).map((entry) => entry.id);
}

/** Whether two RFC 3339 texts denote the same instant; offset and fraction may differ. */
export function isSameInstant(a: string | null, b: string): boolean {
  return a !== null && epochMsOf(a) === epochMsOf(b);
}

/** Role references in the form that the profile declares, for bodies sent without conversion. */
export function roleReferences(profile: Profile, ids: readonly number[]): unknown[] {
  return profile.roleReferences === "objects" ? ids.map((id) => ({ id })) : [...ids];
}

/** Permissions that suffice for all of the operations, as the profile declares them. */
export function permissionsFor(profile: Profile, ...operations: readonly OperationId[]): string[] {
  return asSet(operations.flatMap((operation) => waysInto(profile, operation)[0] ?? []));
}

/** The permissions of which the operation needs one set; none where every signed-in user may call it. */
export function waysInto(profile: Profile, operation: OperationId): PermissionWays {
  const permission = profile.binding.get(operation)?.permission ?? "none";
  return typeof permission === "string" ? [] : permission;
}

/** Whether the operation needs permissions that are not among these. */
export function needsAnother(profile: Profile, operation: OperationId, held: readonly string[]): boolean {
  const ways = waysInto(profile, operation);
  return ways.length > 0 && !permits(ways, new Set(held));
}

/** Each smallest set of permissions without which nobody may call the operation: one of every way. */
export function gatesOf(profile: Profile, operation: OperationId): string[][] {
  const ways = waysInto(profile, operation);
  if (ways.length === 0) return [];
  const gates = ways.reduce<string[][]>(
    (chosen, way) => chosen.flatMap((gate) => way.map((one) => asSet([...gate, one]))),
    [[]],
  );
  return [...new Map(gates.map((gate) => [gate.join(), gate])).values()];
}

/** An id that no listed entry has. */
export function unusedId(entries: readonly { id: number }[]): number {
  const highest = Math.max(0, ...entries.map((entry) => Number(entry.id)));
  return highest < 2_000_000_000 ? highest + 100_003 : 2_147_483_646;
}

/** Texts in place of an id that an id of the list begins, or is what is left of them in 16, 32 or 64 bits. */
export function likeIds(entries: readonly { id: number }[], id: number): string[] {
  const known = new Set(entries.map((entry) => String(entry.id)));
  const further = [2n ** 16n, 2n ** 32n, 2n ** 64n].map((more) => String(BigInt(id) + more));
  return [`${id}abc`, `${id}.5`, ...further.filter((one) => !known.has(one))];
}

/** The members that two views of the same role must agree on, in a comparable form. */
export function roleFacts({ id, name, description, permissions, users }: Role): object {
  return { id, name, description, permissions: asSet(permissions), users: byId(users).map(reference) };
}

/** The facts of a listed user, with createdAt, which the user in the answer of Sign in does not have. */
export function listedUserFacts(user: User): object {
  return { ...userFacts(user), createdAt: instant(user.createdAt) };
}

/** The facts of a user that a change of the password does not change. */
export function factsBesidePassword(user: User): object {
  return listedUserFacts({ ...user, changedPasswordAt: null });
}

/** The members that two views of the same user must agree on; loginAt is left out because every sign-in changes it. */
export function userFacts(user: Omit<User, "createdAt">): object {
  const { id, name, email, isActive, expiredAfter, changedPasswordAt, permissions, roles } = user;
  return {
    id,
    name,
    email,
    isActive,
    expiredAfter: instant(expiredAfter),
    changedPasswordAt: instant(changedPasswordAt),
    permissions: asSet(permissions),
    roles: byId(roles).map(reference),
  };
}

/**
 * Waits until Get user and List users show another sign-in than the former one; whether Get user does. A gateway may store
 * the time after it answered the sign-in, and a list may follow later.
 */
export async function showsSignIn(
  { gateway: { admin }, profile, waitFor }: Pick<CaseContext, "gateway" | "profile" | "waitFor">,
  id: number,
  formerAt: string = neverLoggedIn,
): Promise<boolean> {
  const { settleMs: deadlineMs } = profile.patience;
  const isShown = (by: string, loginAt: () => Promise<string | undefined>): Promise<boolean> =>
    waitFor(
      `a sign-in of user ${id} to be shown by ${by}`,
      async () => (isSameInstant((await loginAt()) ?? formerAt, formerAt) ? undefined : true),
      { deadlineMs },
    ).catch(() => false);
  const isOfUser = await isShown(
    "Get user",
    async () => (await admin.call("getUser", { path: { id } })).data().loginAt,
  );
  if (isOfUser)
    await isShown(
      "List users",
      async () => (await admin.call("listUsers")).data().find((user) => user.id === id)?.loginAt,
    );
  return isOfUser;
}

/** A case that creates a user uses it within this time. */
const usedWithinMs = 5 * 60_000;
/** More than a run takes, and than offsets of time zones differ. */
const dayMs = 24 * 3_600_000;

/**
 * Checks that a user has the timestamp close to the time of the answer and, where the case added the user, to its
 * `createdAt`: all come from the gateway's clock.
 */
export function verifyRecent(
  verify: Verify,
  answer: Answer<"getUser">,
  member: "loginAt" | "changedPasswordAt",
  { isNew }: { readonly isNew: boolean },
): void {
  const user = answer.data();
  const date = answer.headers["date"] ?? "";
  // A proxy may have added the header: the clock of a gateway may never have been set.
  const isOfClock = Math.abs(epochMsOf(date) - epochMsOf(user.createdAt)) < dayMs;
  if (!isNew && !isOfClock)
    verify.notApplicable(`time of \`${member}\``, "no header Date shows the gateway's time");
  for (const [from, text] of [
    ...(isNew ? [["createdAt", user.createdAt] as const] : []),
    ...(isOfClock ? [["Date of the answer", date] as const] : []),
  ] as const) {
    const apartMs = epochMsOf(user[member] ?? "") - epochMsOf(text);
    verify.that(Math.abs(apartMs) <= usedWithinMs, {
      what: `\`${member}\` of a user who did that less than ${usedWithinMs / 60_000} min before`,
      expected: `${text} (${from}), at most ${usedWithinMs / 60_000} min earlier or later`,
      observed: user[member],
      evidence: answer,
    });
  }
}

/** A long address within the limits of RFC 5321; one that is cut anywhere behind the first label stays an address. */
export const longEmail = `${"long".repeat(8)}@${`${"label".repeat(3)}.`.repeat(13)}org`;

/** Whether the `data` of the answer has a member that the interface does not list there; `path`: dotted. */
export function presence(answer: Answer, path: string): "present" | "absent" {
  const names = ["data", ...path.split(".")];
  const found = names.reduce<unknown>((inner, name) => objectOf(inner)?.[name], answer.json);
  return found === undefined ? "absent" : "present";
}

function reference({ id, name }: { id: number; name: string }): object {
  return { id, name };
}

function instant(text: string | null): number | null {
  return text === null ? null : epochMsOf(text);
}

/**
 * The roles that a case must not change: all that the suite did not create, and `mine`. Scratch accounts of parallel
 * cases are left out, and so are the users of a role that is not `mine`: other clients may work on the gateway.
 */
export async function otherRoles(
  gateway: GatewayUnderTest,
  mine: readonly number[] = [],
): Promise<Map<number, object>> {
  const roles = (await gateway.admin.call("listRoles")).data();
  const watched = roles.filter((role) => mine.includes(role.id) || !role.name.startsWith(scratchPrefix));
  return new Map(
    byId(watched).map((role) => [
      role.id,
      roleFacts({
        ...role,
        users: mine.includes(role.id)
          ? role.users.filter((user) => !user.name.startsWith(scratchPrefix))
          : [],
      }),
    ]),
  );
}

/** Those without a name, as a request without one may create them. */
export function nameless(accounts: ReadonlyMap<number, object>): object[] {
  return [...accounts.values()].filter(
    (one) => "name" in one && ["", "null", "undefined"].includes(String(one.name)),
  );
}

/**
 * Checks that the roles or users are unchanged. Of those that are not `mine`, the ones in both are compared: other clients
 * may create and remove accounts meanwhile.
 */
export function verifyUnchanged(
  decided: ReturnType<CaseContext["verify"]>,
  [before, after]: readonly [before: ReadonlyMap<number, object>, after: ReadonlyMap<number, object>],
  mine: readonly number[],
  what: string,
): void {
  const shared = (one: ReadonlyMap<number, object>, other: ReadonlyMap<number, object>): object[] =>
    [...one].flatMap(([id, facts]) => (other.has(id) || mine.includes(id) ? facts : []));
  decided.equal(shared(after, before), shared(before, after), what);
}

/** The users that a case must not change: all that the suite did not create, and `mine`. */
export async function otherUsers(
  gateway: GatewayUnderTest,
  mine: readonly number[] = [],
): Promise<Map<number, object>> {
  const users = (await gateway.admin.call("listUsers")).data();
  const watched = users.filter((user) => mine.includes(user.id) || !user.name.startsWith(scratchPrefix));
  return new Map(byId(watched).map((user) => [user.id, listedUserFacts(user)]));
}

/** Creates a role with any body; a created role is removed when the case ends. */
export async function createRole(context: CaseContext, json: object): Promise<Answer<"createRole">> {
  const answer = await context.gateway.admin.callInvalid("createRole", { json });
  removeLater(context, answer, "deleteRole", "role");
  return answer;
}

/** Adds a user with any body; a created user is removed, or set inactive, when the case ends. */
export async function addUser(context: CaseContext, json: object): Promise<Answer<"addUser">> {
  const answer = await context.gateway.admin.callInvalid("addUser", { json });
  removeLater(context, answer, "deleteUser", "user");
  return answer;
}

/** Registers the removal of the role, user or job that the answer reports as created. */
export function removeLater(
  context: CaseContext,
  answer: Answer,
  extension: "deleteRole" | "deleteUser" | "deleteUpgradeJob",
  kind: string,
): void {
  const { profile, scratch } = context;
  const made = created(answer);
  if (made === undefined) return;
  const { id, name } = made;
  if (profile.extensions.has(extension)) scratch.undo(`${kind} ${id}`, () => removed(context, extension, id));
  else if (extension !== "deleteUpgradeJob")
    scratch.leaveLater(extension === "deleteRole" ? "role" : "user", { id, name });
}

/**
 * Removes the thing; a job that is still being canceled, as soon as it is. Undefined for a job that the gateway has removed
 * itself, and for one that has ended and stays: how many it stores, and how long, is not stated.
 */
export async function removed(
  { gateway, waitFor, profile }: Pick<CaseContext, "gateway" | "waitFor" | "profile">,
  extension: "deleteRole" | "deleteUser" | "deleteUpgradeJob",
  id: number,
): Promise<Answer | undefined> {
  if (gateway.hasRemoved(extension, id)) return undefined;
  const { admin } = gateway;
  const remove = (): Promise<Answer> => admin.callExtension(extension, { path: { id } });
  const answer = await remove();
  if (extension !== "deleteUpgradeJob" || answer.accepted) return answer;
  const job = await admin.call("getUpgradeJob", { path: { id } });
  if (job.status === 404) return undefined;
  const stateNow = async (): Promise<string> => {
    const now = await admin.call("getUpgradeJob", { path: { id } });
    return now.accepted ? now.data().state : "";
  };
  const state = await stateNow();
  if (!state.endsWith("ing")) return state === "created" || isSuspended(state) ? answer : undefined;
  const hasEnded = async (): Promise<true | undefined> =>
    (await stateNow()).endsWith("ing") ? undefined : true;
  const { settleMs: deadlineMs } = profile.patience;
  await waitFor(`the end of upgrade job ${id}`, hasEnded, { deadlineMs }).catch(() => undefined);
  return remove();
}

/** The id as it came: beyond 2^53 it is no number. */
function created(answer: Answer): { readonly id: number; readonly name: string } | undefined {
  const body = answer.accepted ? answer.listed : undefined;
  if (typeof body !== "object" || body === null || !("data" in body)) return undefined;
  const { data } = body;
  if (typeof data !== "object" || data === null || !("id" in data)) return undefined;
  const name = "name" in data && typeof data.name === "string" ? data.name : "";
  return isInteger(data.id) ? { id: data.id as number, name } : undefined;
}

/**
 * Signs the user in and verifies with Get current user that the session is this user's: with another session, a change
 * of "the current user" could change the administrator. Unmet otherwise.
 */
export async function signInAsSelf(
  { unmet }: CaseContext,
  user: Pick<ScratchUser, "id" | "name" | "signIn">,
): Promise<Session> {
  const session = await user.signIn();
  const { id } = (await session.call("getCurrentUser")).data();
  return id === user.id
    ? session
    : unmet(`Get current user returned the user with id ${id} to ${user.name}, whose id is ${user.id}`);
}
