import { type Answer, type ScratchUser, type TestCase, testCase } from "../../harness/index.ts";
import { neverLoggedIn } from "../../interface/resources/users.ts";
import {
  addUser,
  beyondNanoseconds,
  farFuture,
  idsOf,
  isSameInstant,
  likeIds,
  listedUserFacts,
  longEmail,
  otherUsers,
  verifyUnchanged,
  unusedId,
} from "./accounts.ts";
import { trySignIn } from "./passwords.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

export const updatingCases: readonly TestCase[] = [
  testCase({
    id: "users/update-stores-what-was-sent",
    title: "Update user by ID stores email, expiredAfter, isActive and roles of that user only",
    group: "users",
    requirements: [
      "CORE-GENERAL-09",
      "CORE-USER-09",
      "CORE-USER-16",
      "CORE-USER-35",
      "CORE-USER-36",
      "CORE-USER-37",
      "CORE-USER-38",
      "CORE-USER-39",
      "CORE-USER-40",
    ],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["users", "roles"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const { admin } = gateway;
      // Created before the users, because removal runs in reverse order and a role in use may not be removable.
      const extra = await scratch.role(profile.permissions.slice(0, 1));
      const lower = await scratch.user();
      const user = await scratch.user();
      const upper = await scratch.user();
      // Of the same roles: a gateway may give both users one list.
      const twin = await addUser(context, {
        name: scratch.name("twin"),
        password: `${user.password}2`,
        expiredAfter: farFuture,
        isActive: true,
        roles: [user.roleId],
      });
      const path = { id: user.id };
      const neighbours = [lower.id, upper.id, twin.data().id];
      const others = await otherUsers(gateway, neighbours);
      const created = (await admin.call("getUser", { path })).data();
      const states = [
        { email: "one@example.org", expiredAfter: farFuture, isActive: true, roles: [user.roleId, extra.id] },
        {
          email: "Two+Tag@example.org",
          expiredAfter: "2092-02-29T23:59:59-03:30",
          isActive: false,
          roles: [extra.id],
        },
        {
          email: "Two+Tag@example.org",
          expiredAfter: "2090-01-01T00:00:00Z",
          isActive: true,
          roles: [user.roleId],
        },
      ];
      for (const json of states) {
        const answer = await admin.call("updateUser", { path, json });
        verify("CORE-USER-40").accepted(answer);
        const readBack = await admin.call("getUser", { path });
        for (const [seen, evidence] of [
          [answer.data(), answer],
          [readBack.data(), readBack],
        ] as const) {
          verify("CORE-USER-40").equal(
            { id: seen.id, name: seen.name, createdAt: epochMsOf(seen.createdAt) },
            { id: user.id, name: user.name, createdAt: epochMsOf(created.createdAt) },
            "`id`, `name` and `createdAt` (ms since 1970) of the updated user",
            evidence,
          );
          verify("CORE-USER-35").equal(seen.email, json.email, "`email` of the updated user", evidence);
          verify("CORE-USER-36").that(isSameInstant(seen.expiredAfter, json.expiredAfter), {
            what: "`expiredAfter` of the updated user",
            expected: `${json.expiredAfter}, in any offset`,
            observed: seen.expiredAfter,
            evidence,
          });
          verify("CORE-USER-37").equal(
            seen.isActive,
            json.isActive,
            "`isActive` of the updated user",
            evidence,
          );
          verify("CORE-USER-38").equal(
            idsOf(seen.roles),
            json.roles.toSorted((a, b) => a - b),
            "role ids of the updated user",
            evidence,
          );
        }
        const list = await admin.call("listUsers");
        verify("CORE-USER-16").equal(
          list
            .data()
            .filter((one) => one.id === user.id)
            .map(listedUserFacts),
          [listedUserFacts(readBack.data())],
          "the updated user in List users, compared with Get user by id",
          list,
        );
        verifyUnchanged(
          verify("CORE-USER-39"),
          [others, await otherUsers(gateway, neighbours)],
          neighbours,
          "the other users after the update",
        );
      }
      for (const expiredAfter of ["2091-05-06T07:08:09.250Z", beyondNanoseconds]) {
        const late = await admin.call("updateUser", { path, json: { ...states[0], expiredAfter } });
        // How late a user may expire is not stated.
        if (expiredAfter === beyondNanoseconds && late.rejected) continue;
        if (!verify("CORE-USER-36").accepted(late)) continue;
        const seen = await admin.call("getUser", { path });
        const apartMs = Math.abs(epochMsOf(seen.data().expiredAfter ?? "") - epochMsOf(expiredAfter));
        // A gateway may count in whole seconds.
        verify("CORE-USER-36").that(apartMs < 1000, {
          what: `\`expiredAfter\` of a user updated with ${expiredAfter}`,
          expected: expiredAfter,
          observed: seen.data().expiredAfter,
          evidence: seen,
        });
      }
      for (const [email, how] of [
        ["ünï-\u{1F600}@example.org", "with characters outside ASCII"],
        [longEmail, `of ${longEmail.length} characters`],
      ] as const) {
        const answer = await admin.call("updateUser", { path, json: { ...states[0], email } });
        // Which addresses a gateway takes is not stated; an accepted one is stored as sent.
        if (answer.accepted)
          verify("CORE-USER-35").equal(
            (await admin.call("getUser", { path })).data().email,
            email,
            `\`email\` ${how} of the updated user`,
            answer,
          );
      }
      // A gateway may require one role at least; where it accepts none, the user has none.
      const without = await admin.call("updateUser", { path, json: { ...states[0], roles: [] } });
      if (without.accepted) {
        const list = (await admin.call("listUsers")).data();
        const one = (await admin.call("getUser", { path })).data();
        for (const seen of [without.data(), one, ...list.filter(({ id }) => id === user.id)])
          verify("CORE-USER-38").equal(
            idsOf(seen.roles),
            [],
            "role ids of a user updated with an empty `roles`",
            without,
          );
      }
      const never = { path: { id: twin.data().id } };
      (await admin.call("updateUser", { ...never, json: { expiredAfter: "2091-01-01T00:00:00Z" } })).body();
      const newcomer = await admin.call("getUser", never);
      verify("CORE-USER-09").that(isSameInstant(newcomer.data().loginAt, neverLoggedIn), {
        what: "`loginAt` of a user who has never signed in, after an update by ID",
        expected: neverLoggedIn,
        observed: newcomer.data().loginAt,
        evidence: newcomer,
      });
      for (const wrong of [{ isActive: "maybe" }, { expiredAfter: "next spring" }, { roles: "every role" }]) {
        const json = { ...states[0], ...wrong };
        verify("CORE-GENERAL-09").refused(await admin.callInvalid("updateUser", { path, json }));
      }
      const everyone = (await admin.call("listUsers")).data();
      const json = { email: "nobody@example.org" };
      for (const id of [unusedId(everyone), "no-number", ...likeIds(everyone, user.id)])
        verify("CORE-USER-40").refused(await admin.callInvalid("updateUser", { path: { id }, json }));
    },
  }),

  testCase({
    id: "users/permissions-follow-the-roles",
    title: "The permissions of all users follow their roles, including later changes",
    group: "users",
    requirements: ["CORE-USER-57"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["users", "roles"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, profile, scratch, verify, unmet } = context;
      const { admin } = gateway;
      const [first, second] = profile.permissions;
      if (first === undefined || second === undefined) {
        return unmet("the profile declares fewer than two permissions");
      }
      const other = await scratch.role([second]);
      const users = [
        await scratch.user({ permissions: [first] }),
        await scratch.user({ permissions: [first] }),
        await scratch.user({ permissions: [first] }),
      ];
      const check = async (expected: readonly string[], when: string): Promise<void> => {
        const list = await admin.call("listUsers");
        for (const { id } of users) {
          const one = await admin.call("getUser", { path: { id } });
          const listed = list.data().filter((seen) => seen.id === id);
          for (const [seen, evidence] of [
            [one.data(), one] as const,
            ...listed.map((u) => [u, list] as const),
          ])
            verifyPermissions(seen.permissions, expected, when, evidence);
        }
      };
      const verifyPermissions = (
        seen: readonly string[],
        expected: readonly string[],
        when: string,
        evidence: Answer,
      ): void => {
        for (const permission of [first, second])
          verify("CORE-USER-57").equal(
            seen.includes(permission),
            expected.includes(permission),
            `${permission} among the user's \`permissions\` ${when}`,
            evidence,
          );
      };
      /** Each user signs in, and reads its own record. */
      const checkOwn = async (expected: readonly string[], when: string): Promise<void> => {
        for (const user of users) {
          const signedIn = await trySignIn(context, user.name, user.password);
          const { permissions } = signedIn.data().user;
          verifyPermissions(permissions, expected, `${when}, in the answer of Sign in`, signedIn);
          const session = gateway.withToken(signedIn.data().token, user.name);
          const own = await session.call("getCurrentUser");
          // It may need a permission that the user lacks.
          if (own.accepted)
            verifyPermissions(own.data().permissions, expected, `${when}, in its own view`, own);
        }
      };
      const giveRoles = async (roles: (user: ScratchUser) => number[]): Promise<void> => {
        for (const user of users)
          (await admin.call("updateUser", { path: { id: user.id }, json: { roles: roles(user) } })).body();
      };
      const setRole = async (permissions: string[]): Promise<void> => {
        const json = { name: other.name, description: "", permissions };
        (await admin.call("updateRole", { path: { id: other.id }, json })).body();
      };
      await check([first], "with one role");
      await giveRoles(({ roleId }) => [roleId, other.id]);
      await check([first, second], "with two roles");
      await checkOwn([first, second], "with two roles");
      await giveRoles(() => [other.id]);
      await check([second], "with the other role");
      await setRole([first]);
      await check([first], "after the role's permissions were replaced");
      await setRole([first, second]);
      await check([first, second], "after a permission was added to the role");
      // Not those that the role had when it was given.
      await setRole([first]);
      await check([first], "after a permission was removed from the role");
      await checkOwn([first], "after a permission was removed from the role");
      // What two roles have, one of them keeps.
      await giveRoles(({ roleId }) => [roleId, other.id]);
      await check([first], "with two roles that have it");
      await setRole([second]);
      await check([first, second], "after a permission was removed from one of two roles that had it");
      await setRole([first, second]);
      await giveRoles(({ roleId }) => [roleId]);
      await check([first], "after one of two roles with the permission was taken");
    },
  }),
];
