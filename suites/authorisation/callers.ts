import { type TestCase, testCase } from "../../harness/index.ts";
import { longPast } from "../users/accounts.ts";
import { type Attempt, attemptedState, attempts } from "./attempts.ts";
import { gatherFacts } from "./facts.ts";
import { alteredTokens, strangeTokens } from "./forgedTokens.ts";
import { Matrix } from "./matrix.ts";

const shared = {
  group: "auth",
  effect: "reversible",
  touches: attemptedState,
  capabilities: ["auth", "users", "roles"],
  tags: ["authorisation"],
  deadlineMs: 120_000,
} as const;

/** Callers without a valid token: every operation rejects them. */
export const callerCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "authorisation/without-a-token",
    title: "Operations that need a sign-in reject callers without a token",
    requirements: ["CORE-AUTH-18"],
    tags: ["authorisation", "smoke"],
    async run(context) {
      const matrix = new Matrix(context);
      const facts = await gatherFacts(context);
      await matrix.rejects("CORE-AUTH-18", context.gateway.anonymous, attempts(context, facts));
      await matrix.rejectsStreams("CORE-AUTH-18", context.gateway.anonymous, facts);
      matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/with-a-strange-token",
    title: "Operations that need a sign-in reject tokens that no sign-in issued",
    requirements: ["CORE-AUTH-19"],
    async run(context) {
      const matrix = new Matrix(context);
      const facts = await gatherFacts(context);
      const calls = attempts(context, facts);
      for (const { what, token, isForAll } of strangeTokens) {
        const caller = context.gateway.withToken(token, what);
        await matrix.rejects("CORE-AUTH-19", caller, isForAll ? calls : sampleOf(calls));
        if (isForAll) await matrix.rejectsStreams("CORE-AUTH-19", caller, facts);
      }
      matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/with-an-altered-token",
    title: "Operations that need a sign-in reject altered tokens",
    requirements: ["CORE-AUTH-20"],
    async run(context) {
      const { gateway, profile, scratch, unmet } = context;
      const matrix = new Matrix(context);
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      // The unaltered token is accepted; a rejection below is due to the alteration.
      (await session.call("getCurrentUser")).body();
      if (session.token === undefined) return unmet("Sign in returned no token");
      const facts = await gatherFacts(context);
      const calls = attempts(context, facts, user.password);
      for (const { what, token, isForAll } of alteredTokens(session.token, context.clock.epochMs())) {
        const caller = gateway.withToken(token, what);
        await matrix.rejects("CORE-AUTH-20", caller, isForAll ? calls : sampleOf(calls));
        if (isForAll) await matrix.rejectsStreams("CORE-AUTH-20", caller, facts);
      }
      matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/with-a-websocket-token",
    title: "Operations that need a sign-in token reject a websocket token",
    requirements: ["CORE-AUTH-14"],
    async run(context) {
      const { gateway, profile, scratch } = context;
      const matrix = new Matrix(context);
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      for (const call of attempts(context, await gatherFacts(context), user.password)) {
        // A fresh token for each call, because the call before could have consumed it.
        const { token } = (await session.call("getWebsocketToken")).data();
        await matrix.rejects("CORE-AUTH-14", gateway.withToken(token, "websocket token"), [call]);
      }
      matrix.conclude();
    },
  }),

  ofLapsedUser({
    id: "authorisation/of-a-user-set-inactive",
    title: "Tokens of a user who was set inactive are rejected by every operation",
    requirement: "CORE-AUTH-29",
    change: { isActive: false },
  }),

  ofLapsedUser({
    id: "authorisation/of-a-user-who-expired",
    title: "Tokens of a user who has expired are rejected by every operation",
    requirement: "CORE-AUTH-30",
    change: { expiredAfter: longPast },
  }),
];

/** A few reads: enough for token forms that only a faulty token parser could accept. */
function sampleOf(calls: readonly Attempt[]): Attempt[] {
  const sampled = ["getCurrentUser", "listUsers", "getReboot", "getEvents", "getWebsocketToken", "listTags"];
  return calls.filter(({ operation }) => sampled.includes(operation));
}

/** A case about the token of a user who may no longer sign in. */
function ofLapsedUser({
  id,
  title,
  requirement,
  change,
}: {
  readonly id: string;
  readonly title: string;
  readonly requirement: string;
  /** What is set of the user. */
  readonly change: { readonly isActive: false } | { readonly expiredAfter: string };
}): TestCase {
  return testCase({
    ...shared,
    id,
    title,
    requirements: [requirement],
    async run(context) {
      const { gateway, profile, scratch } = context;
      const matrix = new Matrix(context);
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      (await session.call("getCurrentUser")).body();
      const facts = await gatherFacts(context);
      const calls = attempts(context, facts, user.password);
      (await gateway.admin.call("updateUser", { path: { id: user.id }, json: change })).body();
      await matrix.rejects(requirement, session, calls);
      await matrix.rejectsStreams(requirement, session, facts);
      matrix.conclude();
    },
  });
}
