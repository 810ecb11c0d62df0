// JSON texts that violate a schema or lie at its limits. Texts and not values, because much of what breaks parsers
// (digits beyond a double, lone surrogates, control characters) has no value in this language.
import fc from "fast-check";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Texts that have broken programs. */
export const oddTexts: readonly string[] = [
  "",
  " ",
  "\u0000",
  "\u0007\u001b[31m",
  "a\u0000b",
  "\r\nSet-Cookie: a=b",
  "\u202Egnp.exe",
  "\uFEFFbom",
  "\u200B",
  "e\u0301\u0301\u0301\u0301",
  "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
  "\u{10FFFF}",
  "\uD800",
  "İıß",
  "' OR '1'='1",
  '"><script>alert(1)</script>',
  "${7*7}",
  "{{7*7}}",
  "%s%s%s%n",
  "$(id)",
  "`id`",
  "| id",
  "../../../../etc/passwd",
  "file:///etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "undefined",
  "NaN",
  "null",
  "true",
];

/** Numbers as valid JSON text that programs often store wrongly. */
export const extremeNumbers: readonly string[] = [
  "0",
  "-0",
  "-1",
  "0.1",
  "1e0",
  "1e400",
  "-1e400",
  "1e-400",
  "2147483647",
  "2147483648",
  "-2147483649",
  "4294967296",
  "9007199254740993",
  "9223372036854775808",
  "18446744073709551616",
  `1${"0".repeat(400)}`,
  `0.${"3".repeat(400)}`,
  "1.7976931348623159e308",
];

/** Text that no program accepts as a value: no digits and no words to be coerced. */
export const nonsense: fc.Arbitrary<string> = fc.constantFrom(
  '"rp-nonsense"',
  '{"rp":"nonsense"}',
  '["rp-nonsense"]',
  '"rp-\\u0000-nonsense"',
  '"rp-\\ud800-nonsense"',
  '[{"rp":[{"rp":"nonsense"}]}]',
  `"rp-${"nonsense".repeat(500)}"`,
);

const samples: Readonly<Record<string, readonly string[]>> = {
  null: ["null"],
  boolean: ["true", "false"],
  number: ["7", "-7.5"],
  string: ['"text"', '"7"', '"true"'],
  array: ["[]", "[7]", "[[]]", "[null]"],
  object: ["{}", '{"id":7}', '{"length":7}'],
};

/** Values of a type that the schema does not allow. */
export function wrongTypes(schema: JsonSchema): fc.Arbitrary<string> {
  const allowed = typesOf(schema);
  const others = Object.entries(samples).flatMap(([type, texts]) => (allowed.has(type) ? [] : texts));
  return others.length === 0 ? fc.constant("null") : fc.constantFrom(...others);
}

/** Values at the limits of the schema, on both sides. */
export function boundaryValues(schema: JsonSchema): fc.Arbitrary<string> {
  const edges = new Set<string>();
  const types = typesOf(schema);
  if (Array.isArray(schema["enum"]))
    for (const word of schema["enum"] as unknown[]) addNearWords(edges, word);
  if (types.has("number")) addNearNumbers(edges, schema);
  if (types.has("string")) addNearTexts(edges, schema);
  if (types.has("array")) for (const text of ["[]", JSON.stringify(Array(1000).fill(1))]) edges.add(text);
  if (types.has("object")) for (const text of ["{}", manyMembers(1000)]) edges.add(text);
  if (edges.size === 0) edges.add("null");
  return fc.constantFrom(...edges);
}

const surrogates = { first: 0xd800, count: 0x800 } as const;

/** Any character of Unicode; fast-check's own list of them takes most of the time in which the program starts. */
const character: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count));

export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: character, maxLength: 40 }),
);

/** Long texts, which shrink to short ones. */
export const longText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("a", "9", "é", "\u{1F600}", " ", "/", "%"), fc.integer({ min: 1, max: 60_000 }))
  .map(([unit, count]) => unit.repeat(count));

/** Nested arrays or objects, 1 to 20,000 deep; some are not closed. */
export const deepText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(["[", "]"], ['{"a":', "}"]), fc.integer({ min: 1, max: 20_000 }), fc.boolean())
  .map(([pair, depth, ends]) => {
    const [open = "", close = ""] = pair;
    return ends ? `${open.repeat(depth)}1${close.repeat(depth)}` : open.repeat(depth);
  });

/** JSON types of the schema; the empty schema allows all of them. */
function typesOf(schema: JsonSchema): Set<string> {
  const options = schema["anyOf"] as JsonSchema[] | undefined;
  if (options !== undefined) return new Set(options.flatMap((option) => [...typesOf(option)]));
  if (Array.isArray(schema["enum"])) return new Set((schema["enum"] as unknown[]).map((word) => typeof word));
  const type = schema["type"];
  if (type === "integer") return new Set(["number"]);
  return typeof type === "string" ? new Set([type]) : new Set(Object.keys(samples));
}

function addNearWords(edges: Set<string>, word: unknown): void {
  if (typeof word !== "string") return;
  for (const near of [
    word.toUpperCase(),
    `${word} `,
    ` ${word}`,
    `${word}\u0000`,
    word.slice(0, -1),
    `${word},`,
  ])
    edges.add(JSON.stringify(near));
}

function addNearNumbers(edges: Set<string>, schema: JsonSchema): void {
  for (const keyword of ["minimum", "maximum"]) {
    const limit = schema[keyword];
    if (typeof limit === "number") for (const near of [limit - 1, limit, limit + 1]) edges.add(String(near));
  }
  for (const near of ["-1", "0", "1", "65535", "65536", "-32769", "2147483648", "1.5"]) edges.add(near);
}

function addNearTexts(edges: Set<string>, schema: JsonSchema): void {
  edges.add('""');
  for (const keyword of ["minLength", "maxLength"]) {
    const limit = schema[keyword];
    if (typeof limit !== "number") continue;
    for (const length of [limit - 1, limit, limit + 1])
      edges.add(JSON.stringify("a".repeat(Math.max(0, length))));
  }
  if (schema["format"] !== undefined) {
    for (const text of [
      "0000-00-00T00:00:00Z",
      "2024-02-30T00:00:00Z",
      "9998-12-31T23:59:60Z",
      "2099-01-01T24:00:00Z",
      "2099-01-01T00:00:00+99:99",
      "2099-01-01",
      "99999-01-01T00:00:00Z",
      "-2099-01-01T00:00:00Z",
    ])
      edges.add(JSON.stringify(text));
  }
}

function manyMembers(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"m${i}":0`).join(",")}}`;
}
