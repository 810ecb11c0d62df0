import { neverLoggedIn } from "../../interface/resources/users.ts";
import { type TestCase, testCase } from "../../harness/index.ts";
import {
  addUser,
  asSet,
  farFuture,
  idsOf,
  isSameInstant,
  longEmail,
  otherUsers,
  presence,
  removeLater,
  verifyRecent,
  roleReferences,
  listedUserFacts,
} from "./accounts.ts";
import { trySignIn } from "./passwords.ts";

export const addingCases: readonly TestCase[] = [
  testCase({
    id: "users/add-stores-what-was-sent",
    title: "A new user is stored as sent, listed once, and has never signed in",
    group: "users",
    requirements: [
      "CORE-USER-08",
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
    touches: ["accounts", "sign-in-failures"],
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
          email: "First.Last+rp@example.org",
          isActive: true,
          expiredAfter: "2098-07-06T05:04:03Z",
          roles: [firstRole],
        },
        { email: undefined, isActive: false, expiredAfter: farFuture, roles: [firstRole, secondRole] },
        // 22:30 at +05:30 is 17:00 UTC: the same instant is expected, in any offset.
        {
          email: "b@example.org",
          isActive: true,
          expiredAfter: "2097-11-30T22:30:00+05:30",
          roles: [secondRole],
        },
        {
          email: "leap@example.org",
          isActive: true,
          expiredAfter: "2096-02-29T05:04:03.000Z",
          roles: [firstRole],
        },
        // Whether a user may have no role is not stated.
        {
          email: "c@example.org",
          isActive: false,
          expiredAfter: farFuture,
          roles: [],
          mayBeRejected: true,
        },
        {
          email: "o'neil&sons+rp@example.org",
          isActive: true,
          expiredAfter: farFuture,
          roles: [firstRole],
          mayBeRejected: true,
        },
        {
          email: longEmail,
          isActive: true,
          expiredAfter: farFuture,
          roles: [firstRole],
          mayBeRejected: true,
        },
      ];
      for (const { email, mayBeRejected = false, ...wish } of wishes) {
        const name = scratch.name("user");
        const json = { ...shared, ...wish, name, ...(email === undefined ? {} : { email }) };
        const answer = await admin.call("addUser", { json });
        removeLater(context, answer, "deleteUser", "user");
        // Which addresses are valid is not stated either; an accepted one is stored as sent.
        if (mayBeRejected && answer.status >= 400 && answer.status < 500) continue;
        verify(email === undefined ? "CORE-USER-19" : "CORE-USER-18").accepted(answer);
        const added = answer.data();
        verify("CORE-USER-23").that(!known.has(added.id), {
          what: "`id` of the new user",
          expected: "an id that no other user has",
          observed: added.id,
          evidence: answer,
        });
        known.add(added.id);
        // A rejected sign-in is no login either.
        if (!wish.isActive)
          await gateway.anonymous.call("signIn", { json: { name, password: shared.password } });
        const readBack = await admin.call("getUser", { path: { id: added.id } });
        for (const [user, evidence] of [
          [added, answer],
          [readBack.data(), readBack],
        ] as const) {
          verify("CORE-USER-18").equal(user.name, name, "`name` of the new user", evidence);
          if (email !== undefined)
            verify("CORE-USER-18").equal(user.email, email, "`email` of the new user", evidence);
          verify("CORE-USER-20").equal(user.isActive, wish.isActive, "`isActive` of the new user", evidence);
          verify("CORE-USER-21").that(isSameInstant(user.expiredAfter, wish.expiredAfter), {
            what: "`expiredAfter` of the new user",
            expected: `${wish.expiredAfter}, in any offset`,
            observed: user.expiredAfter,
            evidence,
          });
          verify("CORE-USER-22").equal(
            idsOf(user.roles),
            [...wish.roles].toSorted((a, b) => a - b),
            "role ids of the new user",
            evidence,
          );
          verify("CORE-USER-22").equal(
            asSet(user.roles.map((role) => role.name)),
            asSet(roles.filter((role) => wish.roles.includes(role.id)).map((role) => role.name)),
            "role names of the new user",
            evidence,
          );
          verify("CORE-USER-09").that(isSameInstant(user.loginAt, neverLoggedIn), {
            what: "`loginAt` of a user who has never signed in",
            expected: neverLoggedIn,
            observed: user.loginAt,
            evidence,
          });
          verify("CORE-USER-13").equal(
            presence(evidence, "remindToChangePassword"),
            "absent",
            "`remindToChangePassword` outside the current-user view",
            evidence,
          );
        }
        verify("CORE-USER-33").equal(
          readBack.data().id,
          added.id,
          "`id` in the answer of Get user by id",
          readBack,
        );
        const list = await admin.call("listUsers");
        verify("CORE-USER-15").equal(
          list.body().count,
          list.body().data.length,
          "`count` of List users",
          list,
        );
        verify("CORE-USER-16").equal(
          list
            .data()
            .filter((user) => user.id === added.id)
            .map(listedUserFacts),
          [listedUserFacts(readBack.data())],
          "the new user in List users, compared with Get user by id",
          list,
        );
        if (wish.isActive) {
          // A sign-in that was rejected is none.
          await trySignIn(context, name, `${shared.password}x`);
          const never = await admin.call("getUser", { path: { id: added.id } });
          verify("CORE-USER-09").that(isSameInstant(never.data().loginAt, neverLoggedIn), {
            what: "`loginAt` of a user whose only sign-in was rejected",
            expected: neverLoggedIn,
            observed: never.data().loginAt,
            evidence: never,
          });
          await gateway.signIn(name, shared.password);
          const later = await admin.call("getUser", { path: { id: added.id } });
          verify("CORE-USER-09").that(!isSameInstant(later.data().loginAt, neverLoggedIn), {
            what: "`loginAt` after a sign-in",
            expected: `a timestamp other than ${neverLoggedIn}`,
            observed: later.data().loginAt,
            evidence: later,
          });
          verifyRecent(verify("CORE-USER-08"), later, "loginAt");
          if (mayBeRejected) continue;
          const updated = await admin.call("updateUser", {
            path: { id: added.id },
            json: { ...wish, email: "later@example.org" },
          });
          if (!updated.accepted) continue;
          const readAgain = await admin.call("getUser", { path: { id: added.id } });
          for (const evidence of [updated, readAgain]) {
            const { loginAt } = evidence.data();
            verify("CORE-USER-09").that(!isSameInstant(loginAt, neverLoggedIn), {
              what: "`loginAt` of a user who has signed in, after an update by ID",
              expected: `a timestamp other than ${neverLoggedIn}`,
              observed: loginAt,
              evidence,
            });
            verify("CORE-USER-13").equal(
              presence(evidence, "remindToChangePassword"),
              "absent",
              "`remindToChangePassword` outside the current-user view, after an update by ID",
              evidence,
            );
          }
        }
      }
      verify("CORE-USER-23").equal(
        [...(await otherUsers(gateway)).values()],
        [...before.values()],
        "the other users after the additions",
      );
    },
  }),

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
    requirements: ["CORE-USER-24", "CORE-USER-25", "CORE-USER-26", "CORE-USER-27", "CORE-USER-28"],
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
      const rejected = new Map<string, string>();
      for (const [field, requirement] of required) {
        const { [field]: _left, ...json } = body();
        rejected.set(String(json["name"]), requirement);
        verify(requirement).refused(await addUser(context, json));
      }
      for (const [field, value, requirement] of wrong) {
        const json = { ...body(), [field]: value };
        rejected.set(json.name, requirement);
        verify(requirement).refused(await addUser(context, json));
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
        [...(await otherUsers(gateway)).keys()],
        before,
        "ids of the other users after the rejected requests",
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
      for (const length of [6, 7, 24, 64]) {
        const name = scratch.name("user");
        const password = passwordOf(length);
        const answer = await add(name, password);
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
