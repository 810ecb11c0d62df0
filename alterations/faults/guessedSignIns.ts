// Faults of sign-ins and tokens that are nearly right, of many tokens, and of the lock.
import type { Redeem } from "../../reference-impl/edges.ts";
import type { Answer } from "../../reference-impl/http/handler.ts";
import { type Fields, text } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import { type Fault, faults } from "./fault.ts";

const tokensOfAUser = 5;

export const guessedSignInFaults: readonly Fault[] = faults([
  [
    "sign-in-with-an-empty-name",
    "CORE-AUTH-07",
    "subtle",
    "A sign-in with an empty name is accepted as admin.",
    (at) => at.body("signIn", (body) => (body["name"] === "" ? { ...body, name: "admin" } : body)),
  ],
  [
    "sign-in-name-is-a-part-of-a-query",
    "CORE-AUTH-10",
    "subtle",
    "A name that ends with a quote and a comment of SQL signs the user before it in, whatever the password.",
    (at) =>
      letsIn(at, ({ name }) => {
        const [before, comment] = text(name).split("'");
        return comment?.trim().startsWith("--") === true ? before : undefined;
      }),
  ],
  [
    "sign-in-password-is-a-part-of-a-query",
    "CORE-AUTH-09",
    "subtle",
    "A password that contains a condition of SQL signs the user in.",
    (at) =>
      letsIn(at, ({ name, password }) => (/' or '.*'='/i.test(text(password)) ? text(name) : undefined)),
  ],
  [
    "sign-in-with-a-password-that-is-true",
    "CORE-AUTH-09",
    "subtle",
    "A password that is `true` or an object signs the user in.",
    (at) => {
      at.lenient("signIn", "json", "password");
      letsIn(at, ({ name, password }) =>
        password === true || (typeof password === "object" && password !== null) ? text(name) : undefined,
      );
    },
  ],
  [
    "five-websocket-tokens-of-a-user",
    "CORE-AUTH-16",
    "subtle",
    "Of a user's unused websocket tokens, the five newest open a websocket.",
    (at) => {
      const issued = new Map<number | undefined, string[]>();
      at.data("getWebsocketToken", (data, { caller }) => {
        const tokens = [...(issued.get(caller?.userId) ?? []), text(data["token"])];
        issued.set(caller?.userId, tokens.slice(-tokensOfAUser));
        return data;
      });
      at.redeem((token, proceed) =>
        [...issued.values()].some((tokens) => tokens.includes(token)) ? proceed(token) : undefined,
      );
    },
  ],
  [
    "used-websocket-tokens-are-forgotten-after-10s",
    "CORE-AUTH-15",
    "subtle",
    "A websocket token opens a websocket once more from 10 s after its use.",
    opensAgain((used, token) => performance.now() - (used.get(token)?.usedMs ?? 0) > 10_000),
  ],
  [
    "eight-used-websocket-tokens-are-remembered",
    "CORE-AUTH-15",
    "subtle",
    "A used websocket token opens a websocket once more when eight others were used after it.",
    opensAgain((used, token) => [...used.keys()].indexOf(token) < used.size - 8),
  ],
  [
    "lock-comes-one-failure-early",
    "CORE-AUTH-31",
    "subtle",
    "A user name is locked one failed sign-in earlier than declared.",
    (at) => at.options((options) => ({ ...options, failuresToLock: options.failuresToLock - 1 })),
  ],
  [
    "token-with-more-behind-it-is-taken",
    "CORE-AUTH-20",
    "subtle",
    "A sign-in token with further characters behind it is accepted.",
    (at) => {
      const known = new Set<string>();
      at.authenticate((token, proceed) => {
        const caller = proceed([...known].find((one) => token.startsWith(one)) ?? token);
        known.add(token);
        return caller;
      });
    },
  ],
  [
    "websocket-token-with-more-behind-it-is-taken",
    "CORE-AUTH-17",
    "subtle",
    "A websocket token with further characters behind it opens a websocket.",
    (at) => {
      const issued = new Set<string>();
      at.data("getWebsocketToken", (data) => {
        issued.add(text(data["token"]));
        return data;
      });
      at.redeem((token, proceed) => proceed([...issued].find((one) => token.startsWith(one)) ?? token));
    },
  ],
]);

/** Of a websocket token: its holder, and when it was used. */
interface Used {
  readonly holder: ReturnType<Redeem>;
  readonly usedMs: number;
}

/** Used websocket tokens, in the order of their use, open a websocket once more where they are forgotten within 30 s. */
function opensAgain(
  isForgotten: (used: ReadonlyMap<string, Used>, token: string) => boolean,
): Fault["install"] {
  return (at) => {
    const used = new Map<string, Used>();
    const issuedMs = new Map<string, number>();
    at.data("getWebsocketToken", (data) => {
      issuedMs.set(text(data["token"]), performance.now());
      return data;
    });
    at.redeem((token, proceed) => {
      const before = used.get(token);
      const isYoung = performance.now() - (issuedMs.get(token) ?? 0) < 30_000;
      if (before !== undefined) return isYoung && isForgotten(used, token) ? before.holder : undefined;
      const holder = proceed(token);
      if (holder !== undefined) used.set(token, { holder, usedMs: performance.now() });
      return holder;
    });
  };
}

/** Answers a sign-in as the last successful one of the user whom `userOf` names. */
function letsIn(at: GatewayAlterations, userOf: (body: Fields) => string | undefined): void {
  const known = new Map<string, Answer>();
  at.around("signIn", async (call, proceed) => {
    const meant = userOf({ ...call.body });
    const earlier = meant === undefined ? undefined : known.get(meant);
    if (earlier !== undefined) return earlier;
    const answer = await proceed(
      changed(call, { body: { ...call.body, password: text(call.body["password"]) } }),
    );
    known.set(text(call.body["name"]), answer);
    return answer;
  });
}
