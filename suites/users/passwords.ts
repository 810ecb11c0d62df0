import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import {
  factsBesidePassword,
  listedUserFacts,
  permissionsFor,
  presence,
  showsSignIn,
  signInAsSelf,
  verifyRecent,
} from "./accounts.ts";
import {
  changeOwn,
  usersWithAdminRole,
  verifySecondChange,
  withRecord,
  wrongPasswords,
} from "./passwordChanges.ts";
import { distinctMs, untilLater } from "./laterTime.ts";
import { verifyStaysAfterRejections, verifyStaysForOtherIds } from "./rejectedPasswords.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

const neverAt = new Date(0).toISOString();

export function trySignIn(
  { gateway }: CaseContext,
  name: string,
  password: string,
): Promise<Answer<"signIn">> {
  return gateway.anonymous.call("signIn", { json: { name, password, acceptEULA: true } });
}

/** Verifies which of two passwords signs the user in; the right one last, because it resets a failure counter. */
export async function verifyPassword(
  context: CaseContext,
  requirement: string,
  name: string,
  { right, wrong }: { right: string; wrong: string },
): Promise<void> {
  const verify = context.verify(requirement);
  const rejected = await trySignIn(context, name, wrong);
  verify.refused(rejected);
  verify.accepted(await trySignIn(context, name, right));
}

export const shared = {
  group: "users",
  effect: "ends-sign-ins",
  touches: [],
  addsTo: ["accounts"],
  capabilities: ["users", "roles", "auth"],
} as const;

/** What makes a role an admin role is not stated: one that may manage users can count as one, also for the password of its user. */
async function isAdminByPermission(context: CaseContext): Promise<boolean> {
  const { profile, random, scratch } = context;
  const permissions = permissionsFor(profile, "updateUserPassword", "updateCurrentUserPassword");
  const session = await signInAsSelf(context, await scratch.user({ permissions }));
  const json = { newPassword: `New-${random.word(12)}7?` };
  return (await session.call("updateCurrentUserPassword", { json })).accepted;
}

