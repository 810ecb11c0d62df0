// What the cases about roles, users and sign-in share: bodies, comparisons, and who else is there.
import {
  type Answer,
  type CaseContext,
  type GatewayUnderTest,
  type Profile,
  type ScratchUser,
  type Session,
  scratchPrefix,
} from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { Role } from "../../interface/resources/roles.ts";
import type { User } from "../../interface/resources/users.ts";

/** An expiry that no run of the suite reaches. */
export const farFuture = "2099-12-31T23:59:59Z";
/** An expiry that has passed on every gateway whose clock was ever set. */
export const longPast = "2001-02-03T04:05:06Z";

/** The texts in one order and without repetitions, to compare lists whose order the interface leaves open. */
export function asSet(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

/** References in the order of their ids. */
export function byId<T extends { id: number }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => a.id - b.id);
}

export function idsOf(entries: readonly { id: number }[]): number[] {
  return byId(entries).map((entry) => entry.id);
}

/** Whether two RFC 3339 texts name the same instant, whatever their offset and fraction. */
export function isSameInstant(a: string | null, b: string): boolean {
  return a !== null && Date.parse(a) === Date.parse(b);
}

/** Roles the way this gateway takes them, for bodies that are sent as they are. */
export function roleReferences(profile: Profile, ids: readonly number[]): unknown[] {
  return profile.roleReferences === "objects" ? ids.map((id) => ({ id })) : [...ids];
}

/** The permissions a user needs for the operations on this gateway. */
export function permissionsFor(profile: Profile, ...operations: readonly OperationId[]): string[] {
  const needed = operations.map((operation) => profile.binding.get(operation)?.permission ?? "none");
  return asSet(needed.filter((permission) => permission !== "none" && permission !== "signed-in"));
}

/** An id that no entry of the list has. */
export function unusedId(entries: readonly { id: number }[]): number {
  const highest = Math.max(0, ...entries.map((entry) => Number(entry.id)));
  return highest < 2_000_000_000 ? highest + 100_003 : 2_147_483_646;
}

/** What two views of the same role must agree on, in a form that can be compared. */
export function roleFacts({ id, name, description, permissions, users }: Role): object {
  return { id, name, description, permissions: asSet(permissions), users: byId(users).map(reference) };
}

/** What two views of the same user must agree on; loginAt changes with every sign-in and is left out. */
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

function reference({ id, name }: { id: number; name: string }): object {
  return { id, name };
}

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

/**
 * The roles a case must leave as they are: those that are not the suite's, and `mine`. Scratch roles and users of
 * cases that run at the same time come and go.
 */
export async function otherRoles(
  gateway: GatewayUnderTest,
  mine: readonly number[] = [],
): Promise<Map<number, object>> {
  const roles = (await gateway.admin.call("listRoles")).data();
  const kept = roles.filter((role) => mine.includes(role.id) || !role.name.startsWith(scratchPrefix));
  return new Map(
    kept.map((role) => [
      role.id,
      roleFacts({ ...role, users: role.users.filter((user) => !user.name.startsWith(scratchPrefix)) }),
    ]),
  );
}

/** The users a case must leave as they are: those that are not the suite's, and `mine`. */
export async function otherUsers(
  gateway: GatewayUnderTest,
  mine: readonly number[] = [],
): Promise<Map<number, object>> {
  const users = (await gateway.admin.call("listUsers")).data();
  const kept = users.filter((user) => mine.includes(user.id) || !user.name.startsWith(scratchPrefix));
  return new Map(kept.map((user) => [user.id, userFacts(user)]));
}

/** Creates a role with any body; what came of it is removed when the case ends. */
export async function createRole(context: CaseContext, json: object): Promise<Answer<"createRole">> {
  const answer = await context.gateway.admin.callInvalid("createRole", { json });
  removeLater(context, answer, "deleteRole", "role");
  return answer;
}

/** Adds a user with any body; whoever came of it is removed, or put out of use, when the case ends. */
export async function addUser(context: CaseContext, json: object): Promise<Answer<"addUser">> {
  const answer = await context.gateway.admin.callInvalid("addUser", { json });
  removeLater(context, answer, "deleteUser", "user");
  return answer;
}

/** Registers the removal of the role or user that an answer shows as made. */
export function removeLater(
  { gateway, profile, scratch }: CaseContext,
  answer: Answer,
  extension: "deleteRole" | "deleteUser" | "deleteUpgradeJob",
  kind: string,
): void {
  const id = madeId(answer);
  if (id === undefined) return;
  if (profile.extensions.has(extension)) {
    scratch.undo(`${kind} ${id}`, () => gateway.admin.callExtension(extension, { path: { id } }));
  } else if (extension === "deleteUser") {
    scratch.undo(`${kind} ${id}`, () =>
      gateway.admin.call("updateUser", { path: { id }, json: { isActive: false } }),
    );
  }
}

function madeId(answer: Answer): number | undefined {
  const body = answer.accepted ? answer.json : undefined;
  if (typeof body !== "object" || body === null || !("data" in body)) return undefined;
  const { data } = body;
  if (typeof data !== "object" || data === null || !("id" in data)) return undefined;
  return typeof data.id === "number" ? data.id : undefined;
}

/**
 * Signs the user in and makes sure that the gateway takes the caller for this user: on one that does not, what the
 * caller does to the own record would be done to somebody else's, perhaps the administrator's. Unmet otherwise.
 */
export async function signInAsSelf({ unmet }: CaseContext, user: ScratchUser): Promise<Session> {
  const session = await user.signIn();
  const { id } = (await session.call("getCurrentUser")).data();
  return id === user.id ? session : unmet(`the gateway takes ${user.name} for the user ${id}`);
}
