// Deviations outside the body: paths, queries, methods, headers.
import fc from "fast-check";
import type { Change } from "./assemble.ts";
import type { Changes } from "./bodies.ts";
import { bytesOf } from "./request.ts";
import { freedomOf, type HostileTarget, replaceable } from "./target.ts";
import { extremeNumbers, longText, oddText, oddTexts } from "./values.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

const pathTricks: readonly string[] = [
  "%2f",
  "..%2f..%2f..%2f..%2fetc%2fpasswd",
  "..",
  ".",
  "%2e%2e",
  "%2e%2e%2f",
  "..;",
  "%5c..%5c",
  "%00",
  "rp%00",
  "%",
  "%z1",
  "%c0%ae%c0%ae",
  "%ff",
  "%u0041",
  "%E2%80%AE",
  "%F0%9F%98%80",
  "%0d%0aX-Rp:%20a",
  "rp;a=b",
  "rp nonsense",
  "rp\u00E9",
  "\u{1F600}",
  "'",
  "*",
  "__proto__",
  "constructor",
  "NaN",
  "99999999999999999999",
];

/** Notations that some programs read as the same number. */
function numberTricks(value: string): string[] {
  return [
    `${value}.0`,
    `${value}e0`,
    `${value}e400`,
    `%20${value}`,
    `%2B${value}`,
    `0${value}`,
    `-${value}`,
    `${value}rp`,
  ];
}

/** Unusual text in every path parameter and after the path. */
export function pathChanges(target: HostileTarget): Changes {
  const ends = ["/", "//", "/.", "/..", "/%2e%2e", "%2f", "%00", ";a=b", "%20", "%", "/\u0001", "\\"];
  // These would hide the query, which must not happen where the query makes the call harmless.
  if (!Object.values(target.freedom).includes("fixed")) ends.push("?", "#");
  const atEnd: Changes = fc.constantFrom(...ends).map((pathEnd) => ({ pathEnd }));
  const long = longText.map((text) => encodeURIComponent(text));
  const names = replaceable(target, Object.keys(target.path));
  const inside = names.map((name) => {
    const value = target.path[name] ?? "";
    const near = /^\d+$/.test(value)
      ? numberTricks(value)
      : [`${value}%00`, `${value}%20`, `${value}/`, `.${value}`];
    return fc
      .oneof(
        fc.constantFrom(...pathTricks),
        { weight: 3, arbitrary: fc.constantFrom(...near) },
        oddText.map(safeEncode),
        long,
      )
      .map((text): Change => ({ path: { [name]: text } }));
  });
  return fc.oneof(atEnd, ...inside);
}

function safeEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const brokenQueries: readonly string[] = [
  "",
  "&&&&",
  "=",
  "%",
  "%=%",
  "a=%zz",
  "a=%ff",
  "a=%00",
  "rp[]=1&rp[]=2",
  "rp[a][b][c]=1",
  "__proto__=1",
  "__proto__[x]=1",
  "constructor=1",
  "rp=\u00FF",
  "rp=a b",
  "?????",
  "#rp",
  ";a=b;c=d",
];

/** Values and forms of the query. */
export function queryChanges(target: HostileTarget): Changes {
  const schemas = ((target.definition.query as JsonSchema | undefined)?.["properties"] ?? {}) as Record<
    string,
    unknown
  >;
  const names = replaceable(target, Object.keys(schemas));
  const base = new URLSearchParams(target.query).toString();
  const add = (text: string): Change => ({ query: [base, text].filter((part) => part !== "").join("&") });
  const replace = (name: string, text: string): Change => {
    const kept = new URLSearchParams(
      Object.entries(target.query).filter(([other]) => other !== name),
    ).toString();
    return { query: [kept, `${name}=${text}`].filter((part) => part !== "").join("&") };
  };
  const values = fc.oneof(
    fc.constantFrom(
      "",
      "true",
      "TRUE",
      "-1",
      "1",
      "null",
      "[]",
      "{}",
      "%7B%22a%22%3A1%7D",
      "%5B%5D",
      "%5B%5B%5D%5D",
      "a,b,,c",
      ",",
    ),
    fc.constantFrom(...extremeNumbers),
    fc.constantFrom(...oddTexts).map(safeEncode),
    oddText.map(safeEncode),
    longText.map((text) => safeEncode(text.slice(0, 6000))),
  );
  const nonsense = fc.constantFrom("rp-nonsense", "%7B%22rp%22%3A%22nonsense%22%7D", "rp-%00-nonsense");
  const own = names.map((name) =>
    (freedomOf(target, name) === "free" ? values : nonsense).map((text) => replace(name, text)),
  );
  const repeated = fc
    .tuple(
      fc.constantFrom("rp", ...names.filter((name) => freedomOf(target, name) === "free")),
      fc.integer({ min: 1, max: 500 }),
    )
    .map(([name, times]) => add(Array.from({ length: times }, (_, i) => `${name}=${i}`).join("&")));
  return fc.oneof(fc.constantFrom(...brokenQueries).map(add), repeated, ...own);
}

