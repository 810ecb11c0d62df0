import { type TestCase, testCase } from "../../harness/index.ts";
import { longPast } from "../users/accounts.ts";
import { type Attempt, attempts } from "./attempts.ts";
import { gatherFacts } from "./facts.ts";
import { alteredTokens, strangeTokens } from "./forgedTokens.ts";
import { Matrix } from "./matrix.ts";

const shared = {
  group: "auth",
  effect: "reversible",
  touches: ["accounts", "virtual-tags"],
  capabilities: ["auth", "users", "roles"],
  tags: ["authorisation"],
  deadlineMs: 120_000,
} as const;

/** Callers who have no token of the gateway's, or one that is no longer good: every operation turns them away. */
export const callerCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "authorisation/without-a-token",
    title: "Every operation that needs a sign-in is refused to a caller without a token",
    requirements: ["CORE-AUTH-18"],
    tags: ["authorisation", "smoke"],
    async run(context) {
      const matrix = new Matrix(context);
      const calls = attempts(context, await gatherFacts(context));
      await matrix.refuses("CORE-AUTH-18", context.gateway.anonymous, calls);
      matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/with-a-strange-token",
    title: "Every operation that needs a sign-in is refused to a caller whose token no sign-in gave",
    requirements: ["CORE-AUTH-19"],
    async run(context) {
      const matrix = new Matrix(context);
      const calls = attempts(context, await gatherFacts(context));
      for (const { what, token, isForAll } of strangeTokens) {
        const caller = context.gateway.withToken(token, what);
        await matrix.refuses("CORE-AUTH-19", caller, isForAll ? calls : sampleOf(calls));
      }
      matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/with-an-altered-token",
    title: "Every operation that needs a sign-in is refused to a caller whose token was altered",
    requirements: ["CORE-AUTH-20"],
    async run(context) {
      const { gateway, profile, scratch, unmet } = context;
      const matrix = new Matrix(context);
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      // Only a token that is good unaltered shows that the alteration is what is refused.
      (await session.call("getCurrentUser")).body();
      if (session.token === undefined) return unmet("signing in gave no token");
      const calls = attempts(context, await gatherFacts(context), user.password);
      for (const { what, token, isForAll } of alteredTokens(session.token)) {
        const caller = gateway.withToken(token, what);
        await matrix.refuses("CORE-AUTH-20", caller, isForAll ? calls : sampleOf(calls));
      }
      matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/of-a-user-set-inactive",
    title: "Every operation is refused to a user who was set inactive after signing in",
    requirements: ["CORE-AUTH-29"],
    async run(context) {
      const { gateway, profile, scratch } = context;
      const matrix = new Matrix(context);
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      (await session.call("getCurrentUser")).body();
      const calls = attempts(context, await gatherFacts(context), user.password);
      const json = { isActive: false };
      (await gateway.admin.call("updateUser", { path: { id: user.id }, json })).body();
      await matrix.refuses("CORE-AUTH-29", session, calls);
      matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/of-a-user-who-expired",
    title: "Every operation is refused to a user whose expiredAfter has passed after signing in",
    requirements: ["CORE-AUTH-30"],
    async run(context) {
      const { gateway, profile, scratch } = context;
      const matrix = new Matrix(context);
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      (await session.call("getCurrentUser")).body();
      const calls = attempts(context, await gatherFacts(context), user.password);
      const json = { expiredAfter: longPast };
      (await gateway.admin.call("updateUser", { path: { id: user.id }, json })).body();
      await matrix.refuses("CORE-AUTH-30", session, calls);
      matrix.conclude();
    },
  }),
];

/** One reading of each kind: enough for a token in a form that only the reading of tokens could get wrong. */
function sampleOf(calls: readonly Attempt[]): Attempt[] {
  const sampled = ["getCurrentUser", "listUsers", "getReboot", "getEvents", "getWebsocketToken", "listTags"];
  return calls.filter(({ operation }) => sampled.includes(operation));
}
