// Updates of a user with one member alone: accepted; the members that are not sent stay as they are, but for an address that
// every such update empties.
import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { User } from "../../interface/resources/users.ts";
import { idsOf, isSameInstant, permissionsFor, signInAsSelf } from "./accounts.ts";

interface Update {
  readonly email?: string;
  readonly expiredAfter?: string;
  readonly isActive?: boolean;
  readonly roles?: number[];
}

interface Updated {
  readonly id: number;
  readonly update: (json: Update) => Promise<Answer<"updateUser" | "updateCurrentUser">>;
  /** The requirement that a body with the member alone is accepted, and that the member is stored. */
  readonly accepts: string;
  readonly stores: Readonly<Record<keyof Update, string>>;
}

const memberOf = (json: Update): keyof Update => Object.keys(json)[0] as keyof Update;

function isStored(seen: User, { email, expiredAfter, isActive, roles }: Update): boolean {
  if (email !== undefined) return seen.email === email;
  if (expiredAfter !== undefined) return isSameInstant(seen.expiredAfter, expiredAfter);
  if (isActive !== undefined) return seen.isActive === isActive;
  return idsOf(seen.roles).join() === (roles ?? []).toSorted((a, b) => a - b).join();
}

async function verifyEachAlone(
  { gateway, verify }: CaseContext,
  { id, update, accepts, stores }: Updated,
  steps: readonly Update[],
): Promise<void> {
  const standing = new Map<keyof Update, Update>();
  const withoutEmail: { readonly isEmpty: boolean; readonly decide: () => void }[] = [];
  for (const json of steps) {
    const answer = await update(json);
    if (!verify(accepts).accepted(answer)) continue;
    const member = memberOf(json);
    standing.set(member, json);
    const readBack = await gateway.admin.call("getUser", { path: { id } });
    const user = readBack.data();
    for (const [name, sent] of standing) {
      const decide = (): unknown =>
        verify(stores[name]).that(isStored(user, sent), {
          what: `the user after ${answer.operation} with ${member} alone`,
          expected: `${name === member ? "" : "still "}${JSON.stringify(sent)}`,
          observed: user,
          evidence: readBack,
        });
      if (name === "email" && member !== "email") withoutEmail.push({ isEmpty: !user.email, decide });
      else decide();
    }
  }
  // Whether the address, which a user need not have, may be left out to remove it is not stated.
  if (withoutEmail.length > 1 && withoutEmail.every(({ isEmpty }) => isEmpty))
    verify(stores.email).notApplicable("`email` after updates without it", "each of them empties it");
  else for (const { decide } of withoutEmail) decide();
}

const shared = {
  group: "users",
  effect: "reversible",
  touches: [],
  addsTo: ["accounts"],
} as const;

export const eachAloneCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "users/update-takes-any-field-alone",
    title: "Update user by ID accepts each of its fields alone",
    requirements: ["CORE-USER-35", "CORE-USER-36", "CORE-USER-37", "CORE-USER-38", "CORE-USER-41"],
    capabilities: ["users", "roles"],
    async run(context) {
      const { gateway, profile, scratch } = context;
      const extra = await scratch.role(profile.permissions.slice(0, 1));
      const { id } = await scratch.user();
      const updated: Updated = {
        id,
        update: (json) => gateway.admin.call("updateUser", { path: { id }, json }),
        accepts: "CORE-USER-41",
        stores: {
          email: "CORE-USER-35",
          expiredAfter: "CORE-USER-36",
          isActive: "CORE-USER-37",
          roles: "CORE-USER-38",
        },
      };
      await verifyEachAlone(context, updated, [
        // First the flag that a gateway may take for set where it is absent.
        { isActive: false },
        { email: "alone@example.org" },
        { expiredAfter: "2088-08-08T08:08:08Z" },
        { roles: [extra.id] },
        { isActive: true },
        { isActive: false },
      ]);
    },
  }),

  testCase({
    ...shared,
    id: "users/update-current-user-takes-any-field-alone",
    title: "Update current user accepts each of its fields alone",
    requirements: ["CORE-USER-50"],
    capabilities: ["users", "roles", "auth"],
    async run(context) {
      const { gateway, profile, scratch } = context;
      const extra = await scratch.role([]);
      // With the permission to manage users, a rejection cannot be due to the fields that are changed.
      const permissions = permissionsFor(profile, "updateCurrentUser", "updateUser", "getCurrentUser");
      const user = await scratch.user({ permissions });
      // Given by an administrator: whether users may give themselves a role is not stated.
      const both = { path: { id: user.id }, json: { roles: [user.roleId, extra.id] } };
      (await gateway.admin.call("updateUser", both)).body();
      let session = await signInAsSelf(context, user);
      const stored = "CORE-USER-50";
      const updated: Updated = {
        id: user.id,
        async update(json) {
          const answer = await session.call("updateCurrentUser", { json });
          if (!answer.rejected) return answer;
          // A sign-in may end with the roles that its user had.
          session = await signInAsSelf(context, user);
          return session.call("updateCurrentUser", { json });
        },
        accepts: stored,
        stores: { email: stored, expiredAfter: stored, isActive: stored, roles: stored },
      };
      await verifyEachAlone(context, updated, [
        { expiredAfter: "2088-08-08T08:08:08Z" },
        { email: "own.alone@example.org" },
        { roles: [user.roleId] },
        { isActive: true },
        { email: "own.again@example.org" },
      ]);
    },
  }),
];