export const passwordCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "users/password-by-id",
    title: "The administrator sets one user's password without the old password",
    requirements: [
      "CORE-GENERAL-10",
      "CORE-USER-13",
      "CORE-USER-43",
      "CORE-USER-44",
      "CORE-USER-45",
      "CORE-USER-56",
    ],
    tags: ["smoke"],
    async run(context) {
      const { gateway, random, scratch, verify } = context;
      const user = await scratch.user();
      const neighbour = await scratch.user();
      const inactive = await scratch.user({ isActive: false });
      const { admin } = gateway;
      for (const { id } of [user, inactive])
        await admin.call("updateUser", { path: { id }, json: { email: "of.a.password@example.org" } });
      const newPassword = `New-${random.word(12)}2?`;
      const calling = await gateway.admin.call("getCurrentUser");
      const caller = calling.data();
      const changedAt = async (id: number): Promise<string | null> =>
        (await gateway.admin.call("getUser", { path: { id } })).data().changedPasswordAt;
      const others = async (): Promise<object> => ({
        neighbour: await changedAt(neighbour.id),
        caller: await changedAt(caller.id),
      });
      const otherMembers = async (id: number): Promise<object> => {
        const seen = (await admin.call("getUser", { path: { id } })).data();
        return { ...factsBesidePassword(seen), loginAt: epochMsOf(seen.loginAt) };
      };
      // The user may be one of an ended case.
      const { loginAt } = (await admin.call("getUser", { path: { id: user.id } })).data();
      // A gateway may remember a password that has signed its user in.
      for (const { name, password } of [user, neighbour]) (await trySignIn(context, name, password)).data();
      await showsSignIn(context, user.id, loginAt);
      const [before, othersBefore] = [await changedAt(user.id), await others()];
      const membersBefore = [await otherMembers(user.id), await otherMembers(inactive.id)];
      await untilLater(context, calling);
      const answer = await gateway.admin.call("updateUserPassword", {
        path: { id: user.id },
        json: { newPassword },
      });
      if (!verify("CORE-USER-45").accepted(answer)) {
        const { password: oldPassword } = user;
        const json = { newPassword, oldPassword };
        (await gateway.admin.call("updateUserPassword", { path: { id: user.id }, json })).body();
      } else {
        verify("CORE-USER-44").equal(answer.data().id, user.id, "`id` of the user in the answer", answer);
        verify("CORE-USER-13").equal(
          presence(answer, "remindToChangePassword"),
          "absent",
          "`remindToChangePassword` in the answer of Update user password by ID",
          answer,
        );
      }
      // Whether the password of an inactive user can be set is not stated.
      await admin.call("updateUserPassword", { path: { id: inactive.id }, json: { newPassword } });
      const after = await changedAt(user.id);
      const what = `\`changedPasswordAt\` of the user at least ${distinctMs / 1000} s later`;
      // Whether it counts a change by somebody else is not stated.
      if (after === before)
        verify("CORE-USER-56").notApplicable(what, "it may tell of the user's own changes only");
      else
        verify("CORE-USER-56").that(after !== null && epochMsOf(after) > epochMsOf(before ?? neverAt), {
          what,
          expected: `a timestamp${before === null ? "" : ` later than ${before}`}`,
          observed: after,
        });
      verify("CORE-USER-56").equal(
        await others(),
        othersBefore,
        "`changedPasswordAt` of two users whose password was not changed",
      );
      for (const [index, { id, what }] of [
        { id: user.id, what: "an active user" },
        { id: inactive.id, what: "an inactive user" },
      ].entries())
        verify("CORE-USER-44").equal(
          await otherMembers(id),
          membersBefore[index],
          `members of ${what} after a change of the password, timestamps in ms since 1970`,
        );
      await verifyPassword(context, "CORE-USER-43", user.name, { right: newPassword, wrong: user.password });
      await verifyPassword(context, "CORE-USER-44", neighbour.name, {
        right: neighbour.password,
        wrong: newPassword,
      });
      const json = { email: "after.a.password@example.org" };
      const updated = await admin.call("updateUser", { path: { id: user.id }, json });
      verify("CORE-USER-56").equal(
        epochMsOf((await changedAt(user.id)) ?? ""),
        epochMsOf(after ?? ""),
        "`changedPasswordAt` (ms since 1970) after an update of `email` by ID",
        updated,
      );
      await verifyStaysForOtherIds(context, { id: user.id, name: user.name, password: newPassword });
      await verifyStaysAfterRejections(context, { name: user.name, password: newPassword }, (wrong) =>
        admin.callInvalid("updateUserPassword", { path: { id: user.id }, json: wrong }),
      );
    },
  }),

  testCase({
    ...shared,
    id: "users/password-by-id-with-the-old-one",
    title: "A user without the admin role changes a password by id with oldPassword only",
    requirements: ["CORE-USER-43", "CORE-USER-46", "CORE-USER-56", "CORE-USER-59"],
    async run(context) {
      const { gateway, profile, random, scratch, verify } = context;
      const permissions = permissionsFor(profile, "updateUserPassword", "getCurrentUser");
      const user = await scratch.user({ permissions });
      const other = await scratch.user();
      const session = await signInAsSelf(context, user);
      const newPassword = `New-${random.word(12)}3?`;
      const isAdmin = await isAdminByPermission(context);
      const reason = "a role that may manage users counts as an admin role";
      for (const requirement of isAdmin ? ["CORE-USER-56", "CORE-USER-59"] : [])
        verify(requirement).notApplicable("change of a password by id without the old one", reason);
      // Whose role decides is the caller's, not that of the user whose password changes.
      const chiefs = isAdmin ? [] : await usersWithAdminRole(context);
      for (const { id, name, password } of isAdmin ? [] : [user, other, ...chiefs]) {
        const before = await gateway.admin.call("getUser", { path: { id } });
        const rejected = await session.call("updateUserPassword", { path: { id }, json: { newPassword } });
        verify("CORE-USER-59").refused(rejected);
        await verifyPassword(context, "CORE-USER-59", name, { right: password, wrong: newPassword });
        const after = await gateway.admin.call("getUser", { path: { id } });
        verify("CORE-USER-56").equal(
          listedUserFacts(after.data()),
          listedUserFacts(before.data()),
          "the user after a rejected change of the password by id",
          after,
        );
      }
      // For the caller's own id only: whose oldPassword counts for another user is not stated.
      for (const index of isAdmin ? [] : [0, 1, 2]) {
        // Wrong old passwords may lock changes, and failed sign-ins the name.
        const fresh = await scratch.user({ roles: [user.roleId] });
        const caller = await signInAsSelf(context, fresh);
        const oldPassword = wrongPasswords(fresh.password, other.password)[index] ?? "";
        const json = { newPassword, oldPassword };
        const path = { id: fresh.id };
        verify("CORE-USER-59").refused(await caller.call("updateUserPassword", { path, json }));
        const { name, password: right } = fresh;
        await verifyPassword(context, "CORE-USER-59", name, { right, wrong: newPassword });
      }
      const path = { id: user.id };
      const again = await signInAsSelf(context, user);
      const json = { newPassword, oldPassword: user.password };
      const answer = await again.call("updateUserPassword", { path, json });
      if (!verify("CORE-USER-46").accepted(answer)) context.unmet("the change of the password was rejected");
      await verifyPassword(context, "CORE-USER-43", user.name, { right: newPassword, wrong: user.password });
    },
  }),

  testCase({
    ...shared,
    id: "users/own-password",
    title: "Users change their own password only with the right old password",
    requirements: [
      "CORE-AUTH-04",
      "CORE-GENERAL-10",
      "CORE-USER-52",
      "CORE-USER-53",
      "CORE-USER-54",
      "CORE-USER-56",
      "CORE-USER-61",
    ],
    tags: ["smoke"],
    async run(context) {
      const { gateway, profile, random, scratch, verify } = context;
      const permissions = permissionsFor(profile, "updateCurrentUserPassword", "getCurrentUser");
      const user = await scratch.user({ permissions });
      const other = await scratch.user({ permissions });
      const path = { id: user.id };
      await gateway.admin.call("updateUser", { path, json: { email: "own.password@example.org" } });
      const before = (await gateway.admin.call("getUser", { path })).data();
      const newPassword = `New-${random.word(12)}4?`;
      const session = await signInAsSelf(context, user);
      const bare = { json: { newPassword } };
      verify("CORE-USER-54").refused(await session.call("updateCurrentUserPassword", bare));
      // A successful sign-in resets a failure counter before the next wrong password.
      const still = await signInAsSelf(context, user);
      for (const oldPassword of wrongPasswords(user.password, other.password)) {
        const json = { newPassword, oldPassword };
        verify("CORE-USER-54").refused(await still.call("updateCurrentUserPassword", { json }));
        verify("CORE-USER-54").accepted(await trySignIn(context, user.name, user.password));
      }
      // Once only: failed sign-ins may lock the name, whatever succeeds between them.
      const passwords = { right: user.password, wrong: newPassword };
      await verifyPassword(context, "CORE-USER-54", user.name, passwords);
      const refused = await gateway.admin.call("getUser", { path });
      verify("CORE-USER-56").equal(
        listedUserFacts(refused.data()),
        listedUserFacts(before),
        "the user after rejected changes of the password",
        refused,
      );
      const changed = await changeOwn(context, { owner: user, unchanged: before }, newPassword);
      // Wrong old passwords may lock the change for a time.
      const fresh = async () => withRecord(context, await scratch.user({ permissions }));
      const { owner, unchanged, again, answer } = changed.answer.accepted
        ? changed
        : await changeOwn(context, await fresh(), newPassword);
      if (!verify("CORE-USER-54").accepted(answer)) context.unmet("the change of the password was rejected");
      verify("CORE-USER-52").equal(answer.data().id, owner.id, "`id` of the user in the answer", answer);
      // Right once is not right for the rest of the sign-in, where that lasts.
      for (const wrong of [{}, { oldPassword: other.password }]) {
        const further = { newPassword: `More-${random.word(12)}6?`, ...wrong };
        verify("CORE-USER-54").refused(await again.call("updateCurrentUserPassword", { json: further }));
      }
      await verifyPassword(context, "CORE-USER-53", owner.name, {
        right: newPassword,
        wrong: owner.password,
      });
      verify("CORE-USER-53").accepted(await trySignIn(context, other.name, other.password));
      const seen = await gateway.admin.call("getUser", { path: { id: owner.id } });
      verify("CORE-USER-56").that(seen.data().changedPasswordAt !== null, {
        what: "`changedPasswordAt` after the user changed the password",
        expected: "a timestamp",
        observed: seen.data().changedPasswordAt,
        evidence: seen,
      });
      // The user may be one of an ended case.
      verifyRecent(verify("CORE-USER-56"), seen, "changedPasswordAt", { isNew: false });
      verify("CORE-USER-61").equal(
        factsBesidePassword(seen.data()),
        factsBesidePassword(unchanged),
        "members of the user after their own change of the password",
        seen,
      );
      const { changedPasswordAt: first } = seen.data();
      const json = { newPassword: `Next-${random.word(12)}5?`, oldPassword: newPassword };
      const changing = await gateway.signIn(owner.name, newPassword);
      await untilLater(context, seen);
      const next = await changing.call("updateCurrentUserPassword", { json });
      const password = next.accepted ? json.newPassword : newPassword;
      const later = await gateway.admin.call("getUser", { path: { id: owner.id } });
      const { changedPasswordAt } = later.data();
      const what = `\`changedPasswordAt\` after another change, at least ${distinctMs / 1000} s later`;
      if (!next.accepted) {
        verify("CORE-USER-56").notApplicable(what, next.summary());
        await verifySecondChange(context, await scratch.user({ permissions }));
      } else
        verify("CORE-USER-56").that(epochMsOf(changedPasswordAt ?? "") > epochMsOf(first ?? ""), {
          what,
          expected: `later than ${first}`,
          observed: changedPasswordAt,
          evidence: later,
        });
      const signedIn = await trySignIn(context, owner.name, password);
      verify("CORE-AUTH-04").equal(
        presence(signedIn, "user.createdAt"),
        "absent",
        "`createdAt` of a user who changed the password, in the answer of Sign in",
        signedIn,
      );
      const last = await gateway.signIn(owner.name, password);
      const listed = await gateway.admin.call("listUsers");
      const own = await last.call("getCurrentUser");
      for (const [view, evidence, shown] of [
        ["List users", listed, listed.data().find(({ id }) => id === owner.id)],
        ["Get current user", own, own.data()],
        ["Sign in", signedIn, signedIn.data().user],
      ] as const)
        verify("CORE-USER-56").equal(
          { changedPasswordAt: shown?.changedPasswordAt },
          { changedPasswordAt },
          `\`changedPasswordAt\` in ${view}, compared with Get user by id`,
          evidence,
        );
      const right = { name: owner.name, password };
      await verifyStaysAfterRejections(context, right, async (wrong) =>
        (await gateway.signIn(right.name, right.password)).callInvalid("updateCurrentUserPassword", {
          json: { oldPassword: right.password, ...wrong },
        }),
      );
    },
  }),

  testCase({
    ...shared,
    id: "users/own-password-refused-with-401",
    title: "A wrong old password is rejected with status 401",
    requirements: ["CORE-USER-58"],
    capabilities: ["users", "roles", "auth", "published-errors"],
    async run(context) {
      const { profile, random, scratch, verify } = context;
      const permissions = permissionsFor(profile, "updateCurrentUserPassword", "getCurrentUser");
      const session = await signInAsSelf(context, await scratch.user({ permissions }));
      const json = { newPassword: `New-${random.word(12)}5?`, oldPassword: `Old-${random.word(12)}5?` };
      verify("CORE-USER-58").refused(await session.call("updateCurrentUserPassword", { json }), 401);
    },
  }),
];
