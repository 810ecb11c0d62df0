import { type TestCase, testCase } from "../../harness/index.ts";
import { addUser, farFuture, idsOf, nameless, otherUsers, roleReferences, unusedId } from "./accounts.ts";

/** A length of a password that a gateway must accept. */
const usualLength = 16;

/** What Add user accepts and rejects. */
export const addInputCases: readonly TestCase[] = [
  testCase({
    id: "users/roles-in-both-forms",
    title: "Role references in the other form are rejected, or all of them count",
    group: "users",
    requirements: ["CORE-USER-22", "CORE-USER-38"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["users", "roles"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const { admin } = gateway;
      const first = await scratch.role(profile.permissions.slice(0, 1));
      const second = await scratch.role([]);
      const user = await scratch.user();
      const wanted = idsOf([first, second]);
      const roles = profile.roleReferences === "objects" ? wanted : wanted.map((id) => ({ id }));
      const added = await addUser(context, {
        name: scratch.name("user"),
        password: `Pw-${context.random.word(12)}1!`,
        isActive: true,
        expiredAfter: farFuture,
        roles,
      });
      const updated = await admin.callInvalid("updateUser", { path: { id: user.id }, json: { roles } });
      // Ids of which 16 or 32 bits are those of a role; every other digit counts.
      const [own] = wanted.filter(Number.isSafeInteger);
      for (const beyond of own === undefined ? [] : [own + 2 ** 16, own + 2 ** 32]) {
        const cut = await addUser(context, {
          name: scratch.name("user"),
          password: `Pw-${context.random.word(12)}1!`,
          isActive: true,
          expiredAfter: farFuture,
          roles: roleReferences(profile, [beyond]),
        });
        if (cut.accepted && !wanted.includes(beyond))
          verify("CORE-USER-22").equal(
            idsOf(cut.data().roles).filter((id) => wanted.includes(id)),
            [],
            `roles of a user added with the reference ${beyond}`,
            cut,
          );
      }
      for (const [requirement, answer, id] of [
        ["CORE-USER-22", added, added.accepted ? added.data().id : 0],
        ["CORE-USER-38", updated, user.id],
      ] as const) {
        const shown = answer.accepted
          ? idsOf((await admin.call("getUser", { path: { id } })).data().roles)
          : undefined;
        const what = `roles of a user after ${answer.operation} with ${JSON.stringify(roles)}`;
        // Which of both forms a gateway takes is not stated, nor what it makes of references that it does not know.
        if (shown === undefined || !shown.some((one) => wanted.includes(one)))
          verify(requirement).notApplicable(what, "the gateway does not take this form");
        else verify(requirement).equal(shown, wanted, what, answer);
      }
    },
  }),

  testCase({
    id: "users/add-requires-its-fields",
    title: "Add user rejects missing or mistyped name, password, isActive, expiredAfter and roles",
    group: "users",
    requirements: [
      "CORE-GENERAL-09",
      "CORE-USER-22",
      "CORE-USER-24",
      "CORE-USER-25",
      "CORE-USER-26",
      "CORE-USER-27",
      "CORE-USER-28",
    ],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["users", "roles"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const role = await scratch.role(profile.permissions.slice(0, 1));
      const body = (): Record<string, unknown> & { name: string } => ({
        name: scratch.name("user"),
        password: `Pw-${context.random.word(12)}1!`,
        isActive: true,
        expiredAfter: farFuture,
        roles: roleReferences(profile, [role.id]),
      });
      // Shows that a rejection below is due to the one field that is missing or mistyped.
      (await addUser(context, body())).body();
      const before = nameless(await otherUsers(gateway));
      const required = [
        ["name", "CORE-USER-24"],
        ["password", "CORE-USER-25"],
        ["isActive", "CORE-USER-26"],
        ["expiredAfter", "CORE-USER-27"],
        ["roles", "CORE-USER-28"],
      ] as const;
      const wrong = [
        ["isActive", "maybe", "CORE-USER-26"],
        ["expiredAfter", "next spring", "CORE-USER-27"],
        ["roles", "every role", "CORE-USER-28"],
        // Not for expiredAfter, which is null in the record of a user who does not expire.
        ["name", null, "CORE-USER-24"],
        ["password", null, "CORE-USER-25"],
        ["isActive", null, "CORE-USER-26"],
        ["roles", null, "CORE-USER-28"],
        // Not a number, which a gateway may read as the text of its digits.
        ["email", { no: "text" }, "CORE-GENERAL-09"],
        ["password", { no: "text" }, "CORE-GENERAL-09"],
      ] as const;
      const rejected = new Map<string, string>();
      for (const [field, requirement] of required) {
        const { [field]: _left, ...json } = body();
        rejected.set(String(json["name"]), requirement);
        verify(requirement).refused(await addUser(context, json));
      }
      for (const [field, value, requirement] of wrong) {
        const right = body();
        const json = { ...right, [field]: value };
        rejected.set(right.name, requirement);
        verify(requirement).refused(await addUser(context, json));
      }
      // Whether a role that does not exist is rejected is not stated; what is rejected adds nobody.
      const unknown = unusedId((await gateway.admin.call("listRoles")).data());
      for (const roles of [[unknown], [role.id, unknown]]) {
        const right = body();
        const answer = await addUser(context, { ...right, roles: roleReferences(profile, roles) });
        if (answer.rejected) rejected.set(right.name, "CORE-USER-22");
        else verify("CORE-USER-22").notApplicable("a user of unknown roles", "the gateway accepts them");
      }
      const list = await gateway.admin.call("listUsers");
      const names = new Set(list.data().map((user) => user.name));
      for (const [name, requirement] of rejected) {
        verify(requirement).equal(
          names.has(name) ? "listed" : "not listed",
          "not listed",
          "the user of the rejected request",
          list,
        );
      }
      verify("CORE-USER-24").equal(
        nameless(await otherUsers(gateway)),
        before,
        "users without a name after the rejected requests",
      );
    },
  }),

  testCase({
    id: "users/password-length-on-add",
    title: "Add user rejects passwords of 5 characters and accepts 6 or more",
    group: "users",
    requirements: ["CORE-USER-29", "CORE-USER-30"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["users", "roles"],
    async run(context) {
      const { gateway, profile, random, scratch, verify } = context;
      const role = await scratch.role(profile.permissions.slice(0, 1));
      const add = (name: string, password: string): ReturnType<typeof addUser> =>
        addUser(context, {
          name,
          password,
          isActive: true,
          expiredAfter: farFuture,
          roles: roleReferences(profile, [role.id]),
        });
      // Every kind of character, because a gateway may have rules on the kinds beside the rule on the number.
      const passwordOf = (length: number): string => `A7!${random.word(length - 3)}`;
      for (const length of [6, 7, usualLength, 24, 64]) {
        const name = scratch.name("user");
        const password = passwordOf(length);
        const answer = await add(name, password);
        // How long a password may be is not stated.
        if (length > usualLength && answer.rejected) {
          verify("CORE-USER-30").notApplicable(
            `a password of ${length} characters`,
            "the gateway rejects it",
          );
          continue;
        }
        if (!verify("CORE-USER-30").accepted(answer)) continue;
        verify("CORE-USER-30").accepted(await gateway.anonymous.call("signIn", { json: { name, password } }));
      }
      // 5 characters beyond ASCII have more than 6 bytes: the limit counts characters.
      const short = [passwordOf(5), passwordOf(4), "A7!éü", "Aä7説明", ""].map((password) => ({
        name: scratch.name("user"),
        password,
      }));
      for (const { name, password } of short) verify("CORE-USER-29").refused(await add(name, password));
      const users = (await gateway.admin.call("listUsers")).data();
      verify("CORE-USER-29").equal(
        users.filter((user) => short.some(({ name }) => name === user.name)),
        [],
        "users created by the rejected requests",
      );
    },
  }),
];
