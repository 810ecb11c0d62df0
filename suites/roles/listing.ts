import { scratchPrefix, type TestCase, testCase } from "../../harness/index.ts";
import { likeIds, roleFacts, unusedId } from "../users/accounts.ts";
import { inParallel } from "../users/inParallel.ts";

const mostCompared = 20;
const readsAtOnce = 4;

export const listingCases: readonly TestCase[] = [
  testCase({
    id: "roles/permissions-are-listed",
    title: "List permissions includes the stated and the declared permissions",
    group: "roles",
    requirements: ["CORE-ROLE-04", "CORE-ROLE-13", "CORE-ROLE-34"],
    effect: "read-only",
    touches: [],
    capabilities: ["roles"],
    tags: ["smoke"],
    async run({ gateway, profile, verify }) {
      const answer = await gateway.admin.call("listPermissions");
      const { count, data } = answer.body();
      const ids = data.map((permission) => permission.id);
      for (const id of ["SYS_USER_RW", "SYS_MAINTENANCE_RW"]) {
        verify("CORE-ROLE-04").that(ids.includes(id), {
          what: "ids in List permissions",
          expected: `${id} included`,
          observed: ids,
          evidence: answer,
        });
      }
      const missing = profile.permissions.filter((id) => !ids.includes(id));
      verify("CORE-ROLE-34").equal(
        missing,
        [],
        "permissions of the profile missing from List permissions",
        answer,
      );
      verify("CORE-ROLE-13").equal(count, data.length, "`count` of List permissions", answer);
    },
  }),

  testCase({
    id: "roles/list-and-get-agree",
    title: "List roles and Get role by id agree; unknown ids are rejected",
    group: "roles",
    requirements: ["CORE-ROLE-15", "CORE-ROLE-16", "CORE-ROLE-25"],
    effect: "read-only",
    touches: [],
    capabilities: ["roles"],
    tags: ["smoke"],
    async run({ declares, gateway, verify, unmet }) {
      const answer = await gateway.admin.call("listRoles");
      const { count, data: roles } = answer.body();
      const ids = roles.map((role) => role.id);
      if (declares("users")) {
        const hidden: number[] = [];
        for (const { id } of (await gateway.admin.call("getCurrentUser")).data().roles)
          if (!ids.includes(id) && (await gateway.admin.call("getRole", { path: { id } })).accepted)
            hidden.push(id);
        verify("CORE-ROLE-16").equal(
          hidden,
          [],
          "roles of the administrator that Get role shows and List roles does not",
          answer,
        );
      }
      if (roles.length === 0) unmet("List roles is empty");
      verify("CORE-ROLE-15").equal(count, roles.length, "`count` of List roles", answer);
      const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
      verify("CORE-ROLE-16").equal(repeated, [], "ids listed more than once by List roles", answer);
      // A role of a case, or of a measurement, may change between the two readings.
      const lasting = roles.filter(({ name }) => !name.startsWith(scratchPrefix));
      const compared = [...lasting.slice(0, mostCompared - 1), ...lasting.slice(mostCompared - 1).slice(-1)];
      await inParallel(compared, readsAtOnce, async (listed) => {
        const one = await gateway.admin.call("getRole", { path: { id: listed.id } });
        const role = one.data();
        verify("CORE-ROLE-25").equal(
          role.id,
          listed.id,
          `\`id\` in the answer of Get role by id ${listed.id}`,
          one,
        );
        verify("CORE-ROLE-16").equal(
          roleFacts(role),
          roleFacts(listed),
          `role ${listed.id} by id, compared with List roles`,
          one,
        );
      });
      const none = [0, -1].filter((id) => !ids.includes(id));
      for (const id of [unusedId(roles), ...none, ...likeIds(roles, ids[0] ?? 1)])
        verify("CORE-ROLE-25").refused(await gateway.admin.callInvalid("getRole", { path: { id } }));
    },
  }),
];
