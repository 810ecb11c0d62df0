// Every view of a user shows every member that any operation wrote: each member alone, and in random sequences.
import fc from "fast-check";
import { type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { addUser } from "./accounts.ts";
import {
  type Shown,
  showing,
  storing,
  ViewedUser,
  views,
  writers,
  type Written,
  permissionsOfRoles,
} from "./viewedUser.ts";

const emails = ["first+Tag@example.org", "Second.Name@example.net", "third@sub.example.com"] as const;
const times = ["2091-02-03T04:05:06.250Z", "2092-02-29T23:59:59-03:30", "2098-10-11T12:13:14+05:30"] as const;
const sequencesByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 0, nightly: 2, certification: 20 };
const mostSteps = 4;

/** A write: who writes, and which values; `roles` is the number of roles. */
interface Choice {
  readonly writer: "updateUser" | "updateCurrentUser";
  readonly email: number;
  readonly expiredAfter: number;
  readonly roles: number;
}

const choice: fc.Arbitrary<Choice> = fc.record({
  writer: fc.constantFrom("updateUser", "updateCurrentUser"),
  email: fc.nat(emails.length - 1),
  expiredAfter: fc.nat(times.length - 1),
  roles: fc.integer({ min: 1, max: 2 }),
});

/** Each member alone, by each operation. */
const walk: readonly Choice[] = [
  { writer: "updateUser", email: 1, expiredAfter: 0, roles: 1 },
  { writer: "updateUser", email: 1, expiredAfter: 1, roles: 1 },
  { writer: "updateUser", email: 1, expiredAfter: 1, roles: 2 },
  { writer: "updateCurrentUser", email: 2, expiredAfter: 1, roles: 2 },
  { writer: "updateCurrentUser", email: 2, expiredAfter: 2, roles: 2 },
  { writer: "updateCurrentUser", email: 2, expiredAfter: 2, roles: 1 },
  { writer: "updateCurrentUser", email: 2, expiredAfter: 0, roles: 1 },
];

const members = ["email", "expiredAfter", "isActive", "roles"] as const;
const requirements = new Set([
  ...writers.flatMap((writer) => members.map((member) => storing(writer, member))),
  ...views.map(showing),
  permissionsOfRoles,
]);

export const everyViewCases: readonly TestCase[] = [
  testCase({
    id: "users/every-view-shows-every-write",
    title: "Every view of a user shows every member as the last write set it",
    group: "users",
    requirements: [...requirements],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["users", "roles", "auth"],
    deadlineMs: 120_000,
    async run(context) {
      const { gateway, verify, level, random } = context;
      const wish = { email: emails[0], expiredAfter: times[0], isActive: true };
      const { user, answer } = await ViewedUser.add(context, wish);
      user.record(await user.look("addUser", answer));
      const take = async ({ writer, email, expiredAfter, roles }: Choice): Promise<Shown[]> => {
        const wanted: Partial<Written> = {
          email: emails[email] ?? emails[0],
          expiredAfter: times[expiredAfter] ?? times[0],
          roles: user.roles.slice(0, roles),
        };
        const isRaised = roles > user.heldRoles;
        const written = await user.write(writer, wanted);
        // Whether users may give themselves a role is not stated.
        if (writer === "updateCurrentUser" && isRaised && written.rejected) return [];
        if (!verify(storing(writer, "email")).accepted(written)) return [];
        return user.look(writer, written);
      };
      for (const one of walk) user.record(await take(one));

      const property = fc.asyncProperty(
        fc.array(choice, { minLength: 1, maxLength: mostSteps }),
        async (sequence) => {
          for (const one of sequence) if ((await take(one)).some(({ isSame }) => !isSame)) return false;
          return true;
        },
      );
      const numRuns = sequencesByLevel[level];
      const { counterexample } =
        numRuns === 0
          ? { counterexample: null }
          : await fc.check(property, { numRuns, seed: random.integer(1, 2 ** 30) });
      // The shortest sequence is taken again for the record.
      for (const one of counterexample?.[0] ?? []) user.record(await take(one));

      // Which members may be empty is not stated; an accepted empty member replaces the one before.
      for (const writer of ["updateCurrentUser", "updateUser"] as const)
        for (const email of ["", emails[2]]) {
          const answer = await user.write(writer, { email });
          if (answer.accepted) user.record(await user.look(writer, answer));
        }
      // Whether a user may give up every role is not stated either.
      const without = await user.write("updateCurrentUser", { roles: [] });
      if (without.accepted) {
        verify(storing("updateCurrentUser", "roles")).equal(
          without.data().roles,
          [],
          "`roles` in the answer of updateCurrentUser after an update with an empty `roles`",
          without,
        );
        const signedIn = await user.signedIn();
        if (signedIn.accepted) {
          const { user: shown, token } = signedIn.data();
          const own = await gateway.withToken(token, "a user without a role").call("getCurrentUser");
          const views = [
            { view: "signIn", roles: shown.roles, answer: signedIn },
            // Which permission a look at oneself needs differs between gateways.
            ...(own.accepted
              ? [{ view: "getCurrentUser", roles: own.data().roles, answer: own } as const]
              : []),
          ] as const;
          for (const { view, roles, answer: seen } of views)
            verify(showing(view)).equal(
              roles,
              [],
              `\`roles\` in the answer of ${view} of a user without a role`,
              seen,
            );
        }
        user.record(await user.look("updateUser", await user.write("updateUser", { roles: user.roles })));
      }
      const bare = await addUser(context, {
        ...wish,
        name: context.scratch.name("bare"),
        password: `Pw-${random.word(12)}1!`,
        roles: [],
      });
      if (bare.accepted)
        verify(storing("addUser", "roles")).equal(
          bare.data().roles,
          [],
          "`roles` in the answer of addUser with an empty `roles`",
          bare,
        );
      for (const writer of ["updateCurrentUser", "updateUser"] as const) {
        const off = await user.write(writer, { isActive: false });
        if (writer === "updateCurrentUser" && off.status >= 400 && off.status < 500) {
          // The answer to an attempt of a user to lock itself out is not stated.
          verify(storing(writer, "isActive")).notApplicable(
            "`isActive` false in Update current user",
            "rejected: the gateway protects users from their own deactivation",
          );
          continue;
        }
        verify(storing(writer, "isActive")).accepted(off);
        user.record(await user.look(writer, off));
        user.record(await user.look("updateUser", await user.write("updateUser", { isActive: true })));
      }
    },
  }),
];
