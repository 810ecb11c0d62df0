// What users with the admin role may do about passwords.
import { type CaseContext, type ScratchUser, type TestCase, testCase } from "../../harness/index.ts";
import { asSet, signInAsSelf } from "./accounts.ts";
import { shared, trySignIn, verifyPassword } from "./passwords.ts";

/** An administrator changes the password of the same account by id. Other reasons to reject show with the old one, too. */
async function verifyOwnById(
  context: CaseContext,
  { id, name, password }: Pick<ScratchUser, "id" | "name" | "password">,
): Promise<void> {
  const { gateway, random } = context;
  const verify = context.verify("CORE-USER-45");
  const session = await gateway.signIn(name, password);
  const json = { newPassword: `Own-${random.word(12)}6?` };
  const bare = await session.call("updateUserPassword", { path: { id }, json });
  const withOld = bare.rejected
    ? await session.call("updateUserPassword", { path: { id }, json: { ...json, oldPassword: password } })
    : bare;
  if (withOld.rejected)
    verify.notApplicable(
      "change of an administrator's password by id",
      "rejected also with the old password",
    );
  else if (verify.accepted(bare))
    await verifyPassword(context, "CORE-USER-43", name, { right: json.newPassword, wrong: password });
}

export const administratorCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "users/own-password-of-an-administrator",
    title: "Users with the admin role change passwords without the old password",
    requirements: ["CORE-USER-43", "CORE-USER-45", "CORE-USER-53", "CORE-USER-55"],
    async run(context) {
      const { gateway, random, scratch, verify, unmet } = context;
      const { admin } = gateway;
      const administrator = (await admin.call("getCurrentUser")).data();
      if (administrator.roles.length === 0)
        unmet("the administrator has no role that another user could be given");
      const own = administrator.roles.map((role) => role.id);
      const third = await scratch.user();
      const alone = (): number[] => own;
      // Alone, and beside another role in both orders.
      for (const rolesOf of [
        alone,
        ({ roleId }: ScratchUser) => [roleId, ...own],
        ({ roleId }: ScratchUser) => [...own, roleId],
      ]) {
        const user = await scratch.user();
        const roles = rolesOf(user);
        const given = await admin.call("updateUser", { path: { id: user.id }, json: { roles } });
        scratch.undo("roles of the second administrator", () =>
          admin.call("updateUser", { path: { id: user.id }, json: { roles: [user.roleId] } }),
        );
        // A gateway may keep the admin role apart from others.
        if (!given.accepted && roles.length > own.length) continue;
        if (asSet(given.data().roles.map(({ id }) => String(id))).join() !== asSet(roles.map(String)).join())
          unmet("the administrator's roles were not given to another user");
        const session = await signInAsSelf(context, user);
        const newPassword = `New-${random.word(12)}5?`;
        const set = { path: { id: third.id }, json: { newPassword } };
        if (verify("CORE-USER-45").accepted(await session.call("updateUserPassword", set)))
          verify("CORE-USER-43").accepted(await trySignIn(context, third.name, newPassword));
        const answer = await session.call("updateCurrentUserPassword", { json: { newPassword } });
        if (!verify("CORE-USER-55").accepted(answer)) unmet("the change of the password was rejected");
        await verifyPassword(context, "CORE-USER-53", user.name, {
          right: newPassword,
          wrong: user.password,
        });
        if (rolesOf === alone) await verifyOwnById(context, { ...user, password: newPassword });
      }
    },
  }),
];
