import { type TestCase, testCase } from "../../harness/index.ts";
import { firstAccepted } from "../support/withinLimits.ts";
import { asSet, createRole, nameless, otherRoles, verifyUnchanged, roleFacts } from "../users/accounts.ts";

const description = "created by the suite";
/** How many and which characters a description may have is not stated. */
const descriptions = [
  `created by the suite: "quoted", <b>&amp;</b>, d'été, 説明 \u{1F600}, 100%, %41, a\\b  (two spaces)`,
  `"quoted", d'été, 説明, 100%, %41, a\\b  (two spaces)`,
  description,
] as const;
/** Texts that a gateway may reject, and must store as sent when it accepts them. */
const unusualDescriptions = ["line\nand\ttab", `long ${"0123456789abcdef".repeat(4096)} end`];

export const creatingCases: readonly TestCase[] = [
  testCase({
    id: "roles/create-stores-what-was-sent",
    title: "A new role is stored as sent, listed once, and leaves other roles unchanged",
    group: "roles",
    requirements: [
      "CORE-ROLE-11",
      "CORE-ROLE-15",
      "CORE-ROLE-16",
      "CORE-ROLE-18",
      "CORE-ROLE-19",
      "CORE-ROLE-20",
      "CORE-ROLE-21",
      "CORE-ROLE-25",
      "CORE-ROLE-34",
    ],
    effect: "reversible",
    touches: ["accounts"],
    capabilities: ["roles"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const before = await otherRoles(gateway);
      const known = new Set((await gateway.admin.call("listRoles")).data().map((role) => role.id));
      const wishes = [
        ...profile.permissions.map((permission) => [permission]),
        ...(profile.permissions.length > 1 ? [[...profile.permissions]] : []),
      ];
      const created: number[] = [];
      for (const permissions of wishes) {
        const name = scratch.name("role");
        const { wish: description, answer } = await firstAccepted([...descriptions], (wish) =>
          createRole(context, { name, description: wish, permissions }),
        );
        verify("CORE-ROLE-34").accepted(answer);
        verify("CORE-ROLE-11").equal(answer.data().users, [], "`users` of the new role", answer);
        verify("CORE-ROLE-18").accepted(answer);
        const role = answer.data();
        verify("CORE-ROLE-18").equal(role.name, name, "`name` of the new role", answer);
        verify("CORE-ROLE-18").equal(role.description, description, "`description` of the new role", answer);
        verify("CORE-ROLE-19").equal(
          asSet(role.permissions),
          asSet(permissions),
          "`permissions` of the new role",
          answer,
        );
        verify("CORE-ROLE-20").that(!known.has(role.id), {
          what: "`id` of the new role",
          expected: "an id that no other role has",
          observed: role.id,
          evidence: answer,
        });
        known.add(role.id);
        created.push(role.id);
        const readBack = await gateway.admin.call("getRole", { path: { id: role.id } });
        const stored = readBack.data();
        verify("CORE-ROLE-25").equal(stored.id, role.id, "`id` in the answer of Get role by id", readBack);
        verify("CORE-ROLE-18").equal(
          { name: stored.name, description: stored.description },
          { name, description },
          "`name` and `description` of the new role as read back",
          readBack,
        );
        verify("CORE-ROLE-19").equal(
          asSet(stored.permissions),
          asSet(permissions),
          "`permissions` of the new role as read back",
          readBack,
        );
      }
      for (const id of created.slice(0, 1)) {
        const earlier = (await gateway.admin.call("getRole", { path: { id } })).data();
        const json = { id, name: scratch.name("role"), description, permissions: earlier.permissions };
        const answer = await createRole(context, json);
        // It may be rejected, or the id ignored.
        if (answer.accepted)
          verify("CORE-ROLE-20").that(!known.has(answer.data().id), {
            what: "`id` of a role created with the `id` of another",
            expected: "an id that no other role has",
            observed: answer.data().id,
            evidence: answer,
          });
        verify("CORE-ROLE-20").equal(
          roleFacts((await gateway.admin.call("getRole", { path: { id } })).data()),
          roleFacts(earlier),
          `role ${id} after another was created with its \`id\``,
          answer,
        );
      }
      const listAnswer = await gateway.admin.call("listRoles");
      const list = listAnswer.body();
      verify("CORE-ROLE-15").equal(list.count, list.data.length, "`count` of List roles", listAnswer);
      for (const id of created) {
        const listed = list.data.filter((role) => role.id === id);
        verify("CORE-ROLE-16").equal(listed.length, 1, `entries of role ${id} in List roles`, listAnswer);
        const one = (await gateway.admin.call("getRole", { path: { id } })).data();
        verify("CORE-ROLE-16").equal(
          listed.map(roleFacts),
          [roleFacts(one)],
          `role ${id} in List roles, compared with Get role by id`,
          listAnswer,
        );
      }
      verifyUnchanged(
        verify("CORE-ROLE-20"),
        [before, await otherRoles(gateway)],
        [],
        "the other roles after the creations",
      );
      const short = await createRole(context, {
        name: scratch.name("role"),
        permissions: profile.permissions.slice(0, 1),
      });
      verify("CORE-ROLE-21").accepted(short);
      for (const unusual of unusualDescriptions) {
        const json = {
          name: scratch.name("role"),
          description: unusual,
          permissions: profile.permissions.slice(0, 1),
        };
        const answer = await createRole(context, json);
        if (!answer.accepted) continue;
        const readBack = await gateway.admin.call("getRole", { path: { id: answer.data().id } });
        verify("CORE-ROLE-18").equal(
          readBack.data().description,
          unusual,
          `\`description\` of ${unusual.length} characters as read back`,
          readBack,
        );
      }
    },
  }),

  testCase({
    id: "roles/create-requires-name-and-permissions",
    title: "Create role rejects a missing or mistyped name and permissions",
    group: "roles",
    requirements: ["CORE-GENERAL-09", "CORE-ROLE-19", "CORE-ROLE-22", "CORE-ROLE-23"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["roles"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const permissions = profile.permissions.slice(0, 1);
      const before = nameless(await otherRoles(gateway));
      for (const wrong of [{}, { name: null }])
        verify("CORE-ROLE-22").refused(await createRole(context, { description, permissions, ...wrong }));
      const names: string[] = [];
      for (const permissions of [undefined, { id: 1 }, [[]], [null], null]) {
        const name = scratch.name("role");
        names.push(name);
        verify("CORE-ROLE-23").refused(await createRole(context, { name, description, permissions }));
      }
      // Not a number, which a gateway may read as the text of its digits.
      const mistyped = { name: scratch.name("role"), description: { no: "text" }, permissions };
      verify("CORE-GENERAL-09").refused(await createRole(context, mistyped));
      // Whether a permission that does not exist is rejected is not stated; what is rejected creates nothing.
      const unknown = { name: scratch.name("role"), description, permissions: [...permissions, "RP_NONE"] };
      const odd = await createRole(context, unknown);
      const roles = (await gateway.admin.call("listRoles")).data();
      const what = "roles created by a rejected request with an unknown permission";
      if (odd.rejected)
        verify("CORE-ROLE-19").equal(
          roles.filter(({ name }) => name === unknown.name),
          [],
          what,
          odd,
        );
      else verify("CORE-ROLE-19").notApplicable(what, "the gateway accepts it");
      verify("CORE-ROLE-23").equal(
        roles.filter(({ name }) => names.includes(name)),
        [],
        "roles created by the rejected requests",
      );
      verify("CORE-ROLE-22").equal(
        nameless(await otherRoles(gateway)),
        before,
        "roles without a name after the rejected requests",
      );
    },
  }),

  testCase({
    id: "roles/published-names",
    title: "A role name may have 64 characters and every published special character",
    group: "roles",
    requirements: ["CORE-ROLE-33"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["roles"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const name = `${scratch.name("role")}+=,.@_-`.padEnd(64, "x9");
      const answer = await createRole(context, {
        name,
        description: "",
        permissions: profile.permissions.slice(0, 1),
      });
      if (verify("CORE-ROLE-33").accepted(answer)) {
        verify("CORE-ROLE-33").equal(answer.data().name, name, "`name` of the new role", answer);
      }
      const { id, permissions } = await scratch.role([]);
      const json = {
        name: `${scratch.name("role")}+=,.@_-`.padEnd(64, "y8"),
        description: "",
        permissions,
      };
      const updated = await gateway.admin.callInvalid("updateRole", { path: { id }, json });
      if (verify("CORE-ROLE-33").accepted(updated)) {
        verify("CORE-ROLE-33").equal(updated.data().name, json.name, "`name` of the updated role", updated);
      }
    },
  }),
];
