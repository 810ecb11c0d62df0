import { neverLoggedIn } from "../../interface/resources/users.ts";
import { type TestCase, testCase } from "../../harness/index.ts";
import {
  addUser,
  asSet,
  farFuture,
  idsOf,
  isSameInstant,
  otherUsers,
  removeLater,
  roleReferences,
  userFacts,
} from "./accounts.ts";

export const addingCases: readonly TestCase[] = [
  testCase({
    id: "users/add-stores-what-was-sent",
    title: "An added user has what was sent, is one more user, and has never logged in",
    group: "users",
    requirements: [
      "CORE-USER-09",
      "CORE-USER-13",
      "CORE-USER-15",
      "CORE-USER-16",
      "CORE-USER-18",
      "CORE-USER-19",
      "CORE-USER-20",
      "CORE-USER-21",
      "CORE-USER-22",
      "CORE-USER-23",
      "CORE-USER-33",
    ],
    effect: "reversible",
    touches: ["accounts"],
    capabilities: ["users", "roles"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const { admin } = gateway;
      const roles = [
        await scratch.role(profile.permissions.slice(0, 1)),
        await scratch.role(profile.permissions),
      ];
      const [firstRole = 0, secondRole = 0] = roles.map((role) => role.id);
      const before = await otherUsers(gateway);
      const known = new Set((await admin.call("listUsers")).data().map((user) => user.id));
      const shared = { password: `Pw-${context.random.word(12)}1!` };
      const wishes = [
        {
          email: "first.last+rp@example.org",
          isActive: true,
          expiredAfter: "2098-07-06T05:04:03Z",
          roles: [firstRole],
        },
        { email: undefined, isActive: false, expiredAfter: farFuture, roles: [firstRole, secondRole] },
        // 22:30 at +05:30 is 17:00 UTC: the same instant must come back, in whatever offset.
        {
          email: "b@example.org",
          isActive: true,
          expiredAfter: "2097-11-30T22:30:00+05:30",
          roles: [secondRole],
        },
      ];
      for (const { email, ...wish } of wishes) {
        const name = scratch.name("user");
        const json = { ...shared, ...wish, name, ...(email === undefined ? {} : { email }) };
        const answer = await admin.call("addUser", { json });
        removeLater(context, answer, "deleteUser", "user");
        verify(email === undefined ? "CORE-USER-19" : "CORE-USER-18").accepted(answer);
        const added = answer.data();
        verify("CORE-USER-23").that(!known.has(added.id), {
          what: "id of the added user",
          expected: "an id that no user had",
          observed: added.id,
          evidence: answer,
        });
        known.add(added.id);
        // One who may not sign in and tries has not logged in either.
        if (!wish.isActive)
          await gateway.anonymous.call("signIn", { json: { name, password: shared.password } });
        const readBack = await admin.call("getUser", { path: { id: added.id } });
        for (const [user, evidence] of [
          [added, answer],
          [readBack.data(), readBack],
        ] as const) {
          verify("CORE-USER-18").equal(user.name, name, "name of the added user", evidence);
          if (email !== undefined) verify("CORE-USER-18").equal(user.email, email, "its email", evidence);
          verify("CORE-USER-20").equal(user.isActive, wish.isActive, "its isActive", evidence);
          verify("CORE-USER-21").that(isSameInstant(user.expiredAfter, wish.expiredAfter), {
            what: "its expiredAfter",
            expected: `the instant ${wish.expiredAfter}`,
            observed: user.expiredAfter,
            evidence,
          });
          verify("CORE-USER-22").equal(
            idsOf(user.roles),
            wish.roles.toSorted((a, b) => a - b),
            "ids of its roles",
            evidence,
          );
          verify("CORE-USER-22").equal(
            asSet(user.roles.map((role) => role.name)),
            asSet(roles.filter((role) => wish.roles.includes(role.id)).map((role) => role.name)),
            "names of its roles",
            evidence,
          );
          verify("CORE-USER-09").that(isSameInstant(user.loginAt, neverLoggedIn), {
            what: "loginAt of a user who has never logged in",
            expected: neverLoggedIn,
            observed: user.loginAt,
            evidence,
          });
          verify("CORE-USER-13").equal(
            "remindToChangePassword" in user,
            false,
            "whether the user has remindToChangePassword",
            evidence,
          );
        }
        verify("CORE-USER-33").equal(readBack.data().id, added.id, "id of the user asked for", readBack);
        const list = await admin.call("listUsers");
        verify("CORE-USER-15").equal(list.body().count, list.body().data.length, "count of List users", list);
        verify("CORE-USER-16").equal(
          list
            .data()
            .filter((user) => user.id === added.id)
            .map(userFacts),
          [userFacts(readBack.data())],
          "the added user as listed",
          list,
        );
        if (wish.isActive) {
          await gateway.signIn(name, shared.password);
          const later = await admin.call("getUser", { path: { id: added.id } });
          verify("CORE-USER-09").that(!isSameInstant(later.data().loginAt, neverLoggedIn), {
            what: "loginAt of a user who has logged in",
            expected: `a timestamp other than ${neverLoggedIn}`,
            observed: later.data().loginAt,
            evidence: later,
          });
        }
      }
      verify("CORE-USER-23").equal(
        [...(await otherUsers(gateway)).values()],
        [...before.values()],
        "the other users afterwards",
      );
    },
  }),

  testCase({
    id: "users/add-requires-its-fields",
    title: "A user without name, password, isActive, expiredAfter or roles is not added",
    group: "users",
    requirements: ["CORE-USER-24", "CORE-USER-25", "CORE-USER-26", "CORE-USER-27", "CORE-USER-28"],
    effect: "reversible",
    touches: ["accounts"],
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
      // Without this the refusals below could be for another reason than the missing field.
      (await addUser(context, body())).body();
      const before = [...(await otherUsers(gateway)).keys()];
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
      ] as const;
      const refused = new Map<string, string>();
      for (const [field, requirement] of required) {
        const { [field]: _left, ...json } = body();
        refused.set(String(json["name"]), requirement);
        verify(requirement).refused(await addUser(context, json));
      }
      for (const [field, value, requirement] of wrong) {
        const json = { ...body(), [field]: value };
        refused.set(json.name, requirement);
        verify(requirement).refused(await addUser(context, json));
      }
      const list = await gateway.admin.call("listUsers");
      const names = new Set(list.data().map((user) => user.name));
      for (const [name, requirement] of refused) {
        verify(requirement).equal(names.has(name), false, "whether the refused user is listed", list);
      }
      verify("CORE-USER-24").equal(
        [...(await otherUsers(gateway)).keys()],
        before,
        "ids of the other users afterwards",
      );
    },
  }),

  testCase({
    id: "users/password-length-on-add",
    title: "A password of 5 characters is refused, one of 6 and of more is taken",
    group: "users",
    requirements: ["CORE-USER-29", "CORE-USER-30"],
    effect: "reversible",
    touches: ["accounts"],
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
      // Every kind of character, so that no rule on their kinds stands in the way of the rule on their number.
      const passwordOf = (length: number): string => `A7!${random.word(length - 3)}`;
      for (const length of [6, 7, 24]) {
        const name = scratch.name("user");
        const password = passwordOf(length);
        const answer = await add(name, password);
        if (!verify("CORE-USER-30").accepted(answer)) continue;
        verify("CORE-USER-30").accepted(await gateway.anonymous.call("signIn", { json: { name, password } }));
      }
      const short = [5, 4].map((length) => ({ name: scratch.name("user"), password: passwordOf(length) }));
      short.push({ name: scratch.name("user"), password: "" });
      for (const { name, password } of short) verify("CORE-USER-29").refused(await add(name, password));
      const users = (await gateway.admin.call("listUsers")).data();
      verify("CORE-USER-29").equal(
        users.filter((user) => short.some(({ name }) => name === user.name)),
        [],
        "users that came of the refused calls",
      );
    },
  }),
];
