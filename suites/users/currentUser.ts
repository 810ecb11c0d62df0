import {
  type Answer,
  type CaseContext,
  sameValue,
  type ScratchUser,
  type Session,
  type TestCase,
  testCase,
  type Verify,
} from "../../harness/index.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";
import { neverLoggedIn } from "../../interface/resources/users.ts";
import {
  farFuture,
  idsOf,
  isSameInstant,
  otherUsers,
  verifyUnchanged,
  permissionsFor,
  showsSignIn,
  signInAsSelf,
  userFacts,
} from "./accounts.ts";

/** Checks `loginAt` of a user who has signed in. */
function verifyHasLoggedIn(
  verify: Verify,
  evidence: Answer<"getCurrentUser" | "updateCurrentUser" | "getUser">,
): void {
  const { loginAt } = evidence.data();
  verify.that(!isSameInstant(loginAt, neverLoggedIn), {
    what: `\`loginAt\` of a user who has signed in, in the answer of ${evidence.operation}`,
    expected: `a timestamp other than ${neverLoggedIn}`,
    observed: loginAt,
    evidence,
  });
}

/** Checks that an open sign-in shows what an administrator changes, and that its own update of `email` leaves the rest. */
async function verifyFollows(
  context: CaseContext,
  user: ScratchUser,
  earlier: Session,
  { email, ...others }: { email: string; expiredAfter: string; isActive: boolean; roles: number[] },
): Promise<void> {
  const { gateway, profile, verify, waitFor } = context;
  const path = { id: user.id };
  const isEnded = (await earlier.call("getCurrentUser")).rejected;
  const session = isEnded ? await signInAsSelf(context, user) : earlier;
  const json = { ...others, email: `x${email}` };
  const update = await gateway.admin.call("updateUser", { path, json });
  update.body();
  const view = "the current-user view of an earlier sign-in after an update by an administrator";
  const { settleMs: deadlineMs } = profile.patience;
  let own = await session.call("getCurrentUser");
  let stored = update.data();
  const hasFollowed = async (): Promise<true | undefined> => {
    stored = (await gateway.admin.call("getUser", { path })).data();
    own = await session.call("getCurrentUser");
    return own.rejected || sameValue(userFacts(own.data()), userFacts(stored)) ? true : undefined;
  };
  await waitFor(view, hasFollowed, { deadlineMs }).catch(() => undefined);
  if (own.rejected) return verify("CORE-USER-48").notApplicable(view, "the sign-in has ended");
  verify("CORE-USER-48").equal(userFacts(own.data()), userFacts(stored), view, own);
  const alone = await session.call("updateCurrentUser", { json: { email } });
  if (!alone.accepted) return;
  const after = await gateway.admin.call("getUser", { path });
  verify("CORE-USER-50").equal(
    epochMsOf(after.data().expiredAfter ?? ""),
    epochMsOf(stored.expiredAfter ?? ""),
    "`expiredAfter` (ms since 1970) of an administrator's update, after the user's own update of `email` alone",
    alone,
  );
}

