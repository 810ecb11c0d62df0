// Sign-in tokens in other forms than the gateway's own.
import { randomBytes } from "node:crypto";

export interface TokenForm {
  /** What a client gets for the gateway's own token. */
  readonly outer: (own: string) => string;
  /** The gateway's own token for what a client sends; something that is none when it was never given out. */
  readonly inner: (given: string) => string;
}

const length = 4000;
const filler = "~edge".repeat(length / 5);
const unknown = "unknown";

/** The own token written backwards and filled up. */
export const longToken: TokenForm = {
  outer: (own) => `${own.split("").toReversed().join("")}${filler}`.slice(0, length),
  inner(given) {
    const own = given.split("~")[0]?.split("").toReversed().join("") ?? "";
    return longToken.outer(own) === given ? own : unknown;
  },
};

/** Random words that stand for the own tokens for as long as this process lives. */
export function shortTokens(): TokenForm {
  const own = new Map<string, string>();
  return {
    outer(token) {
      const short = randomBytes(9).toString("base64url");
      own.set(short, token);
      return short;
    },
    inner: (given) => own.get(given) ?? unknown,
  };
}
