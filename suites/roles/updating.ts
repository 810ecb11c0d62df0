import { type Answer, type TestCase, testCase } from "../../harness/index.ts";
import {
  addUser,
  asSet,
  byId,
  farFuture,
  isSameInstant,
  likeIds,
  longPast,
  otherRoles,
  verifyUnchanged,
  permissionsFor,
  removeLater,
  roleFacts,
  signInAsSelf,
  unusedId,
} from "../users/accounts.ts";
import { trySignIn } from "../users/passwords.ts";
import { verifyRemovedRole } from "./removing.ts";

/** A JSON body in which every character outside ASCII is escaped, one beyond U+FFFF as a pair. */
function escaped(json: object): { contentType: string; content: string } {
  const content = JSON.stringify(json).replaceAll(
    /[\u0080-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return { contentType: "application/json", content };
}

/** More than a list of ten. */
const manyUsers = 12;

export const updatingCases: readonly TestCase[] = [
  testCase({
    id: "roles/update-stores-what-was-sent",
    title: "Update role by id stores name, description and permissions of that role only",
    group: "roles",
    requirements: ["CORE-ROLE-11", "CORE-ROLE-27", "CORE-ROLE-28", "CORE-ROLE-29", "CORE-ROLE-32"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["roles", "users"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const [first = "SYS_USER_RW", second = first] = profile.permissions;
      const lower = await scratch.role([first]);
      const user = await scratch.user({ permissions: [first] });
      const upper = await scratch.role([second]);
      const neighbours = [lower.id, upper.id];
      const others = await otherRoles(gateway, neighbours);
      const path = { id: user.roleId };
      const earlier = await user.signIn();
      const named = { name: scratch.name("role") };
      const changes = [
        { name: scratch.name("role"), description: "first change", permissions: [second] },
        {
          name: scratch.name("role"),
          description: `second "change", d'été 説明`,
          permissions: [first, second],
        },
        { ...named, description: "𝄞 <b>&amp;</b> %41 🛠 description alone", permissions: [first] },
        { ...named, description: "permissions alone", permissions: [first] },
        { ...named, description: "permissions alone", permissions: [second] },
        { ...named, description: "permissions alone", permissions: [first] },
      ];
      for (const [index, change] of changes.entries()) {
        const send = (isEscaped: boolean, wish: object): Promise<Answer<"updateRole">> =>
          gateway.admin.callInvalid("updateRole", {
            path,
            ...(isEscaped ? { raw: escaped(wish) } : { json: wish }),
          });
        const isEscaped = index % 2 === 0;
        let [json, answer] = [change, await send(isEscaped, change)];
        // Which characters a description may have is not stated; escapes of JSON and the characters themselves mean the same.
        if (answer.rejected && !(await send(!isEscaped, change)).accepted) {
          json = { ...change, description: `change ${index}` };
          answer = await send(isEscaped, json);
        }
        verify("CORE-ROLE-27").accepted(answer);
        const readBack = await gateway.admin.call("getRole", { path });
        for (const [role, evidence] of [
          [answer.data(), answer],
          [readBack.data(), readBack],
        ] as const) {
          verify("CORE-ROLE-27").equal(
            { id: role.id, name: role.name, description: role.description },
            { id: user.roleId, name: json.name, description: json.description },
            "`id`, `name` and `description` of the updated role",
            evidence,
          );
          verify("CORE-ROLE-28").equal(
            asSet(role.permissions),
            asSet(json.permissions),
            "`permissions` of the updated role",
            evidence,
          );
          verify("CORE-ROLE-11").equal(
            byId(role.users).map(({ id, name }) => ({ id, name })),
            [{ id: user.id, name: user.name }],
            "`users` of the updated role",
            evidence,
          );
        }
        const list = await gateway.admin.call("listRoles");
        verify("CORE-ROLE-27").equal(
          list
            .data()
            .filter((role) => role.id === user.roleId)
            .map(roleFacts),
          [roleFacts(readBack.data())],
          "the updated role in List roles, compared with Get role by id",
          list,
        );
        verifyUnchanged(
          verify("CORE-ROLE-29"),
          [others, await otherRoles(gateway, neighbours)],
          neighbours,
          "the other roles after the update",
        );
      }
      // Which of them may be empty is not stated; an accepted empty member replaces the one before.
      const empty = { name: changes.at(-1)?.name ?? "", description: "no more", permissions: [first] };
      for (const json of [
        { ...empty, description: "" },
        empty,
        { ...empty, permissions: [] },
        { ...empty, description: "", permissions: [] },
        empty,
      ]) {
        const answer = await gateway.admin.call("updateRole", { path, json });
        if (!answer.accepted) continue;
        const one = await gateway.admin.call("getRole", { path });
        const list = await gateway.admin.call("listRoles");
        const listed = list.data().find(({ id }) => id === user.roleId);
        for (const [role, evidence] of [
          [answer.data(), answer],
          [one.data(), one],
          [listed, list],
        ] as const) {
          const how = `in the answer of ${evidence.operation} after an update with ${JSON.stringify(json)}`;
          verify("CORE-ROLE-27").equal(
            role?.description,
            json.description,
            `\`description\` of the role ${how}`,
            evidence,
          );
          verify("CORE-ROLE-28").equal(
            asSet(role?.permissions ?? ["absent"]),
            json.permissions,
            `\`permissions\` of the role ${how}`,
            evidence,
          );
        }
      }
      const bare = { name: `${scratch.name("role")} é説`, permissions: [first] };
      const renamed = await gateway.admin.call("updateRole", { path, json: bare });
      // Which characters a name may have is not stated; an accepted name is stored as sent.
      const plain = { ...bare, name: changes.at(-1)?.name ?? "" };
      if (renamed.accepted)
        verify("CORE-ROLE-27").equal(renamed.data().name, bare.name, "`name` of the updated role", renamed);
      // Without `description`, which is not required.
      verify("CORE-ROLE-27").accepted(await gateway.admin.call("updateRole", { path, json: plain }));
      const carrier = await gateway.admin.call("getUser", { path: { id: user.id } });
      const list = await gateway.admin.call("listUsers");
      const signedIn = await trySignIn(context, user.name, user.password);
      // A sign-in may end with the permissions of its role, and this view may need one of them.
      const own = await earlier.call("getCurrentUser");
      for (const [holder, evidence] of [
        [carrier.data(), carrier],
        [list.data().find(({ id }) => id === user.id), list],
        [signedIn.data().user, signedIn],
        ...(own.accepted ? [[own.data(), own] as const] : []),
      ] as const)
        verify("CORE-ROLE-11").equal(
          holder?.roles.map(({ id, name }) => ({ id, name })),
          [{ id: user.roleId, name: changes.at(-1)?.name }],
          `\`roles\` of a user who has the renamed role, in the answer of ${evidence.operation}`,
          evidence,
        );
      const everyRole = (await gateway.admin.call("listRoles")).data();
      const json = { name: scratch.name("role"), description: "", permissions: [first] };
      for (const id of [unusedId(everyRole), "no-number", ...likeIds(everyRole, user.roleId)])
        verify("CORE-ROLE-32").refused(await gateway.admin.callInvalid("updateRole", { path: { id }, json }));
      verify("CORE-ROLE-32").equal(
        (await gateway.admin.call("listRoles")).data().filter((role) => role.name === json.name),
        [],
        "roles with the name sent to an id that no role has",
      );
    },
  }),

  testCase({
    id: "roles/update-requires-name-and-permissions",
    title: "Update role by id rejects a missing or mistyped name and permissions",
    group: "roles",
    requirements: ["CORE-ROLE-30", "CORE-ROLE-31"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["roles"],
    async run({ gateway, profile, scratch, verify }) {
      const [first = "SYS_USER_RW", second = first] = profile.permissions;
      const { id, name } = await scratch.role([first]);
      const path = { id };
      const before = (await gateway.admin.call("getRole", { path })).data();
      const attempts = [
        { requirement: "CORE-ROLE-30", json: { description: "no name", permissions: [second] } },
        { requirement: "CORE-ROLE-30", json: { name: null, description: "null", permissions: [second] } },
        { requirement: "CORE-ROLE-31", json: { name, description: "no permissions" } },
        { requirement: "CORE-ROLE-31", json: { name, description: "null", permissions: null } },
        { requirement: "CORE-ROLE-31", json: { name, description: "no array", permissions: { id: 1 } } },
      ];
      for (const { requirement, json } of attempts) {
        const answer = await gateway.admin.callInvalid("updateRole", { path, json });
        verify(requirement).refused(answer);
        const after = (await gateway.admin.call("getRole", { path })).data();
        verify(requirement).equal(
          roleFacts(after),
          roleFacts(before),
          "the role after the rejected update",
          answer,
        );
      }
    },
  }),

  testCase({
    id: "roles/users-of-a-role",
    title: "A role lists exactly the users who have it",
    group: "roles",
    requirements: ["CORE-AUTH-35", "CORE-ROLE-11", "CORE-USER-57"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["roles", "users"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const shared = await scratch.role(profile.permissions.slice(0, 1));
      const first = await scratch.user();
      const second = await scratch.user({ isActive: false });
      // An update of the role may refresh what an update of a user did not: it comes last, and not each time.
      const check = async (
        expected: readonly { id: number; name: string }[],
        when: string,
        withUpdate = false,
      ): Promise<void> => {
        const list = await gateway.admin.call("listRoles");
        const one = await gateway.admin.call("getRole", { path: { id: shared.id } });
        const listed = list.data().filter((role) => role.id === shared.id);
        const { name, description, permissions } = one.data();
        const same = { name, description, permissions };
        const updated = withUpdate
          ? await gateway.admin.call("updateRole", { path: { id: shared.id }, json: same })
          : undefined;
        for (const [role, evidence] of [
          [one.data(), one] as const,
          ...listed.map((r) => [r, list] as const),
          ...(updated?.accepted === true ? [[updated.data(), updated] as const] : []),
        ]) {
          verify("CORE-ROLE-11").equal(
            byId(role.users).map(({ id, name }) => ({ id, name })),
            byId(expected).map(({ id, name }) => ({ id, name })),
            `\`users\` of a role ${when}, in the answer of ${evidence.operation}`,
            evidence,
          );
        }
      };
      const give = async (id: number, roles: number[]): Promise<void> => {
        (await gateway.admin.call("updateUser", { path: { id }, json: { roles } })).body();
      };
      await check([], "that no user has");
      await give(first.id, [first.roleId, shared.id]);
      await give(second.id, [shared.id]);
      await check([first, second], "that two users have, one of them inactive", true);
      await gateway.admin.call("updateUser", { path: { id: second.id }, json: { expiredAfter: longPast } });
      const past = (await gateway.admin.call("getUser", { path: { id: second.id } })).data();
      // Whether an expiry may be past, and whether the user has the roles after it, is not stated.
      if (isSameInstant(past.expiredAfter, longPast) && past.roles.some(({ id }) => id === shared.id))
        await check([first, second], "that two users have, one of them expired");
      await give(first.id, [first.roleId]);
      await check([second], "removed from one of two users");
      const twice = { roles: [first.roleId, shared.id, shared.id] };
      const named = await gateway.admin.call("updateUser", { path: { id: first.id }, json: twice });
      // Whether roles may name one twice is not stated; its users are listed once.
      if (named.accepted) await check([first, second], "given to a user by a list that names it twice");
      await give(first.id, [first.roleId]);
      await give(second.id, [second.roleId]);
      await check([], "removed from both users");
      // Whoever may manage users gives a role to themselves, too, where the gateway allows it.
      const permissions = permissionsFor(profile, "updateCurrentUser", "updateUser", "getCurrentUser");
      const own = await scratch.user({ permissions });
      for (const [roles, holders] of [
        [[own.roleId, shared.id], [own]],
        [[own.roleId], []],
      ] as const) {
        // A sign-in may end with the roles that its user had.
        const session = await signInAsSelf(context, own);
        const answer = await session.call("updateCurrentUser", { json: { roles: [...roles] } });
        if (answer.accepted) await check(holders, "after a user's own update");
      }
      // What other cases write meanwhile may refresh a list that is stale: not each time.
      for (let times = 0; times < 4; times++) {
        await give(second.id, [shared.id]);
        await check([second], "given to a user again");
        await give(second.id, [second.roleId]);
        await check([], "removed from that user again");
      }
      // Which names a gateway takes is not stated; a name that it takes is shown whole.
      for (const further of [
        "-of-a-long-name".repeat(4),
        "-of-a-long-name",
        "-longer",
        " é ß 説明 😀 <b>&amp;%41",
      ]) {
        const name = `${scratch.name("user")}${further}`;
        const added = await gateway.admin.call("addUser", {
          json: {
            name,
            password: "Pw-of-names-1!",
            isActive: true,
            expiredAfter: farFuture,
            roles: [shared.id],
          },
        });
        if (!added.accepted) continue;
        removeLater(context, added, "deleteUser", "user");
        const { id } = added.data();
        await check([{ id, name }], `given to the user ${JSON.stringify(name)}`, true);
        await give(id, [first.roleId]);
      }
      const many: { id: number; name: string }[] = [];
      while (many.length < manyUsers) {
        const name = scratch.name("user");
        const json = { name, password: "Pw-of-names-1!", expiredAfter: farFuture, isActive: true };
        const added = await addUser(context, { ...json, roles: [shared.id] });
        // How many users there may be is not stated.
        if (!added.accepted) break;
        many.push({ id: added.data().id, name });
      }
      await check(many, `that ${many.length} users have`, true);
      await verifyRemovedRole(context);
      if (!profile.extensions.has("deleteUser")) return;
      for (const { id } of many) await give(id, [first.roleId]);
      const removed = await scratch.user();
      await give(removed.id, [shared.id]);
      await check([removed], "given to a third user");
      const removal = await gateway.admin.callExtension("deleteUser", { path: { id: removed.id } });
      if (removal.accepted) await check([], "of a user who was removed");
    },
  }),
];
