import { type CaseContext, type Session, type TestCase, testCase } from "../../harness/index.ts";
import { needsSignIn } from "../authorisation/attempts.ts";
import { alteredTokens } from "../authorisation/forgedTokens.ts";
import { permissionsFor } from "../users/accounts.ts";

/** Seconds for which a websocket token is valid ("Limits"). */
const validitySec = 30;
const ageStepSec = 0.2;
/** Unused tokens of one user: each is valid for its time. */
const tokensAtOnce = 9;
const mostAges = 20;
/** How long before the first age around the limit a used token is tried again. */
const usedBeforeMs = 1000;

/** Operations without parameters that every gateway which offers them serves to a signed-in user with permission. */
const plainReadings = [
  "getCurrentUser",
  "getWebsocketToken",
  "listRoles",
  "listPermissions",
  "listUsers",
  "getHttpServer",
  "getProvision",
  "getLog",
  "getReboot",
  "getResetCapabilities",
  "listServices",
  "getSsh",
  "getEvents",
  "getEventConfiguration",
  "getEventCatalogue",
  "listApps",
  "listJobs",
  "getUpgradeConfiguration",
  "listUpgradeJobs",
  "listTags",
] as const;

/** Another token of a user whose sign-in may have ended meanwhile. */
async function secondToken(
  session: Session,
  clock: CaseContext["clock"],
): Promise<{ token: string; askedMs: number } | undefined> {
  const askedMs = clock.nowMs();
  const answer = await session.call("getWebsocketToken");
  return answer.accepted ? { token: answer.data().token, askedMs } : undefined;
}

async function websocketToken(session: Session): Promise<string> {
  return (await session.call("getWebsocketToken")).data().token;
}

/** Token ages around the limit, at most 0.2 s apart where possible: the spacing is the resolution of the measurement. */
function agesAround(middleSec: number, halfWidthSec: number): number[] {
  const steps = Math.min(mostAges, Math.ceil((2 * halfWidthSec) / ageStepSec));
  return Array.from(
    { length: steps + 1 },
    (_, index) => middleSec + halfWidthSec * ((2 * index) / steps - 1),
  );
}

