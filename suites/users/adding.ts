import { neverLoggedIn } from "../../interface/resources/users.ts";
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import {
  addUser,
  asSet,
  beyondNanoseconds,
  farFuture,
  idsOf,
  isSameInstant,
  longEmail,
  otherUsers,
  verifyUnchanged,
  presence,
  removeLater,
  roleReferences,
  showsSignIn,
  verifyRecent,
  listedUserFacts,
} from "./accounts.ts";
import { trySignIn } from "./passwords.ts";

/** More than a user usually has. */
const mostRoles = 9;

/** Adds users with members of the answer: each may be rejected or ignored, and none is stored. */
async function verifyForeignMembers(
  context: CaseContext,
  known: readonly number[],
  id: number,
): Promise<void> {
  const { gateway, profile, random, scratch, verify } = context;
  const { admin } = gateway;
  const role = await scratch.role([]);
  const earlier = listedUserFacts((await admin.call("getUser", { path: { id } })).data());
  for (const foreign of [{ id }, { permissions: profile.permissions, loginAt: "2020-01-01T00:00:00Z" }]) {
    const how = `with ${Object.keys(foreign).join(" and ")}`;
    const answer = await addUser(context, {
      name: scratch.name("user"),
      password: `Pw-${random.word(12)}1!`,
      isActive: false,
      expiredAfter: farFuture,
      roles: roleReferences(profile, [role.id]),
      ...foreign,
    });
    verify("CORE-USER-23").equal(
      listedUserFacts((await admin.call("getUser", { path: { id } })).data()),
      earlier,
      `user ${id} after another was added ${how}`,
      answer,
    );
    if (!answer.accepted) {
      verify("CORE-USER-57").notApplicable(`\`permissions\` of a user added ${how}`, "it is rejected");
      continue;
    }
    const { id: own } = answer.data();
    verify("CORE-USER-23").that(!known.includes(own), {
      what: `\`id\` of a user added ${how}`,
      expected: "an id that no other user has",
      observed: own,
      evidence: answer,
    });
    const shown = await admin.call("getUser", { path: { id: own } });
    const { permissions, loginAt } = shown.data();
    if ("id" in foreign) continue;
    // A user may have further ones that everybody has.
    verify("CORE-USER-57").equal(
      asSet(profile.permissions.filter((one) => permissions.includes(one))),
      asSet(role.permissions),
      `known permissions among \`permissions\` of a user added ${how}`,
      shown,
    );
    verify("CORE-USER-09").that(isSameInstant(loginAt, neverLoggedIn), {
      what: `\`loginAt\` of a user added ${how}`,
      expected: neverLoggedIn,
      observed: loginAt,
      evidence: shown,
    });
  }
}

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
      "CORE-USER-38",
      "CORE-USER-57",
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
      const manyRoles = [...roles];
      while (manyRoles.length < mostRoles) manyRoles.push(await scratch.role([]));
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
        // Nor is how late a user may expire.
        {
          email: "late@example.org",
          isActive: true,
          expiredAfter: beyondNanoseconds,
          roles: [firstRole],
          mayBeRejected: true,
        },
        // How many roles a user may have is not stated either.
        {
          email: "many.roles@example.org",
          isActive: true,
          expiredAfter: farFuture,
          roles: manyRoles.map(({ id }) => id).toReversed(),
          mayBeRejected: true,
        },
      ];
      const inactive: number[] = [];
      let areShown = true;
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
        if (!wish.isActive) {
          inactive.push(added.id);
          await gateway.anonymous.call("signIn", { json: { name, password: shared.password } });
        }
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
            asSet(manyRoles.filter((role) => wish.roles.includes(role.id)).map((role) => role.name)),
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
        const listedLogin = (all: typeof list): string | undefined =>
          all.data().find(({ id }) => id === added.id)?.loginAt;
        verify("CORE-USER-09").that(isSameInstant(listedLogin(list) ?? null, neverLoggedIn), {
          what: "`loginAt` of a user who has never signed in, in List users",
          expected: neverLoggedIn,
          observed: listedLogin(list),
          evidence: list,
        });
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
          // Where one is never shown, the wait for the next one is no longer.
          areShown &&= await showsSignIn(context, added.id);
          const later = await admin.call("getUser", { path: { id: added.id } });
          verify("CORE-USER-09").that(!isSameInstant(later.data().loginAt, neverLoggedIn), {
            what: "`loginAt` after a sign-in",
            expected: `a timestamp other than ${neverLoggedIn}`,
            observed: later.data().loginAt,
            evidence: later,
          });
          verifyRecent(verify("CORE-USER-08"), later, "loginAt", { isNew: true });
          const laterList = await admin.call("listUsers");
          verify("CORE-USER-09").that(!isSameInstant(listedLogin(laterList) ?? null, neverLoggedIn), {
            what: "`loginAt` after a sign-in, in List users",
            expected: `a timestamp other than ${neverLoggedIn}`,
            observed: listedLogin(laterList),
            evidence: laterList,
          });
          if (mayBeRejected && wish.roles.length < mostRoles) continue;
          const updated = await admin.call("updateUser", {
            path: { id: added.id },
            json: { ...wish, email: "later@example.org" },
          });
          if (!updated.accepted) continue;
          const readAgain = await admin.call("getUser", { path: { id: added.id } });
          for (const evidence of [updated, readAgain]) {
            const { loginAt, roles: shown } = evidence.data();
            verify("CORE-USER-38").equal(
              idsOf(shown),
              wish.roles.toSorted((a, b) => a - b),
              "role ids of the new user, after an update by ID",
              evidence,
            );
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
      await verifyForeignMembers(context, [...known], inactive[0] ?? 0);
      for (const id of inactive) {
        const never = await admin.call("getUser", { path: { id } });
        verify("CORE-USER-09").that(isSameInstant(never.data().loginAt, neverLoggedIn), {
          what: "`loginAt` of a user who has never signed in, after sign-ins of others",
          expected: neverLoggedIn,
          observed: never.data().loginAt,
          evidence: never,
        });
      }
      verifyUnchanged(
        verify("CORE-USER-23"),
        [before, await otherUsers(gateway)],
        [],
        "the other users after the additions",
      );
    },
  }),
];
