// Sign-in tokens in other forms than the gateway's own.
import { randomBytes } from "node:crypto";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { fields } from "../mechanism/edits.ts";

interface TokenForm {
  /** What a client gets for the gateway's own token. */
  readonly outer: (own: string) => string;
  /** The gateway's own token for what a client sends; an unknown one when it was never issued. */
  readonly inner: (given: string) => string;
}

const length = 4000;
const filler = "~edge".repeat(length / 5);
const unknown = "unknown";

/** Its own token, written backwards and filled up. */
const long: TokenForm = {
  outer: (own) => `${own.split("").toReversed().join("")}${filler}`.slice(0, length),
  inner(given) {
    const own = given.split("~")[0]?.split("").toReversed().join("") ?? "";
    return long.outer(own) === given ? own : unknown;
  },
};

/** Random words that stand for its own tokens until the process ends. */
function short(): TokenForm {
  const own = new Map<string, string>();
  return {
    outer(token) {
      const word = randomBytes(9).toString("base64url");
      own.set(word, token);
      return word;
    },
    inner: (given) => own.get(given) ?? unknown,
  };
}

const mostSessions = 6;

/** Its own tokens; with each beyond so many, the one that was unused for the longest ends. */
function few(): TokenForm {
  const live = new Set<string>();
  const use = (token: string): string => {
    live.delete(token);
    live.add(token);
    const [oldest] = live;
    if (live.size > mostSessions && oldest !== undefined) live.delete(oldest);
    return token;
  };
  return { outer: use, inner: (given) => (live.has(given) ? use(given) : unknown) };
}

/** Issues tokens in the form, and accepts only them. */
function issue(at: GatewayAlterations, form: TokenForm): void {
  at.request(({ headers }) => {
    const { authorization } = headers;
    const ownHeader = headers["mx-api-token"];
    if (typeof ownHeader === "string") headers["mx-api-token"] = form.inner(ownHeader);
    if (typeof authorization === "string" && authorization.startsWith("Bearer "))
      headers["authorization"] = `Bearer ${form.inner(authorization.slice("Bearer ".length))}`;
    return undefined;
  });
  at.jsonValue((value, { id }, status) => {
    if (id !== "signIn" || status >= 300) return value;
    const data = fields(fields(value)["data"]);
    return { ...fields(value), data: { ...data, token: form.outer(String(data["token"])) } };
  });
}

export const longTokens = (at: GatewayAlterations): void => issue(at, long);
export const shortTokens = (at: GatewayAlterations): void => issue(at, short());
export const fewSessions = (at: GatewayAlterations): void => issue(at, few());
