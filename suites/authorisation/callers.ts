import { type Answer, objectOf, type Session, type TestCase, testCase } from "../../harness/index.ts";
import { longPast } from "../users/accounts.ts";
import { inParallel } from "../users/inParallel.ts";
import { type Attempt, attemptedState, attempts, needsSignIn } from "./attempts.ts";
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

/** Readings without parameters; a few show how paths are matched. */
const plainReadings = ["listUsers", "getReboot", "getEvents", "listTags"] as const;

/** The letter, percent-encoded. */
const encoded = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

/** Spellings that a router may take for the path itself, and an authorization for another. */
const spellings = [
  {
    what: "with a percent-encoded letter in its last segment",
    spelled: (path) => path.replace(/[a-z](?=[^/]*\/?$)/i, encoded),
  },
  {
    what: "with a percent-encoded letter in every segment",
    spelled: (path) => path.replaceAll(/(?<=\/)[a-z]/gi, encoded),
  },
  { what: "with its first slash doubled", spelled: (path) => `/${path}` },
  { what: "with its last slash doubled", spelled: (path) => path.replace(/\/(?=[^/]+\/?$)/, "//") },
  { what: "with a slash behind", spelled: (path) => `${path}/` },
  { what: "with a dot as a segment", spelled: (path) => path.replace(/\/(?=[^/]+\/?$)/, "/./") },
] as const satisfies readonly { what: string; spelled: (path: string) => string }[];

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
      await matrix.conclude();
    },
  }),

  testCase({
    ...shared,
    id: "authorisation/path-in-another-spelling",
    title: "Another spelling of the path does not replace the token",
    requirements: ["CORE-AUTH-18"],
    effect: "read-only",
    touches: [],
    capabilities: ["auth"],
    async run({ gateway, profile, verify, notApplicable }) {
      const calls = plainReadings
        .filter((operation) => needsSignIn(profile, operation))
        .flatMap((operation) => spellings.map((spelling) => ({ operation, ...spelling })));
      if (calls.length === 0) return notApplicable("none of the readings needs a sign-in");
      await inParallel(calls, 6, async ({ operation, what, spelled }) => {
        const answer = await gateway.anonymous.callInvalid(operation, { spelled });
        // What is served at another spelling is open, except to serve the operation's data.
        verify("CORE-AUTH-18").equal(
          answer.accepted && carriesData(answer) ? "accepted, with `data`" : "no `data`",
          "no `data`",
          `${operation} without a token, its path ${what}`,
          answer,
        );
      });
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
      await matrix.conclude();
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
      await matrix.conclude();
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
      const facts = await gatherFacts(context);
      // A fresh token for each call, because the call before could have consumed it.
      const caller = async (): Promise<Session> =>
        gateway.withToken((await session.call("getWebsocketToken")).data().token, "websocket token");
      for (const call of attempts(context, facts, user.password))
        await matrix.rejects("CORE-AUTH-14", await caller(), [call]);
      await matrix.rejectsStreams("CORE-AUTH-14", caller, facts);
      await matrix.conclude();
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

/** Whether the body is the JSON of the operation, with something in `data`. */
function carriesData(answer: Answer): boolean {
  const data = objectOf(answer.json)?.["data"];
  const isEmpty = data === undefined || data === null || (Array.isArray(data) && data.length === 0);
  return !isEmpty && answer.problems().length === 0;
}

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
      await matrix.conclude();
    },
  });
}