/** Methods that no operation is bound to, without any that could mean a deletion. */
export const methodChanges: Changes = fc
  .constantFrom("HEAD", "OPTIONS", "TRACE", "PROPFIND", "SEARCH", "BREW", "get", "X".repeat(300), "GET\u0000")
  .map((method) => ({ method }));

/** Oversized, duplicate or unusual headers, and headers that contradict the body. */
export function headerChanges(target: HostileTarget): Changes {
  const header = (name: string, value: string): Change => ({ headers: [[name, value]] });
  const length = fc.integer({ min: 1, max: 100_000 });
  const oversized = length.map((bytes) => header("x-rp", "a".repeat(bytes)));
  const many = fc.integer({ min: 1, max: 3000 }).map((count): Change => ({
    headers: Array.from({ length: count }, (_, i) => [`x-rp-${i}`, ""] as const),
  }));
  const odd = fc.constantFrom(
    header("accept", "rp/nonsense; q=2"),
    header("accept-encoding", "gzip;q=-1, *"),
    header("accept-language", "\u00FF\u00FE"),
    header("range", "bytes=9-1,-5"),
    header("if-none-match", '"'),
    header("if-modified-since", "Mon, 99 Foo 9999 99:99:99 GMT"),
    header("cookie", "a=;;;=b"),
    header("x-http-method-override", "BREW"),
    header("x-forwarded-for", "127.0.0.1, ::1, rp"),
    header("forwarded", 'for="_rp;host='),
    header("referer", "javascript:alert(1)"),
    header("origin", "null"),
    header("te", "trailers, rp"),
    header("x-rp", "\u0001\u0002"),
    header("x rp", "a"),
    header("", "a"),
    header("x-rp\u00FF", "a"),
    header("x-rp", "a\r\n folded"),
    header("x-rp", "${jndi:ldap://127.0.0.1:9/a}"),
    header("password", "\u0000"),
    header("password", "a".repeat(3000)),
  );
  const framing = fc
    .constantFrom<readonly (readonly [string, string])[]>(
      [["content-length", "-1"]],
      [["content-length", "0x10"]],
      [["content-length", "1e3"]],
      [["content-length", "99999999999999999999"]],
      [
        ["content-length", "5"],
        ["content-length", "6"],
      ],
      [
        ["content-length", "0"],
        ["content-length", "0"],
      ],
      [
        ["content-length", "0"],
        ["transfer-encoding", "chunked"],
      ],
      [["transfer-encoding", "chunked"]],
      [["transfer-encoding", "identity"]],
      [["transfer-encoding", "gzip, chunked"]],
      [["transfer-encoding", "chunked, chunked"]],
      [["transfer-encoding", "rp-nonsense"]],
      [["transfer-encoding", "\u000Bchunked"]],
      [
        ["host", "a"],
        ["host", "b"],
      ],
      [["host", ""]],
      [["host", "rp nonsense:99999999"]],
      [
        ["connection", "upgrade"],
        ["upgrade", "h2c"],
      ],
      [
        ["connection", "upgrade"],
        ["upgrade", "websocket"],
      ],
      [
        ["connection", "upgrade"],
        ["upgrade", "websocket"],
        ["sec-websocket-key", "!"],
        ["sec-websocket-version", "99"],
      ],
      [["connection", "close, keep-alive, upgrade"]],
      [["connection", "content-length, authorization"]],
      [["expect", "100-continue"]],
      [["expect", "rp-nonsense"]],
    )
    .map((headers): Change => ({ headers, isWellFramed: false }));
  return fc.oneof(oversized, many, odd, framing, ...(target.token === undefined ? [] : [tokens]));
}

const tokens: Changes = fc.oneof(
  fc
    .constantFrom(
      "",
      "Bearer",
      "Bearer ",
      "Bearer  {token} {token}",
      "bearer {token}x",
      "Basic YWRtaW46YWRtaW4=",
      "Digest username=",
      "Negotiate",
      "{token}.{token}",
      "Bearer ..",
      "Bearer ...",
      "Bearer e30.e30.",
      "Bearer eyJhbGciOiJub25lIn0.e30.",
      "Bearer \u0000",
      "Bearer \u00FF",
      "Bearer null",
    )
    .map((token): Change => ({ token })),
  fc.integer({ min: 1, max: 50_000 }).map((length): Change => ({ token: `Bearer ${"a".repeat(length)}` })),
  oddText.map((text): Change => ({ token: `Bearer ${bytesOf(text).replaceAll(/[\r\n]/g, "")}` })),
);
