// Tokens that no sign-in gave, made from one that a sign-in gave.

export interface ForgedToken {
  readonly what: string;
  readonly token: string;
  /** Tried with every operation; the others with a few. */
  readonly isForAll: boolean;
}

/** Texts that are nobody's token. */
export const strangeTokens: readonly ForgedToken[] = [
  { what: "a word", token: "rackproof", isForAll: true },
  { what: "three empty parts", token: "..", isForAll: false },
  {
    what: "a token of another gateway",
    token: jwt({ alg: "HS256", typ: "JWT" }, { sub: "1" }, "c2lnbmF0dXJl"),
    isForAll: false,
  },
];

/**
 * The token with its signature changed; of a JWT also with its claims changed under the old signature, and with no
 * signature at all (`alg` none).
 */
export function alteredTokens(token: string): ForgedToken[] {
  const parts = token.split(".");
  const [header = "", payload = "", signature = ""] = parts;
  const claims = parts.length === 3 ? parseObject(payload) : undefined;
  const head = parts.length === 3 ? parseObject(header) : undefined;
  if (claims === undefined || head === undefined) {
    return [{ what: "a token with characters changed", token: changeCharacters(token), isForAll: true }];
  }
  const unsigned = { ...head, alg: "none" };
  return [
    {
      what: "a token with its signature changed",
      token: `${header}.${payload}.${changeCharacters(signature)}`,
      isForAll: true,
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
    { what: "a token with its signature cut off", token: `${header}.${payload}.`, isForAll: false },
  ];
}

/** Other characters in three places inside; the last ones are spared, for not all of their bits count. */
function changeCharacters(text: string): string {
  const places = new Set([0.25, 0.5, 0.75].map((part) => Math.floor(text.length * part)));
  return Array.from(text, (character) => character)
    .map((character, index) => (places.has(index) ? other(character) : character))
    .join("");
}

function other(character: string): string {
  return character === "A" ? "B" : "A";
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