export const currentUserCases: readonly TestCase[] = [
  testCase({
    id: "users/current-user-is-who-signed-in",
    title: "Get current user returns the caller's own record",
    group: "users",
    requirements: ["CORE-USER-09", "CORE-USER-47", "CORE-USER-48"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["users", "roles", "auth"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const permissions = permissionsFor(profile, "getCurrentUser");
      const users = [await scratch.user({ permissions }), await scratch.user({ permissions })];
      const sessions = [];
      for (const user of users) sessions.push({ user, session: await user.signIn() });
      for (const { id } of users) await showsSignIn(context, id);
      for (const { user, session } of [...sessions, ...sessions.toReversed()]) {
        const answer = await session.call("getCurrentUser");
        verify("CORE-USER-47").shape(answer);
        const own = answer.data();
        verify("CORE-USER-48").equal(
          own.id,
          user.id,
          `\`id\` in the current-user view of ${user.name}`,
          answer,
        );
        verifyHasLoggedIn(verify("CORE-USER-09"), answer);
        const byId = (await gateway.admin.call("getUser", { path: { id: user.id } })).data();
        verify("CORE-USER-48").equal(
          userFacts(own),
          userFacts(byId),
          `the current-user view of ${user.name}, compared with Get user by id`,
          answer,
        );
      }
    },
  }),

  testCase({
    id: "users/update-current-user",
    title: "Update current user changes the caller's record and no other",
    group: "users",
    requirements: ["CORE-GENERAL-09", "CORE-USER-09", "CORE-USER-48", "CORE-USER-50", "CORE-USER-51"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["users", "roles", "auth"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, profile, scratch, verify, unmet } = context;
      // With the permission to manage users, a rejection cannot be due to the fields that are changed.
      const permissions = permissionsFor(profile, "updateCurrentUser", "updateUser", "getCurrentUser");
      const extra = await scratch.role(profile.permissions.slice(0, 1));
      const lower = await scratch.user();
      const user = await scratch.user({ permissions });
      const upper = await scratch.user();
      // Given by an administrator: whether users may give themselves a role is not stated.
      const both = { path: { id: user.id }, json: { roles: [user.roleId, extra.id] } };
      (await gateway.admin.call("updateUser", both)).body();
      let session = await signInAsSelf(context, user);
      await showsSignIn(context, user.id);
      const neighbours = [lower.id, upper.id];
      const others = await otherUsers(gateway, neighbours);
      const { createdAt } = (await gateway.admin.call("getUser", { path: { id: user.id } })).data();
      const json = {
        email: "me@example.org",
        expiredAfter: "2093-03-04T05:06:07Z",
        isActive: true,
        roles: [user.roleId, extra.id],
      };
      const fewer = {
        ...json,
        email: "Also.Me+rp@example.org",
        expiredAfter: farFuture,
        roles: [user.roleId],
      };
      for (const body of [json, fewer]) {
        let answer = await session.call("updateCurrentUser", { json: body });
        if (answer.rejected && body !== json) {
          // A sign-in may end with the roles that its user had.
          session = await signInAsSelf(context, user);
          answer = await session.call("updateCurrentUser", { json: body });
        }
        if (!verify("CORE-USER-50").accepted(answer)) unmet("Update current user was rejected");
        verify("CORE-USER-51").equal(answer.data().id, user.id, "`id` of the user in the answer", answer);
        const readBack = await gateway.admin.call("getUser", { path: { id: user.id } });
        for (const [seen, evidence] of [
          [answer.data(), answer],
          [readBack.data(), readBack],
        ] as const) {
          verify("CORE-USER-50").equal(
            { email: seen.email, isActive: seen.isActive, roles: idsOf(seen.roles) },
            { email: body.email, isActive: true, roles: body.roles.toSorted((a, b) => a - b) },
            "`email`, `isActive` and role ids of the current user",
            evidence,
          );
          verify("CORE-USER-50").equal(
            { name: seen.name, createdAt: epochMsOf(seen.createdAt) },
            { name: user.name, createdAt: epochMsOf(createdAt) },
            "`name` and `createdAt` (ms since 1970) of the current user",
            evidence,
          );
          verifyHasLoggedIn(verify("CORE-USER-09"), evidence);
          verify("CORE-USER-50").that(isSameInstant(seen.expiredAfter, body.expiredAfter), {
            what: "`expiredAfter` of the current user",
            expected: `${body.expiredAfter}, in any offset`,
            observed: seen.expiredAfter,
            evidence,
          });
        }
        const own = await session.call("getCurrentUser");
        const view = "the current-user view of an earlier sign-in after the update";
        // A sign-in may end with the roles that its user had.
        if (own.rejected) verify("CORE-USER-48").notApplicable(view, "the sign-in has ended");
        else
          verify("CORE-USER-48").equal(
            { email: own.data().email, expiredAfter: epochMsOf(own.data().expiredAfter ?? "") },
            { email: body.email, expiredAfter: epochMsOf(body.expiredAfter) },
            `\`email\` and \`expiredAfter\` (ms since 1970) in ${view}`,
            own,
          );
        verifyUnchanged(
          verify("CORE-USER-51"),
          [others, await otherUsers(gateway, neighbours)],
          neighbours,
          "the other users after the update",
        );
      }
      // Of the members that an update must store: whether users change their own `isActive` is not stated.
      const mistyped = await session.callInvalid("updateCurrentUser", {
        json: { ...fewer, roles: "every role" },
      });
      verify("CORE-GENERAL-09").refused(mistyped);
      await verifyFollows(context, user, session, { ...fewer, expiredAfter: json.expiredAfter });
    },
  }),
];
