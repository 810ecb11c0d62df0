// Tokens that no sign-in issued, derived from one that a sign-in issued.
import { createHmac } from "node:crypto";

export interface ForgedToken {
  readonly what: string;
  readonly token: string;
  /** True: tried with every operation; false: with a few. */
  readonly isForAll: boolean;
}

/** Texts that are no token of any user. */
export const strangeTokens: readonly ForgedToken[] = [
  { what: "a word", token: "rackproof", isForAll: true },
  { what: "three empty parts", token: "..", isForAll: false },
  { what: "an empty token", token: "", isForAll: false },
  {
    what: "a token of another gateway",
    token: jwt({ alg: "HS256", typ: "JWT" }, { sub: "1" }, "c2lnbmF0dXJl"),
    isForAll: false,
  },
];

/**
 * The token with its signature changed; for a JWT also with changed claims under the old signature, and without a
 * signature (`alg` none).
 */
export function alteredTokens(token: string, nowMs: number): ForgedToken[] {
  const parts = token.split(".");
  const [header = "", payload = "", signature = ""] = parts;
  const claims = parts.length === 3 ? parseObject(payload) : undefined;
  const head = parts.length === 3 ? parseObject(header) : undefined;
  if (claims === undefined || head === undefined) {
    return [
      { what: "a token with characters changed", token: changeCharacters(token), isForAll: true },
      { what: "a token with characters behind it", token: `${token}AAAA`, isForAll: false },
      // No length of the token in its name: a record masks the token, and a replay has another text in its place.
      { what: "a token with its first character changed", token: changedAt(token, 0), isForAll: false },
      {
        what: "a token with its last but one character changed",
        token: changedAt(token, token.length - 2),
        isForAll: false,
      },
    ];
  }
  const unsigned = { ...head, alg: "none" };
  return [
    {
      what: "a token with its signature changed",
      token: `${header}.${payload}.${changeCharacters(signature)}`,
      isForAll: true,
    },
    {
      what: "a token with the last but one character of its signature changed",
      token: `${header}.${payload}.${changedAt(signature, signature.length - 2)}`,
      isForAll: false,
    },
    {
      what: "a token with the first character of its signature changed",
      token: `${header}.${payload}.${changedAt(signature, 0)}`,
      isForAll: false,
    },
    {
      what: "a token with a claim added",
      token: `${header}.${encode({ ...claims, rp: 1 })}.${signature}`,
      isForAll: false,
    },
    { what: "a token without a signature (alg none)", token: jwt(unsigned, claims, ""), isForAll: true },
    {
      what: "a token with alg none and its signature",
      token: jwt(unsigned, claims, signature),
      isForAll: false,
    },
    ...signedByOthers(head, claims, nowMs),
    { what: "a token with characters behind it", token: `${token}AAAA`, isForAll: false },
    { what: "a token with its signature cut off", token: `${header}.${payload}.`, isForAll: false },
  ];
}

/** The same claims, and extended ones, signed with keys that an attacker can guess or supply. */
function signedByOthers(head: object, claims: object, nowMs: number): ForgedToken[] {
  const guesses = ["", "secret", "password", "changeme", "jwt", "key", "null", "\u0000"];
  const longer = { ...claims, exp: Math.floor(nowMs / 1000) + 10 * 365 * 86_400 };
  const guessed = guesses.map((key, index) => ({
    what: `a token signed with the key ${JSON.stringify(key)}`,
    token: signed({ ...head, alg: "HS256" }, claims, key),
    isForAll: index === 1,
  }));
  return [
    ...guessed,
    {
      what: "a token with a later expiry, signed with another key",
      token: signed(head, longer, "rackproof"),
      isForAll: false,
    },
    {
      what: "a token whose kid is the path of an empty file",
      token: signed({ ...head, alg: "HS256", kid: "../../../../dev/null" }, claims, ""),
      isForAll: false,
    },
    {
      what: "a token that contains its own key (jwk)",
      token: signed(
        { ...head, alg: "HS256", jwk: { kty: "oct", k: Buffer.from("rackproof").toString("base64url") } },
        claims,
        "rackproof",
      ),
      isForAll: false,
    },
    {
      what: "an expired token, signed with another key",
      token: signed(head, { ...claims, exp: 1 }, "rackproof"),
      isForAll: false,
    },
    ...["None", "NONE", "nOnE", ""].map((alg) => ({
      what: `a token with alg ${JSON.stringify(alg)} and no signature`,
      token: jwt({ ...head, alg }, claims, ""),
      isForAll: false,
    })),
  ];
}

function signed(header: object, claims: object, key: string): string {
  const signature = createHmac("sha256", key)
    .update(`${encode(header)}.${encode(claims)}`)
    .digest("base64url");
  return jwt(header, claims, signature);
}

/** Changes three characters inside; not the last ones, because not all of their bits are significant in base64url. */
function changeCharacters(text: string): string {
  const places = new Set([0.25, 0.5, 0.75].map((part) => Math.floor(text.length * part)));
  return Array.from(text, (character) => character)
    .map((character, index) => (places.has(index) ? other(character) : character))
    .join("");
}

function changedAt(text: string, place: number): string {
  return text.slice(0, place) + other(text[place] ?? "") + text.slice(place + 1);
}

/** Another character, and another digit where case does not count. */
function other(character: string): string {
  return character.toLowerCase() === "a" ? "B" : "A";
}

function jwt(header: object, claims: object, signature: string): string {
  return `${encode(header)}.${encode(claims)}.${signature}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function parseObject(part: string): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
