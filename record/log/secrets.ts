// Masks of a log: the same secret has the same mask, so that a replayed case finds the requests that used it.
import { createHmac, randomBytes } from "node:crypto";
import { hidesHeader, mask, replaceSecrets } from "../mask.ts";

/** A mask of this run, or one of another record. */
const masked = /^\*{8}[0-9a-f]{12}$/;
const tokenParts = /^(eyJ[\w-]+\.[\w-]+)\.(.*)$/s;

/** Tokens come with every request of a session; older ones are computed anew. */
const mostKnown = 1000;

/** Replaces secrets by masks with a key of its own, which is never stored. */
export class SecretMasks {
  readonly #key = randomBytes(32);
  readonly #hidden: ReadonlySet<string>;
  readonly #known = new Map<string, string>();

  /** `tokenHeaders`: names of headers that carry a token, besides the usual ones. */
  constructor(tokenHeaders: readonly string[]) {
    this.#hidden = new Set(tokenHeaders.map((name) => name.toLowerCase()));
  }

  text(text: string): string {
    return replaceSecrets(text, (secret) => this.#maskOf(secret));
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return replaceInHeaders(headers, this.#hidden, (secret) => this.#maskOf(secret));
  }

  #maskOf(secret: string): string {
    const known = this.#known.get(secret);
    if (known !== undefined) return known;
    const made = withoutSignature(secret, (part) =>
      part === "" || masked.test(part)
        ? part
        : mask + createHmac("sha256", this.#key).update(part).digest("hex").slice(0, 12),
    );
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(secret, made);
    return made;
  }
}

/** Of a JSON Web Token only the signature is secret: without it nobody accepts the token, and cases read its claims. */
function withoutSignature(secret: string, maskOf: (part: string) => string): string {
  const [, claims, signature = ""] = tokenParts.exec(secret) ?? [];
  return claims === undefined ? maskOf(secret) : `${claims}.${maskOf(signature)}`;
}

function replaceInHeaders(
  headers: Readonly<Record<string, string>>,
  hidden: ReadonlySet<string>,
  replace: (secret: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!hidesHeader(name) && !hidden.has(name.toLowerCase()))
        return [name, replaceSecrets(value, replace)];
      const scheme = value.startsWith("Bearer ") ? "Bearer " : "";
      return [name, scheme + replace(value.slice(scheme.length))];
    }),
  );
}

/** The secrets of a text or of headers in their order, with the text around them. */
export interface Loose {
  readonly text: string;
  readonly secrets: readonly string[];
}

/** The text with the same mask for every secret, and the secrets (or their masks) in order. */
export function loosely(text: string): Loose {
  const secrets: string[] = [];
  const collect = (secret: string): string =>
    withoutSignature(secret, (part) => {
      secrets.push(part);
      return mask;
    });
  return { text: replaceSecrets(text, collect), secrets };
}

export function headersLoosely(
  headers: Readonly<Record<string, string>>,
  tokenHeaders: readonly string[],
): Loose {
  const secrets: string[] = [];
  const hidden = new Set(tokenHeaders.map((name) => name.toLowerCase()));
  const replaced = replaceInHeaders(headers, hidden, (secret) =>
    withoutSignature(secret, (part) => {
      secrets.push(part);
      return mask;
    }),
  );
  const sorted = Object.entries(replaced).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { text: JSON.stringify(sorted), secrets };
}
