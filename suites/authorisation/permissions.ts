import { type CaseContext, type ScratchUser, type TestCase, testCase } from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { ifMet } from "../support/ifMet.ts";
import { gatesOf, needsAnother, waysInto } from "../users/accounts.ts";
import { type Attempt, attemptedState, attempts } from "./attempts.ts";
import { gatherFacts } from "./facts.ts";
import { Matrix, permissionField } from "./matrix.ts";

/** What the cases of permissions have in common. */
export const sharedByPermissions = {
  group: "auth",
  effect: "reversible",
  touches: attemptedState,
  capabilities: ["auth", "users", "roles"],
  tags: ["authorisation"],
  deadlineMs: 120_000,
} as const;

/** So many readings of each permission show whether a role counts. */
const readingsOfRole = 5;

const accountChanges: readonly OperationId[] = [
  "createRole",
  "updateRole",
  "addUser",
  "updateUser",
  "updateUserPassword",
];

const deviceChanges: readonly OperationId[] = [
  "uploadConfiguration",
  "applyConfiguration",
  "updateHttpServer",
  "setHttpServer",
  "setProvision",
  "setLog",
  "setReboot",
  "resetToDefault",
  "enableService",
  "disableService",
  "setSsh",
  "updateUpgradeConfiguration",
  "setUpgradeConfiguration",
  "createUpgradeJob",
  "operateUpgradeJob",
];

/** User and role management and device management; what of the tag service and the event log needs is open. */
export const managing: ReadonlySet<OperationId> = new Set([
  ...accountChanges,
  ...deviceChanges,
  "setEventConfiguration",
  "updateEventKinds",
  "operateApp",
]);

/** What each permission of the interface is not for; events and apps may have permissions of their own. */
const foreignTo = [
  ["SYS_USER_RW", deviceChanges],
  ["SYS_MAINTENANCE_RW", accountChanges],
] as const;

const distinct = (sets: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(sets.map((set) => [set.toSorted().join(), set])).values(),
];

/** Permissions of which each is tried in several roles: five users each, which a gateway may not have room for. */
const mostWays = 8;

/** Each set of permissions without which some call is rejected. */
const gatesBefore = ({ profile }: CaseContext, calls: readonly Attempt[]) =>
  distinct(calls.flatMap(({ operation }) => gatesOf(profile, operation)));

/** Each set of permissions that suffices for some call. */
const waysOf = ({ profile }: CaseContext, calls: readonly Attempt[]) =>
  distinct(calls.flatMap(({ operation }) => waysInto(profile, operation)));

/** The declared permissions but these. */
const allBut = ({ profile }: CaseContext, permissions: readonly string[]): string[] =>
  profile.permissions.filter((one) => !permissions.includes(one));

