import { scratchPrefix, type TestCase, testCase } from "../../harness/index.ts";
import { addUser, farFuture } from "../users/accounts.ts";

/** Longest name that is published. */
const longestName = 64;

export const likeNamedCases: readonly TestCase[] = [
  testCase({
    id: "auth/like-named-users-sign-in-apart",
    title: "Users with names that differ in few characters sign in each as themselves",
    group: "auth",
    requirements: ["CORE-AUTH-03", "CORE-AUTH-06", "CORE-AUTH-10"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["auth", "users", "roles"],
    async run(context) {
      const { gateway, scratch, verify, notApplicable } = context;
      const user = await scratch.user();
      const { name: lower, password, roleId } = user;
      // Behind the prefix by which other cases leave the users of the suite aside.
      const upper = `${scratchPrefix}${lower.slice(scratchPrefix.length).toUpperCase()}`;
      const long = lower.padEnd(longestName - 1, "0123456789");
      const users: { id: number; name: string; password: string }[] = [user];
      // Whether a name that differs in capital letters is another one is not stated, nor how long a name may be.
      for (const name of [upper, `${long}a`, `${long}b`]) {
        const own = `${name.slice(-1)}-${password}`;
        const added = await addUser(context, {
          name,
          password: own,
          isActive: true,
          expiredAfter: farFuture,
          roles: [roleId],
        });
        if (added.accepted) users.push({ id: added.data().id, name, password: own });
      }
      const last = users.at(-1);
      if (last === undefined || last.name === lower)
        return notApplicable("the gateway rejects names that are so alike");
      for (const { id, name, password } of [...users, ...users.slice(0, 1)]) {
        const answer = await gateway.anonymous.call("signIn", { json: { name, password } });
        if (!verify("CORE-AUTH-06").accepted(answer)) continue;
        verify("CORE-AUTH-03").equal(
          { id: answer.data().user.id, name: answer.data().user.name },
          { id, name },
          "`id` and `name` of `user` in the answer of Sign in",
          answer,
        );
      }
      if (last.name === upper)
        return verify("CORE-AUTH-10").notApplicable(
          "an unknown name that differs in its last character",
          "the gateway rejects long names",
        );
      for (const { password: ofAnother } of users.filter(({ name }) => name.startsWith(long))) {
        const json = { name: `${long}c`, password: ofAnother };
        verify("CORE-AUTH-10").refused(await gateway.anonymous.call("signIn", { json }), 401);
      }
    },
  }),
];
