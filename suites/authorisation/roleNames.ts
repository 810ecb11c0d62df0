import { type CaseContext, type Session, type TestCase, testCase } from "../../harness/index.ts";
import { addUser, createRole, farFuture, needsAnother, waysInto } from "../users/accounts.ts";
import { type Attempt, attempts } from "./attempts.ts";
import { gatherFacts } from "./facts.ts";
import { callerRejected, Matrix } from "./matrix.ts";
import { managing, sharedByPermissions } from "./permissions.ts";

/** So many readings show whether a role counts. */
const mostReadings = 5;

/** Readings that the session may make, and that need a permission. */
async function readingsOf(
  { profile }: CaseContext,
  calls: readonly Attempt[],
  session: Session,
): Promise<Attempt[]> {
  const found: Attempt[] = [];
  for (const call of calls) {
    const { operation, inputs } = call;
    if (!/^(?:get|list)/.test(operation) || waysInto(profile, operation).length === 0) continue;
    if ((await session.callInvalid(operation, inputs())).accepted) found.push(call);
    if (found.length === mostReadings) break;
  }
  return found;
}

/** Roles and users by their names, which permit nothing; and what takes an account away. */
export const roleNameCases: readonly TestCase[] = [
  testCase({
    ...sharedByPermissions,
    id: "authorisation/names-permit-nothing",
    title: "Renaming a role takes no permission; its former name gives none",
    requirements: ["CORE-AUTH-34", "CORE-AUTH-35"],
    async run(context) {
      const { gateway, profile, scratch, random, verify, notApplicable } = context;
      const matrix = new Matrix(context);
      const calls = attempts(context, await gatherFacts(context));
      const nothing = await scratch.role([]);
      const changes = calls.filter(
        ({ operation }) => managing.has(operation) && needsAnother(profile, operation, nothing.permissions),
      );
      if (changes.length === 0) return notApplicable("the profile declares no permission for any change");
      const { permissions } = profile;
      const role = await scratch.role(permissions);
      const holder = await scratch.user({ roles: [role.id] });
      // Whether a user may have the name of a role is not stated.
      const password = `Pw-${random.word(12)}1!`;
      const rest = { password, isActive: true, expiredAfter: farFuture, roles: [nothing.id] };
      const namesake = await addUser(context, { ...rest, name: role.name });
      if (namesake.accepted)
        await matrix.rejects("CORE-AUTH-35", await gateway.signIn(role.name, password), changes);
      const readings = await readingsOf(context, calls, await holder.signIn());
      const rename = async (of: readonly string[]): Promise<void> => {
        const json = { name: scratch.name("role"), description: "", permissions: [...of] };
        (await gateway.admin.call("updateRole", { path: { id: role.id }, json })).body();
      };
      await rename(permissions);
      const renamed = await holder.signIn();
      verify("CORE-AUTH-34").notApplicable("readings by a user of the role", "none needs a permission");
      for (const { operation, inputs } of readings) {
        const answer = await renamed.callInvalid(operation, inputs());
        // What is read may have been removed meanwhile.
        if (answer.accepted || callerRejected.has(answer.status)) verify("CORE-AUTH-34").accepted(answer);
      }
      const again = await createRole(context, {
        name: role.name,
        description: "",
        permissions: nothing.permissions,
      });
      if (again.accepted) {
        const user = await scratch.user({ roles: [again.data().id] });
        await matrix.rejects("CORE-AUTH-35", await user.signIn(), changes);
      }
      await rename(nothing.permissions);
      await matrix.rejects("CORE-AUTH-35", await holder.signIn(), changes);
      await matrix.conclude();
    },
  }),

  testCase({
    ...sharedByPermissions,
    id: "authorisation/removals-need-it",
    title: "Removals of users and roles need a token and a permission",
    requirements: ["CORE-AUTH-18", "CORE-AUTH-35"],
    touches: [],
    addsTo: ["accounts"],
    async run({ gateway, profile, scratch, verify, notApplicable }) {
      const { permissions, signIn } = await scratch.user({ permissions: [] });
      const powerless = await signIn();
      // The permission of an extension is not declared: it is taken for that of the update.
      const removals = (
        [
          { remove: "deleteUser", update: "updateUser", read: "getUser", make: () => scratch.user() },
          { remove: "deleteRole", update: "updateRole", read: "getRole", make: () => scratch.role([]) },
        ] as const
      ).filter(
        ({ remove, update }) => profile.extensions.has(remove) && needsAnother(profile, update, permissions),
      );
      if (removals.length === 0)
        return notApplicable("the profile declares neither deleteUser nor deleteRole with a permission");
      for (const { remove, read, make } of removals)
        for (const [requirement, caller] of [
          ["CORE-AUTH-18", gateway.anonymous],
          ["CORE-AUTH-35", powerless],
        ] as const) {
          const path = { id: (await make()).id };
          verify(requirement).refused(await caller.callExtension(remove, { path }));
          verify(requirement).accepted(await gateway.admin.call(read, { path }));
        }
    },
  }),
];