export const websocketTokenCases: readonly TestCase[] = [
  testCase({
    id: "auth/websocket-token-is-no-sign-in",
    title: "A websocket token is rejected in place of a sign-in token",
    group: "auth",
    requirements: ["CORE-AUTH-12", "CORE-AUTH-13", "CORE-AUTH-14"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["auth", "users", "roles"],
    tags: ["smoke"],
    async run({ gateway, profile, scratch, verify }) {
      const user = await scratch.user({ permissions: profile.permissions });
      const session = await user.signIn();
      const answer = await session.call("getWebsocketToken");
      verify("CORE-AUTH-12").shape(answer);
      const { token } = answer.data();
      verify("CORE-AUTH-13").that(token !== "", {
        what: "`token` in the answer of Get websocket token",
        expected: "a non-empty string",
        observed: token,
        evidence: answer,
      });
      // A fresh token for each call, because the first call could have consumed it.
      for (const operation of plainReadings.filter((one) => needsSignIn(profile, one))) {
        const own = await websocketToken(session);
        verify("CORE-AUTH-14").refused(await gateway.withToken(own, "websocket token").call(operation));
      }
    },
  }),

  testCase({
    id: "auth/websocket-token-is-one-shot",
    title: "A websocket token opens exactly one websocket; other tokens open none",
    group: "auth",
    requirements: ["CORE-AUTH-15", "CORE-AUTH-16", "CORE-AUTH-17"],
    effect: "reversible",
    touches: [],
    addsTo: ["accounts"],
    capabilities: ["auth", "users", "roles", "websocket"],
    tags: ["smoke"],
    async run({ clock, gateway, profile, random, scratch, verify }) {
      const user = await scratch.user({ permissions: permissionsFor(profile, "getWebsocketToken") });
      const session = await user.signIn();
      const attempt = async (
        requirement: string,
        token: string,
        what: string,
        shouldOpen: boolean,
      ): Promise<void> => {
        await using socket = await gateway.tryWebsocket(token);
        verify(requirement).that(socket.opened === shouldOpen, {
          what: `websocket handshake with ${what}`,
          expected: shouldOpen ? "opened" : "rejected",
          observed: socket.opened ? "opened" : `rejected (${socket.refusedWith ?? "no status"})`,
        });
      };
      // One that is still open has used its token as well; then it is closed, because a user may have one at a time.
      const shared = await websocketToken(session);
      {
        await using open = await gateway.tryWebsocket(shared);
        if (open.opened)
          await attempt("CORE-AUTH-15", shared, "the token of a websocket that is still open", false);
      }
      let former: string | undefined;
      for (let round = 0; round < 2; round++) {
        const token = await websocketToken(session);
        if (former !== undefined)
          await attempt(
            "CORE-AUTH-15",
            former,
            "a used websocket token, once another one was obtained",
            false,
          );
        former = token;
        await attempt("CORE-AUTH-15", token, "a fresh websocket token", true);
        await attempt("CORE-AUTH-15", token, "a websocket token that was used before", false);
      }
      const [older, newer] = [await websocketToken(session), await websocketToken(session)];
      await attempt("CORE-AUTH-16", newer, "the second of a user's two websocket tokens", true);
      await attempt("CORE-AUTH-16", older, "the first of a user's two websocket tokens", true);
      const several: string[] = [];
      while (several.length < tokensAtOnce) {
        const answer = await session.call("getWebsocketToken");
        // How many there may be at a time is not stated.
        if (!answer.accepted) break;
        several.push(answer.data().token);
      }
      for (const token of several)
        await attempt("CORE-AUTH-16", token, `one of a user's ${several.length} websocket tokens`, true);
      for (const token of [several[0], former])
        if (token !== undefined)
          await attempt("CORE-AUTH-15", token, "a used websocket token, once others were used", false);
      const unused = await websocketToken(session);
      await attempt("CORE-AUTH-17", random.word(43), "a random token", false);
      await attempt("CORE-AUTH-17", session.token ?? "", "a sign-in token", false);
      await attempt("CORE-AUTH-17", "", "an empty token", false);
      for (const { what, token } of alteredTokens(unused, clock.epochMs()))
        await attempt("CORE-AUTH-17", token, `${what}, of a websocket`, false);
      await attempt("CORE-AUTH-15", unused, "a token issued before rejected handshakes", true);
      // At the same time, several times: a token is used up by one of them.
      for (let round = 0; round < 5; round++) {
        const token = await websocketToken(session);
        await using stack = new AsyncDisposableStack();
        const sockets = await Promise.all(Array.from({ length: 4 }, () => gateway.tryWebsocket(token)));
        for (const socket of sockets) stack.use(socket);
        verify("CORE-AUTH-15").equal(
          sockets.filter(({ opened }) => opened).length,
          1,
          "websockets opened by four simultaneous handshakes with one token",
        );
      }
    },
  }),

  testCase({
    id: "auth/websocket-token-validity",
    title: "A websocket token is valid for 30 seconds and not longer",
    group: "auth",
    requirements: ["CORE-AUTH-15", "CORE-AUTH-16"],
    // Not read-only on purpose: it takes half a minute and can run beside the cases that change other state.
    effect: "reversible",
    touches: ["sign-in-failures"],
    addsTo: ["accounts"],
    capabilities: ["auth", "users", "roles", "websocket"],
    tags: ["timing"],
    leastMs: validitySec * 1000,
    deadlineMs: 60_000,
    async run({
      gateway,
      profile,
      clock,
      level,
      scratch,
      signal,
      verify,
      roundTripMs,
      notApplicable,
      unmet,
    }) {
      if (level === "smoke") return notApplicable("takes half a minute; not part of a smoke run", "level");
      const tolerance = profile.tolerances.tokenLifetimeSec;
      const limits = { low: validitySec - tolerance, high: validitySec + tolerance };
      // The last age is far above the limit, where a delay of this machine makes no difference.
      const agesSec = [...agesAround(validitySec, 1.1 * tolerance), validitySec + 2 * tolerance];
      // One user for each token: that one token does not end another is checked elsewhere.
      const roles = [(await scratch.role(permissionsFor(profile, "getWebsocketToken"))).id] as const;
      const users = [];
      for (const ageSec of [validitySec / 2, ...agesSec])
        users.push({ ageSec, user: await scratch.user({ roles }) });
      let [low, high] = [0, Number.POSITIVE_INFINITY];
      const tokens = [];
      // One after the other: a gateway may keep a few sign-ins only.
      for (const { ageSec, user } of users) {
        const session = await user.signIn();
        const askedMs = clock.nowMs();
        const token = await websocketToken(session);
        tokens.push({ ageSec, session, token, askedMs, answeredMs: clock.nowMs() });
      }
      // A token counts its own time, not that of the unused token which the user asked for before.
      const twice = await (await scratch.user({ roles })).signIn();
      await websocketToken(twice);
      let second: { token: string; askedMs: number } | undefined;
      const whatUsed = "websocket handshake with a token that was used half of its time before";
      verify("CORE-AUTH-15").notApplicable(whatUsed, "no websocket was opened by that time");
      let used: string | undefined;
      for (const { ageSec, token, askedMs, answeredMs } of tokens) {
        // The token was created between request and answer: ages below the limit count from the request, others from the answer;
        // all of them where the way there and back is a large part of the tolerance.
        const createdMs = ageSec > validitySec || roundTripMs > 0 ? answeredMs : askedMs;
        const dueMs = createdMs + ageSec * 1000;
        if (used !== undefined) {
          await clock.delay(Math.max(0, dueMs - usedBeforeMs - clock.nowMs()), signal);
          await using again = await gateway.tryWebsocket(used);
          used = undefined;
          verify("CORE-AUTH-15").that(!again.opened, {
            what: whatUsed,
            expected: "rejected",
            observed: again.opened ? "opened" : `rejected (${again.refusedWith ?? "no status"})`,
          });
        }
        await clock.delay(Math.max(0, dueMs - clock.nowMs()), signal);
        const triedMs = clock.nowMs();
        await using socket = await gateway.tryWebsocket(token);
        const decidedMs = clock.nowMs();
        if (socket.opened) low = Math.max(low, (triedMs - answeredMs) / 1000);
        else high = Math.min(high, (decidedMs - askedMs) / 1000);
        if (socket.opened && token === tokens[0]?.token) used = token;
        second ??= await secondToken(twice, clock);
      }
      if (second !== undefined) {
        await using socket = await gateway.tryWebsocket(second.token);
        const ageSec = (clock.nowMs() - second.askedMs) / 1000;
        if (ageSec < limits.low)
          verify("CORE-AUTH-16").that(socket.opened, {
            what: `websocket handshake with a user's second token, ${ageSec.toFixed(1)} s old, after the time of the first`,
            expected: "opened",
            observed: socket.opened ? "opened" : `rejected (${socket.refusedWith ?? "no status"})`,
          });
      }
      // The seconds count from the websocket token, not from the sign-in.
      const [first] = tokens;
      const late = await first?.session.call("getWebsocketToken");
      if (late?.accepted !== true && high < limits.low)
        unmet("the sign-ins of the users ended within the time, perhaps the tokens with them");
      if (late?.accepted === true) {
        await using socket = await gateway.tryWebsocket(late.data().token);
        verify("CORE-AUTH-16").that(socket.opened, {
          what: `websocket handshake with a fresh token of a user who signed in more than ${validitySec} s before`,
          expected: "opened",
          observed: socket.opened ? "opened" : `rejected (${socket.refusedWith ?? "no status"})`,
        });
      }
      verify("CORE-AUTH-16").within({
        name: "validity of a websocket token",
        unit: "s",
        interval: { low: Math.min(low, high), high },
        limits,
        observers: ["websocket handshakes with tokens of rising age"],
      });
    },
  }),
];
