import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { type Attempt, attemptedState, attempts, permissionOf } from "./attempts.ts";
import { gatherFacts } from "./facts.ts";
import { Matrix } from "./matrix.ts";

const shared = {
  group: "auth",
  effect: "reversible",
  touches: attemptedState,
  capabilities: ["auth", "users", "roles"],
  tags: ["authorisation"],
  deadlineMs: 120_000,
} as const;

/** The calls by the permission they need; `undefined` for those open to every signed-in user. */
function byPermission(context: CaseContext, calls: readonly Attempt[]): Map<string | undefined, Attempt[]> {
  return Map.groupBy(calls, (call) => permissionOf(context, call));
}

/** The profile declares which operation needs which permission; the requirements of these cases are declared ones. */
export const permissionCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "authorisation/without-the-permission",
    title: "Operations reject users who lack only the permission declared for them",
    requirements: ["CORE-AUTH-23"],
    tags: ["authorisation", "smoke"],
    async run(context) {
      const { profile, scratch, notApplicable } = context;
      const matrix = new Matrix(context);
      const facts = await gatherFacts(context);
      const needed = [...byPermission(context, attempts(context, facts)).keys()].filter(
        (permission) => permission !== undefined,
      );
      if (needed.length === 0) return notApplicable("the profile declares no permission for any operation");
      for (const permission of needed) {
        const others = profile.permissions.filter((one) => one !== permission);
        const user = await scratch.user({ permissions: others });
        const session = await user.signIn();
        const calls = byPermission(context, attempts(context, facts, user.password)).get(permission);
        await matrix.rejects("CORE-AUTH-23", session, calls ?? []);
        await matrix.rejectsStreams("CORE-AUTH-23", session, facts, permission);
      }
      matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/with-just-the-permission",
    title: "Operations accept users who have exactly the permission declared for them",
    requirements: ["CORE-AUTH-24"],
    tags: ["authorisation", "smoke"],
    async run(context) {
      const { gateway, scratch } = context;
      const matrix = new Matrix(context);
      const facts = await gatherFacts(context);
      const empty = await scratch.role([]);
      for (const [index, permission] of [
        ...byPermission(context, attempts(context, facts)).keys(),
      ].entries()) {
        const user = await scratch.user({ permissions: permission === undefined ? [] : [permission] });
        // A user has the permissions of all roles, whichever of them comes first.
        const roles = index % 2 === 0 ? [empty.id, user.roleId] : [user.roleId, empty.id];
        (await gateway.admin.call("updateUser", { path: { id: user.id }, json: { roles } })).body();
        const session = await user.signIn();
        const calls = byPermission(context, attempts(context, facts, user.password)).get(permission) ?? [];
        // Left out because a gateway that ignores the unknown mode would reset itself.
        const harmless = calls.filter(({ operation }) => operation !== "resetToDefault");
        await matrix.letsIn("CORE-AUTH-24", session, harmless);
      }
      matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/permission-taken-and-given",
    title: "Adding or removing a role's permission takes effect for tokens already issued",
    requirements: ["CORE-AUTH-25", "CORE-AUTH-26"],
    async run(context) {
      const { gateway, profile, scratch, notApplicable } = context;
      const matrix = new Matrix(context);
      const facts = await gatherFacts(context);
      const role = await scratch.role([]);
      // Two users, because a gateway may invalidate a user's earlier token.
      const [early, user] = [await scratch.user(), await scratch.user()];
      const roles = [role.id];
      for (const { id } of [early, user])
        (await gateway.admin.call("updateUser", { path: { id }, json: { roles } })).body();
      const before = await early.signIn();
      const setPermissions = async (permissions: readonly string[]): Promise<void> => {
        const json = { name: role.name, description: "", permissions: [...permissions] };
        (await gateway.admin.call("updateRole", { path: { id: role.id }, json })).body();
      };
      const groups = byPermission(context, attempts(context, facts, user.password));
      // A first call without any permission, because a gateway may cache the permissions of a token.
      await before.call("getCurrentUser");
      await setPermissions(profile.permissions);
      const session = await user.signIn();
      groups.delete(undefined);
      if (groups.size === 0) return notApplicable("the profile declares no permission for any operation");
      for (const [permission, calls] of groups) {
        if (permission === undefined) continue;
        const readings = calls.filter(({ operation }) => /^(get|list)/.test(operation)).slice(0, 5);
        await matrix.letsIn("CORE-AUTH-26", before, readings);
        await matrix.letsIn("CORE-AUTH-26", session, readings);
        await setPermissions(profile.permissions.filter((one) => one !== permission));
        await matrix.rejects("CORE-AUTH-25", session, calls);
        await setPermissions(profile.permissions);
        await matrix.letsIn("CORE-AUTH-26", session, readings);
      }
      matrix.conclude();
    },
  }),
];
