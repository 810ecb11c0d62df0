import { type TestCase, testCase } from "../../harness/index.ts";
import { neverLoggedIn } from "../../interface/resources/users.ts";
import { dateTimeText } from "../support/dateTime.ts";
import {
  addUser,
  farFuture,
  isSameInstant,
  longPast,
  permissionsFor,
  presence,
  showsSignIn,
  userFacts,
} from "../users/accounts.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

/** Time until the expiry that the case sets; long enough for a slow sign-in before it. */
const untilExpiryMs = 5000;

/** A lock may begin and end in whole seconds. */
const lockSlackSec = 2;

/** A user is created and read within this time, or the clocks are taken for different ones. */
const clockSlackMs = 3000;

const hourMs = 3_600_000;

const shared = {
  group: "auth",
  effect: "reversible",
  touches: [],
  addsTo: ["accounts"],
  capabilities: ["auth", "users", "roles"],
} as const;

export const signInCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "auth/sign-in-answers-token-and-user",
    title: "Sign in returns status 200, a valid token and the user's record",
    requirements: [
      "CORE-AUTH-01",
      "CORE-AUTH-03",
      "CORE-AUTH-04",
      "CORE-AUTH-05",
      "CORE-AUTH-06",
      "CORE-AUTH-11",
      "CORE-USER-09",
      "CORE-USER-13",
    ],
    tags: ["smoke"],
    async run(context) {
      const { gateway, profile, scratch, verify } = context;
      const permissions = permissionsFor(profile, "getCurrentUser");
      const first = await scratch.user({ permissions });
      const second = await scratch.user({ permissions: profile.permissions });
      const tokens: { name: string; token: string }[] = [];
      let areShown = true;
      for (const { id, name, password } of [first, second, first]) {
        for (const extra of [{}, { acceptEULA: true }]) {
          const answer = await gateway.anonymous.call("signIn", { json: { name, password, ...extra } });
          verify("CORE-AUTH-06").accepted(answer);
          verify("CORE-AUTH-05").equal(answer.status, 200, "status of a successful sign-in", answer);
          verify("CORE-AUTH-01").shape(answer);
          const { token, user } = answer.data();
          const byId = (await gateway.admin.call("getUser", { path: { id } })).data();
          verify("CORE-AUTH-03").equal(
            userFacts(user),
            userFacts(byId),
            "`user` in the answer of Sign in, compared with Get user by id",
            answer,
          );
          // Whether the first sign-in shows itself or the time before is not stated.
          const isFurther = tokens.some((one) => one.name === name);
          areShown &&= await showsSignIn(context, id);
          if (isFurther)
            verify("CORE-USER-09").that(!isSameInstant(user.loginAt, neverLoggedIn), {
              what: "`loginAt` of `user` in the answer of a further Sign in",
              expected: `a timestamp other than ${neverLoggedIn}`,
              observed: user.loginAt,
              evidence: answer,
            });
          verify("CORE-AUTH-04").equal(
            presence(answer, "user.createdAt"),
            "absent",
            "`createdAt` of `user` in the answer of Sign in",
            answer,
          );
          verify("CORE-USER-13").equal(
            presence(answer, "user.remindToChangePassword"),
            "absent",
            "`remindToChangePassword` of `user` in the answer of Sign in",
            answer,
          );
          tokens.push({ name, token });
        }
      }
      const declined = await gateway.anonymous.call("signIn", {
        json: { name: first.name, password: first.password, acceptEULA: false },
      });
      // Whether a sign-in without consent succeeds is not stated.
      if (declined.accepted) {
        const { token, user } = declined.data();
        tokens.push({ name: first.name, token });
        verify("CORE-AUTH-03").equal(
          { id: user.id, name: user.name },
          { id: first.id, name: first.name },
          "`id` and `name` of `user` in the answer of Sign in with acceptEULA false",
          declined,
        );
      }
      const own = await gateway.admin.call("getWebsocketToken");
      verify("CORE-AUTH-11").accepted(own);
      // Tokens of both users, because a gateway may confuse a token's user with the last user who signed in.
      // The last one of each user is valid; how long earlier ones live is open.
      const latest = new Map(tokens.map(({ name, token }) => [name, token]));
      for (const { name, token } of tokens.slice(-4)) {
        const answer = await gateway.withToken(token, name).call("getCurrentUser");
        if (!answer.accepted && latest.get(name) !== token) {
          verify("CORE-AUTH-11").refused(answer);
          continue;
        }
        verify("CORE-AUTH-11").accepted(answer);
        verify("CORE-AUTH-11").equal(
          answer.data().name,
          name,
          "`name` of the current user with this token",
          answer,
        );
      }
    },
  }),

  testCase({
    ...shared,
    id: "auth/sign-in-requires-name-and-password",
    title: "Sign in without a name or without a password is rejected",
    requirements: ["CORE-AUTH-07", "CORE-AUTH-08"],
    async run({ gateway, profile, scratch, verify }) {
      const { name, password, signIn } = await scratch.user();
      await signIn();
      // Also with the administrator's password: a gateway that defaults the name most likely defaults to that one.
      const { password: ofAdministrator } = profile.credentials;
      for (const json of [
        { password },
        { password: ofAdministrator },
        { name: "", password: ofAdministrator },
        { name: null, password: ofAdministrator },
      ])
        verify("CORE-AUTH-07").refused(await gateway.anonymous.callInvalid("signIn", { json }));
      verify("CORE-AUTH-08").refused(await gateway.anonymous.callInvalid("signIn", { json: { name } }));
      verify("CORE-AUTH-08").refused(
        await gateway.anonymous.callInvalid("signIn", { json: { name, password: "" } }),
      );
    },
  }),

  testCase({
    ...shared,
    id: "auth/inactive-and-expired-users-do-not-sign-in",
    title: "Inactive and expired users cannot sign in",
    requirements: ["CORE-AUTH-27", "CORE-AUTH-28"],
    async run(context) {
      const { gateway, scratch, verify } = context;
      const inactive = await scratch.user({ isActive: false });
      const expired = await scratch.user();
      const tryWith = ({ name, password }: { name: string; password: string }) =>
        gateway.anonymous.call("signIn", { json: { name, password, acceptEULA: true } });
      verify("CORE-AUTH-27").refused(await tryWith(inactive));
      const path = { id: inactive.id };
      (await gateway.admin.call("updateUser", { path, json: { isActive: true } })).body();
      verify("CORE-AUTH-27").accepted(await tryWith(inactive));
      (await gateway.admin.call("updateUser", { path, json: { isActive: false } })).body();
      verify("CORE-AUTH-27").refused(await tryWith(inactive));
      const json = { expiredAfter: longPast };
      (await gateway.admin.call("updateUser", { path: { id: expired.id }, json })).body();
      verify("CORE-AUTH-28").refused(await tryWith(expired));
      const later = { expiredAfter: farFuture };
      (await gateway.admin.call("updateUser", { path: { id: expired.id }, json: later })).body();
      verify("CORE-AUTH-28").accepted(await tryWith(expired));
      const past = {
        name: scratch.name("user"),
        password: expired.password,
        isActive: true,
        expiredAfter: longPast,
        roles: [expired.roleId],
      };
      // Whether a user may be added who has expired is not stated.
      if ((await addUser(context, past)).accepted) verify("CORE-AUTH-28").refused(await tryWith(past));
    },
  }),

  testCase({
    ...shared,
    id: "auth/expiry-comes-at-its-time",
    title: "Sign-in and token are valid until `expiredAfter` and rejected after it",
    requirements: ["CORE-AUTH-28", "CORE-AUTH-30"],
    leastMs: untilExpiryMs,
    async run(context) {
      const { gateway, level, profile, scratch, verify, waitFor, notApplicable } = context;
      if (level === "smoke") return notApplicable("waits for an expiry; not part of a smoke run", "level");
      const { admin, anonymous } = gateway;
      const user = await scratch.user({ permissions: permissionsFor(profile, "getCurrentUser") });
      const path = { id: user.id };
      const { name, password } = user;
      const trySignIn = () => anonymous.call("signIn", { json: { name, password, acceptEULA: true } });
      const before = await admin.call("getUser", { path });
      if (before.headers["date"] === undefined)
        return notApplicable("the gateway's time is not known: no Date header in its answers", "not-named");
      // Behind a proxy the Date header may show another clock than that of the expiry.
      const apartMs = epochMsOf(before.headers["date"]) - epochMsOf(before.data().createdAt);
      if (Math.abs(apartMs) > clockSlackMs)
        return notApplicable(
          `the gateway's time is not known: its Date header and a createdAt are ${apartMs / 1000} s apart`,
          "not-named",
        );
      // Without its offset, the first of them would be ahead, and the second one past.
      const expiries = [
        dateTimeText(epochMsOf(before.headers["date"]) - hourMs, "+05:30"),
        dateTimeText(epochMsOf(before.headers["date"]) + hourMs, "-03:30"),
      ] as const;
      for (const expiredAfter of expiries) {
        (await admin.call("updateUser", { path, json: { expiredAfter } })).body();
        if (expiredAfter === expiries[0]) verify("CORE-AUTH-28").refused(await trySignIn());
        else verify("CORE-AUTH-28").accepted(await trySignIn());
      }
      // In whole seconds, as in the Date header.
      const expiresMs = epochMsOf(before.headers["date"]) + untilExpiryMs;
      const expiredAfter = new Date(expiresMs).toISOString();
      (await admin.call("updateUser", { path, json: { expiredAfter } })).body();
      const early = await trySignIn();
      const isEarly = epochMsOf(early.headers["date"] ?? "") < expiresMs;
      if (isEarly) verify("CORE-AUTH-28").accepted(early);
      const session = early.accepted ? gateway.withToken(early.data().token, name) : undefined;
      await waitFor(
        "the gateway's Date header to be later than the user's expiredAfter",
        async () => {
          const now = epochMsOf((await admin.call("getUser", { path })).headers["date"] ?? "");
          return now > expiresMs + 1000 || undefined;
        },
        { deadlineMs: 4 * untilExpiryMs, everyMs: 250 },
      );
      verify("CORE-AUTH-28").refused(await trySignIn());
      if (session === undefined)
        verify("CORE-AUTH-30").notApplicable(
          "a token issued before the expiry",
          "the sign-in before the expiry was not answered in time",
        );
      else verify("CORE-AUTH-30").refused(await session.call("getCurrentUser"));
    },
  }),

  testCase({
    id: "auth/failures-lock-the-name",
    title: "The declared number of failed sign-ins locks that name only",
    group: "auth",
    requirements: ["CORE-AUTH-31"],
    effect: "reversible",
    touches: ["sign-in-failures"],
    addsTo: ["accounts"],
    capabilities: ["auth", "users", "roles", "sign-in-lock"],
    async run({ clock, gateway, profile, scratch, verify, unmet }) {
      const lock = profile.signInLock;
      if (lock === undefined) return unmet("the profile does not declare signInLock");
      const user = await scratch.user();
      const other = await scratch.user();
      const { name, password } = user;
      for (let failure = 1; failure <= lock.failures; failure++) {
        const json = { name, password: `${password}${failure}` };
        verify("CORE-AUTH-31").refused(
          await gateway.anonymous.call("signIn", { json, isLockPossible: true }),
        );
      }
      const locked = { json: { name, password }, isLockPossible: true };
      const lockedMs = clock.nowMs();
      const surelySec = Math.max(lock.lockedSec - lockSlackSec, lock.lockedSec / 2);
      const isLocked = (): boolean => clock.nowMs() - lockedMs < surelySec * 1000;
      // An answer that had to be waited for may come after the lock.
      const first = await gateway.anonymous.call("signIn", locked);
      if (!isLocked()) unmet(`a sign-in took longer than the lock of ${lock.lockedSec} s`);
      verify("CORE-AUTH-31").refused(first);
      // One failure less locks no name.
      for (let failure = 1; failure < lock.failures; failure++) {
        const json = { name: other.name, password: `${other.password}${failure}` };
        verify("CORE-AUTH-31").refused(
          await gateway.anonymous.call("signIn", { json, isLockPossible: true }),
        );
      }
      const right = { json: { name: other.name, password: other.password } };
      verify("CORE-AUTH-31").accepted(await gateway.anonymous.call("signIn", right));
      // The success of another user unlocks no name.
      const still = await gateway.anonymous.call("signIn", locked);
      if (isLocked()) verify("CORE-AUTH-31").refused(still);
    },
  }),
];