/** The profile declares which operation needs which permission; the requirements of these cases are declared ones. */
export const permissionCases: readonly TestCase[] = [
  testCase({
    ...sharedByPermissions,
    id: "authorisation/without-the-permission",
    title: "Operations reject users who lack only the permission declared for them",
    requirements: ["CORE-AUTH-23", "CORE-AUTH-35", "CORE-AUTH-36"],
    tags: ["authorisation", "smoke"],
    async run(context) {
      const { profile, scratch, notApplicable, verify } = context;
      const matrix = new Matrix(context);
      const facts = await gatherFacts(context);
      const needed = gatesBefore(context, attempts(context, facts));
      if (needed.length === 0) return notApplicable("the profile declares no permission for any operation");
      // First: a call that is let in may have effects that make the same call of another user fail.
      const powerless = await scratch.user({ permissions: [] });
      const changes = attempts(context, facts, powerless.password).filter(
        ({ operation }) => managing.has(operation) && needsAnother(profile, operation, powerless.permissions),
      );
      await matrix.rejects("CORE-AUTH-35", await powerless.signIn(), changes);
      // Whether a user may have no role at all is not stated, nor whether such a user signs in.
      const bare = await scratch.user({ permissions: [] });
      const without = { path: { id: bare.id }, json: { roles: [] } };
      if ((await context.gateway.admin.call("updateUser", without)).accepted) {
        const session = await ifMet(bare.signIn());
        if (session !== undefined) await matrix.rejects("CORE-AUTH-35", session, changes);
      }
      verify("CORE-AUTH-36").notApplicable(
        "changes by one permission",
        "the profile declares other permissions",
      );
      for (const [held, foreign] of foreignTo) {
        if (!profile.permissions.includes(held)) continue;
        const user = await scratch.user({ permissions: [held] });
        const calls = attempts(context, facts, user.password).filter(
          ({ operation }) =>
            foreign.includes(operation) &&
            needsAnother(profile, operation, [held]) &&
            !profile.declared.has(permissionField(operation)),
        );
        await matrix.rejects("CORE-AUTH-36", await user.signIn(), calls);
      }
      for (const permissions of needed) {
        const held = allBut(context, permissions);
        const user = await scratch.user({ permissions: held });
        const session = await user.signIn();
        const calls = attempts(context, facts, user.password);
        const denied = calls.filter(({ operation }) => needsAnother(profile, operation, held));
        await matrix.rejects("CORE-AUTH-23", session, denied);
        await matrix.rejectsStreams("CORE-AUTH-23", session, facts, held);
      }
      await matrix.conclude();
    },
  }),

  testCase({
    ...sharedByPermissions,
    id: "authorisation/with-just-the-permission",
    title: "Operations accept users who have exactly the permission declared for them",
    requirements: ["CORE-AUTH-24"],
    tags: ["authorisation", "smoke"],
    async run(context) {
      const { gateway, profile, scratch } = context;
      const matrix = new Matrix(context);
      const facts = await gatherFacts(context);
      const empty = await scratch.role([]);
      const ways = waysOf(context, attempts(context, facts));
      for (const [index, permissions] of [[], ...ways].entries()) {
        const user = await scratch.user({ permissions });
        // A user has the permissions of all roles, whichever of them comes first.
        const roles = index % 2 === 0 ? [empty.id, user.roleId] : [user.roleId, empty.id];
        (await gateway.admin.call("updateUser", { path: { id: user.id }, json: { roles } })).body();
        const session = await user.signIn();
        const calls = attempts(context, facts, user.password).filter(
          ({ operation }) =>
            // A gateway that ignores the unknown mode would reset itself.
            operation !== "resetToDefault" &&
            !needsAnother(profile, operation, permissions) &&
            // What needs no permission is called by the user who has none.
            (permissions.length === 0 || waysInto(profile, operation).length > 0),
        );
        await matrix.letsIn("CORE-AUTH-24", session, calls);
      }
      await matrix.conclude();
    },
  }),

  testCase({
    ...sharedByPermissions,
    id: "authorisation/of-every-role",
    title: "A user may read what any of their roles permits, whatever its place",
    requirements: ["CORE-AUTH-34"],
    async run(context) {
      const { profile, scratch, verify } = context;
      verify("CORE-AUTH-34").notApplicable(
        "readings by a user of three roles",
        "no reading needs a permission",
      );
      const facts = await gatherFacts(context);
      const [empty, other] = [await scratch.role([]), await scratch.role([])];
      // A role grants each of its permissions, whatever their order.
      const ofAll: ScratchUser[] = [];
      for (const permissions of [profile.permissions, profile.permissions.toReversed()])
        ofAll.push(await scratch.user({ permissions }));
      const ways = waysOf(context, attempts(context, facts));
      for (const permissions of context.random.shuffle(ways).slice(0, mostWays)) {
        const holder = await scratch.user({ permissions });
        const users = [...ofAll];
        // Beside two others, at every place.
        for (const roles of [
          [holder.roleId, empty.id, other.id],
          [empty.id, holder.roleId, other.id],
          [empty.id, other.id, holder.roleId],
        ] as const) {
          users.push(await scratch.user({ roles }));
        }
        const updated = await scratch.user({ roles: [empty.id] });
        const path = { id: updated.id };
        const roles = [empty.id, other.id, holder.roleId];
        (await context.gateway.admin.call("updateUser", { path, json: { roles } })).body();
        users.push(updated);
        const readings = attempts(context, facts).filter(
          ({ operation }) =>
            /^(?:get|list)/.test(operation) &&
            waysInto(profile, operation).length > 0 &&
            !needsAnother(profile, operation, permissions),
        );
        const alone = await holder.signIn();
        const permitted: Attempt[] = [];
        for (const reading of readings.slice(0, readingsOfRole))
          if ((await alone.callInvalid(reading.operation, reading.inputs())).accepted)
            permitted.push(reading);
        // One sign-in after the other: a gateway may keep a few only.
        for (const user of users) {
          const session = await user.signIn();
          for (const { operation, inputs } of permitted)
            verify("CORE-AUTH-34").accepted(await session.callInvalid(operation, inputs()));
        }
      }
    },
  }),

  testCase({
    ...sharedByPermissions,
    id: "authorisation/permission-taken-and-given",
    title: "Adding or removing a role's permission takes effect for tokens already issued",
    requirements: ["CORE-AUTH-25", "CORE-AUTH-26", "CORE-AUTH-35"],
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
      const calls = attempts(context, facts, user.password);
      const needed = gatesBefore(context, calls);
      // A first call without any permission, because a gateway may cache the permissions of a token.
      await before.call("getCurrentUser");
      await setPermissions(profile.permissions);
      const session = await user.signIn();
      if (needed.length === 0) return notApplicable("the profile declares no permission for any operation");
      for (const permissions of needed) {
        const held = allBut(context, permissions);
        const denied = calls.filter(({ operation }) => needsAnother(profile, operation, held));
        const readings = denied.filter(({ operation }) => /^(get|list)/.test(operation)).slice(0, 5);
        await matrix.letsIn("CORE-AUTH-26", before, readings);
        await matrix.letsIn("CORE-AUTH-26", session, readings);
        await setPermissions(held);
        await matrix.rejects("CORE-AUTH-25", session, denied);
        await setPermissions(profile.permissions);
        await matrix.letsIn("CORE-AUTH-26", session, readings);
      }
      // Whether open sessions follow their role is not stated; a new one has what the role has.
      await setPermissions(role.permissions);
      const changes = calls.filter(
        ({ operation }) => managing.has(operation) && needsAnother(profile, operation, role.permissions),
      );
      await matrix.rejects("CORE-AUTH-35", await user.signIn(), changes);
      // Nor has it what a role permitted that was taken from its user, who has called operations with it.
      await setPermissions(profile.permissions);
      const former = await user.signIn();
      for (const operation of ["getCurrentUser", "listRoles", "listUsers"] as const)
        await former.call(operation);
      const withoutRole = { path: { id: user.id }, json: { roles: [user.roleId] } };
      (await gateway.admin.call("updateUser", withoutRole)).body();
      await matrix.rejects("CORE-AUTH-35", await user.signIn(), changes);
      await matrix.conclude();
    },
  }),
];
