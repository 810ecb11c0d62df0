import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { neverLoggedIn } from "../../interface/resources/users.ts";
import { needsAnother } from "../users/accounts.ts";
import {
  asSet,
  farFuture,
  isSameInstant,
  otherUsers,
  verifyUnchanged,
  permissionsFor,
  signInAsSelf,
} from "../users/accounts.ts";

const shared = {
  group: "auth",
  touches: [],
  addsTo: ["accounts"],
  capabilities: ["auth", "users", "roles"],
  tags: ["authorisation"],
  deadlineMs: 120_000,
} as const;

export const credentialCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "authorisation/gains-by-the-own-record",
    title: "Updating one's own record grants no permission and changes no other user",
    requirements: ["CORE-AUTH-35", "CORE-ROBUST-06", "CORE-USER-51", "CORE-USER-54"],
    effect: "reversible",
    touches: ["accounts"],
    addsTo: [],
    async run(context) {
      const { gateway, profile, random, scratch, verify } = context;
      const { admin } = gateway;
      const manager = permissionsFor(profile, "updateUser");
      const own = permissionsFor(profile, "updateCurrentUser", "getCurrentUser").filter(
        (one) => !manager.includes(one),
      );
      const fullRole = await scratch.role(profile.permissions);
      const victim = await scratch.user();
      const user = await scratch.user({ permissions: own });
      const session = await signInAsSelf(context, user);
      const administrator = (await admin.call("getCurrentUser")).data();
      const others = await otherUsers(gateway, [victim.id]);
      const roles = [fullRole.id, ...administrator.roles.map(({ id }) => id)];
      const other = `Gain-${random.word(12)}5!`;
      const bodies = [
        { roles },
        { roles: roles.map((id) => ({ id })) },
        { roles: roles.map(String) },
        { roles: [{ id: fullRole.id, name: fullRole.name, permissions: profile.permissions }] },
        { email: "gain@example.org", permissions: profile.permissions },
        { email: "gain@example.org", id: administrator.id, name: administrator.name },
        { email: "gain@example.org", id: victim.id, userId: victim.id, user: { id: victim.id } },
        { email: "gain@example.org", isAdmin: true, admin: true, role: "admin", generation: 0 },
        { expiredAfter: farFuture, isActive: true, roles },
        { email: "gain@example.org", password: other, newPassword: other },
      ];
      const before = asSet((await admin.call("getUser", { path: { id: user.id } })).data().permissions);
      const path = { id: user.id };
      // By id where it needs a permission that the user lacks.
      const byId = own.length === 0 && needsAnother(profile, "updateUser", own) ? bodies.slice(0, 2) : [];
      if (byId.length === 0)
        verify("CORE-AUTH-35").notApplicable(
          "permissions gained by updateUser with the caller's own record",
          "a user without any permission may call it, or cannot read their own record",
        );
      for (const [operation, json] of [
        ...bodies.map((body) => ["updateCurrentUser", body] as const),
        ...byId.map((body) => ["updateUser", body] as const),
      ]) {
        const answer =
          operation === "updateUser"
            ? await session.callInvalid(operation, { path, json })
            : await session.callInvalid(operation, { json });
        const after = await admin.call("getUser", { path: { id: user.id } });
        const gained = asSet(after.data().permissions).filter((one) => !before.includes(one));
        // Whether users may change the rest of their own records by id is not stated.
        const requirement = operation === "updateUser" ? "CORE-AUTH-35" : "CORE-ROBUST-06";
        verify(requirement).that(gained.length === 0, {
          what: `permissions gained by ${operation} with the caller's own record`,
          expected: "none",
          observed: gained.length === 0 ? "none" : gained,
          evidence: answer,
        });
        if (gained.length === 0) continue;
        (await admin.call("updateUser", { path, json: { roles: [user.roleId] } })).body();
      }
      const { name, password } = user;
      const signedIn = await gateway.anonymous.call("signIn", { json: { name, password } });
      verify("CORE-USER-54").that(signedIn.accepted, {
        what: "sign-in with the present password after calls of Update current user with `password` and `newPassword`",
        expected: "accepted",
        observed: signedIn.summary(),
        evidence: signedIn,
      });
      verifyUnchanged(
        verify("CORE-USER-51"),
        [others, await otherUsers(gateway, [victim.id])],
        [victim.id],
        "the other users after calls of Update current user that name them",
      );
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/replay-after-a-new-password",
    title: "Other sign-ins of a user end when the password is changed",
    requirements: ["CORE-ROBUST-07"],
    effect: "ends-sign-ins",
    async run(context) {
      const { gateway, profile, random, scratch, verify, unmet } = context;
      const permissions = permissionsFor(profile, "updateCurrentUserPassword", "getCurrentUser");
      const newPassword = (): string => `New-${random.word(12)}6?`;
      const byUser = await scratch.user({ permissions });
      const tokens = [await signInAsSelf(context, byUser), await signInAsSelf(context, byUser)] as const;
      const json = { newPassword: newPassword(), oldPassword: byUser.password };
      // A gateway may end a user's earlier sign-ins.
      if (!(await tokens[1].call("updateCurrentUserPassword", { json })).accepted)
        unmet("the change of the password by the user was rejected");
      // The sign-in that made the change may stay: the source asks for the end of the others.
      verify("CORE-ROBUST-07").refused(await tokens[0].call("getCurrentUser"));
      const byAdministrator = await scratch.user({ permissions });
      const session = await signInAsSelf(context, byAdministrator);
      const path = { id: byAdministrator.id };
      const changed = await gateway.admin.call("updateUserPassword", {
        path,
        json: { newPassword: newPassword() },
      });
      if (!changed.accepted) unmet("the change of the password by the administrator was rejected");
      verify("CORE-ROBUST-07").refused(await session.call("getCurrentUser"));
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/replay-of-a-removed-user",
    title: "Token and password of a removed user stay rejected for a namesake",
    requirements: ["CORE-ROBUST-08", "CORE-AUTH-09", "CORE-AUTH-10", "CORE-USER-09"],
    effect: "reversible",
    async run(context) {
      const { gateway, profile, scratch, verify, notApplicable } = context;
      if (!profile.extensions.has("deleteUser"))
        return notApplicable("the profile does not declare the extension deleteUser");
      const role = await scratch.role(profile.permissions);
      const name = scratch.name("user");
      const password = `Pw-${context.random.word(6)}7!`;
      // Removes whichever user has the name at the end.
      const remove = (id: number) => gateway.admin.callExtension("deleteUser", { path: { id } });
      scratch.undo(`user ${name}`, async () => {
        const left = (await gateway.admin.call("listUsers")).data().find((user) => user.name === name);
        if (left !== undefined) await remove(left.id);
      });
      const signIn = () => gateway.anonymous.call("signIn", { json: { name, password } });
      const add = async (further: string): Promise<number> => {
        const json = {
          name,
          password: `${password}${further}`,
          isActive: true,
          expiredAfter: farFuture,
          roles: [role.id],
        };
        return (await gateway.admin.call("addUser", { json })).data().id;
      };
      const id = await add("");
      const session = await gateway.signIn(name, password);
      const removed = await remove(id);
      if (!removed.accepted)
        return notApplicable(`the gateway does not remove the user: ${removed.summary()}`);
      verify("CORE-ROBUST-08").refused(await session.call("getCurrentUser"));
      verify("CORE-AUTH-10").refused(await signIn());
      const again = await add("again");
      verify("CORE-ROBUST-08").refused(await session.call("getCurrentUser"));
      verify("CORE-AUTH-09").refused(await signIn());
      const added = await gateway.admin.call("getUser", { path: { id: again } });
      verify("CORE-USER-09").that(isSameInstant(added.data().loginAt, neverLoggedIn), {
        what: "`loginAt` of a new user with the name of a removed one",
        expected: neverLoggedIn,
        observed: added.data().loginAt,
        evidence: added,
      });
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/guessing-side-by-side",
    title: "Parallel wrong sign-ins lock the name, and lock no other name",
    requirements: ["CORE-AUTH-31"],
    effect: "reversible",
    touches: ["sign-in-failures"],
    capabilities: [...shared.capabilities, "sign-in-lock"],
    async run(context) {
      const { gateway, profile, scratch, verify, unmet } = context;
      const lock = profile.signInLock;
      if (lock === undefined) return unmet("the profile does not declare signInLock");
      const user = await scratch.user();
      const other = await scratch.user();
      const guesses = Array.from({ length: lock.failures * 2 }, (_, index) =>
        guess(context, user.name, `No-${index}-guess!`, true),
      );
      for (const answer of await Promise.all(guesses)) verify("CORE-AUTH-31").refused(answer);
      verify("CORE-AUTH-31").refused(await guess(context, user.name, user.password, true));
      verify("CORE-AUTH-31").accepted(await guess(context, other.name, other.password));
      verify("CORE-AUTH-31").accepted(await gateway.admin.call("getCurrentUser"));
    },
  }),
];

function guess({ gateway }: CaseContext, name: string, password: string, isLockPossible = false) {
  return gateway.anonymous.call("signIn", { json: { name, password }, isLockPossible });
}
