// Bodies that break an operation's schema, or JSON, or multipart.
import fc from "fast-check";
import { type Change, formOf, jsonOf, type Members, membersOf, replaced } from "./assemble.ts";
import { bytesOf, type HostileKind } from "./request.ts";
import { freedomOf, type HostileTarget, replaceable } from "./target.ts";
import {
  boundaryValues,
  deepText,
  extremeNumbers,
  longText,
  nonsense,
  oddText,
  oddTexts,
  wrongTypes,
} from "./values.ts";

type JsonSchema = Readonly<Record<string, unknown>>;
export type Changes = fc.Arbitrary<Change>;

/** Changes of the JSON body by kind; none for an operation that takes no JSON. */
export function jsonChanges(target: HostileTarget): Partial<Record<HostileKind, Changes>> {
  if (target.json === undefined) return {};
  const members = membersOf(target);
  const schemas = propertiesOf(target.definition.json as JsonSchema);
  const names = replaceable(target, [
    ...new Set([...Object.keys(schemas), ...members.map(([name]) => name)]),
  ]);
  const free = names.filter((name) => freedomOf(target, name) === "free");
  const guarded = names.filter((name) => freedomOf(target, name) === "nonsense");
  const withValue = (
    only: readonly string[],
    value: (schema: JsonSchema) => fc.Arbitrary<string>,
  ): Changes[] =>
    only.map((name) =>
      value(schemas[name] ?? {}).map((text) => ({ body: jsonOf(replaced(members, name, text)) })),
    );
  const unknown = (value: fc.Arbitrary<string>): Changes =>
    value.map((text) => ({ body: jsonOf([...members, ["rp-unknown", text]]) }));
  const raw = (bodies: readonly string[]): Changes =>
    fc.constantFrom(...bodies).map((text) => ({ body: bytesOf(text) }));
  return {
    ...some("boundary-value", withValue(free, boundaryValues)),
    ...some("wrong-type", [
      ...withValue(free, wrongTypes),
      ...withValue(guarded, () => nonsense),
      ...withoutOne(target, members),
      raw(["[]", '"text"', "7", "null", "true", "[[{}]]", "{}"]),
    ]),
    ...some("deep-nesting", [
      ...withValue(free, () => deepText),
      unknown(deepText),
      deepText.map((text) => ({ body: text })),
    ]),
    ...some("long-text", [
      ...withValue(free, () => longText.map((text) => JSON.stringify(text))),
      unknown(longText.map((text) => JSON.stringify(text))),
      longText.map((name) => ({ body: jsonOf([...members, [name, "0"]]) })),
    ]),
    ...some("odd-text", [
      ...withValue(free, () => oddText.map((text) => JSON.stringify(text))),
      // Unescaped: control characters make it invalid JSON.
      ...withValue(free, () => oddText.map((text) => `"${text}"`)),
      oddText.map((name) => ({
        body: jsonOf([...members.filter(([other]) => other !== name), [name, "0"]]),
      })),
    ]),
    ...some("duplicate-key", [duplicates(members, free)]),
    ...some(
      "extreme-number",
      withValue(free, () => fc.constantFrom(...extremeNumbers)),
    ),
    ...some("broken-json", [brokenJson(members)]),
    ...some("wrong-media-type", [mediaTypes]),
    ...some("broken-multipart", [
      brokenMultipart({ rp: "a" }).map((change) => ({
        contentType: "multipart/form-data; boundary=rp-boundary",
        ...change,
      })),
    ]),
  };
}

/** Escaped, it is a valid text that few programs expect. */
const controlCharacter = String.raw`"a\u0000b"`;

/** Changes that every run makes, whatever its seed: a control character in the first text of the body. */
export function certainChanges(target: HostileTarget): Change[] {
  const members = membersOf(target);
  const schemas = propertiesOf(target.definition.json as JsonSchema | undefined);
  const texts = replaceable(target, Object.keys(schemas)).filter(
    (name) => schemas[name]?.["type"] === "string" && freedomOf(target, name) === "free",
  );
  return texts.slice(0, 1).map((name) => ({ body: jsonOf(replaced(members, name, controlCharacter)) }));
}

/** Changes of a form. */
export function formChanges(target: HostileTarget): Partial<Record<HostileKind, Changes>> {
  const { form } = target;
  if (form === undefined) return {};
  const names = replaceable(
    target,
    Object.keys(propertiesOf(target.definition.form as unknown as JsonSchema)),
  );
  const free = names.filter((name) => freedomOf(target, name) === "free");
  const values = fc.oneof(oddText, longText, fc.constantFrom(...extremeNumbers));
  const withValue = (only: readonly string[], value: fc.Arbitrary<string>): Changes[] =>
    only.map((name) => value.map((text) => ({ body: formOf({ ...form, [name]: text }) })));
  return {
    ...some("odd-text", withValue(free, values)),
    ...some(
      "wrong-type",
      withValue(names, fc.constantFrom("rp-nonsense", "[object Object]", '{"rp":"nonsense"}')),
    ),
    ...some("broken-multipart", [brokenMultipart(form), ...files(form, names)]),
    ...some("wrong-media-type", [mediaTypes]),
  };
}

function some(kind: HostileKind, changes: readonly Changes[]): Partial<Record<HostileKind, Changes>> {
  return changes.length === 0 ? {} : { [kind]: fc.oneof(...changes) };
}

function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema> {
  return (schema?.["properties"] as Record<string, JsonSchema> | undefined) ?? {};
}

/** The body without one of its members, except fixed ones. */
function withoutOne(target: HostileTarget, members: Members): Changes[] {
  const names = members.map(([name]) => name).filter((name) => freedomOf(target, name) === "free");
  if (names.length === 0) return [];
  return [
    fc.constantFrom(...names).map((name) => ({ body: jsonOf(members.filter(([other]) => other !== name)) })),
  ];
}

function duplicates(members: Members, names: readonly string[]): Changes {
  const odd = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  const texts = fc.constantFrom("null", "0", '"text"', "{}", '{"x":1}', "[]");
  const name = fc.constantFrom(...(names.length === 0 ? odd : names), ...odd);
  const twice = fc.tuple(name, texts, fc.integer({ min: 1, max: 300 })).map(([key, text, times]) => ({
    body: jsonOf([...members, ...Array.from({ length: times }, () => [key, text] as const)]),
  }));
  return twice;
}

function brokenJson(members: Members): Changes {
  const whole = jsonOf(members);
  const truncated = fc
    .integer({ min: 1, max: Math.max(1, whole.length - 1) })
    .map((end) => ({ body: whole.slice(0, whole.length === 2 ? 1 : end) }));
  const broken = [
    "",
    " ",
    "\n",
    "{",
    "}",
    "{,}",
    `${whole.slice(0, -1)},}`,
    `${whole}${whole}`,
    `${whole}]`,
    `/* a */${whole}x`,
    whole.replaceAll('"', "'").replace("{}", "{'a'}"),
    '{"rp":NaN}',
    '{"rp":Infinity}',
    '{"rp":+1}',
    '{"rp":01}',
    '{"rp":.5}',
    '{"rp":0x10}',
    '{"rp":"\t"}',
    '{"rp":"\\x41"}',
    '{"rp":"\\u12"}',
    "{rp:1}",
    "nul",
    "\u0000",
  ].map((text) => ({ body: text }));
  const bytes = [
    `{"rp":"\u00FF\u00FE"}`,
    `{"rp":"\u00C0\u0080"}`,
    `{"rp":"\u00ED\u00A0\u0080"}`,
    `{"rp":"\u00F4\u0090\u0080\u0080"}`,
    `\u00EF\u00BB\u00BF${whole}x`,
    Buffer.from('{"rp":1}', "utf16le").toString("latin1"),
    "\u001F\u008B\u0008\u0000",
  ].map((body) => ({ body }));
  return fc.oneof(truncated, fc.constantFrom(...broken), fc.constantFrom(...bytes));
}

const mediaTypes: Changes = fc.oneof(
  fc
    .constantFrom(
      undefined,
      "",
      "x",
      "text/plain",
      "text/html; charset=utf-7",
      "application/xml",
      "application/octet-stream",
      "application/x-www-form-urlencoded",
      "application/json; charset=utf-16",
      "application/json; charset=rp-nonsense",
      "application/json;;;=",
      "application/json, text/plain",
      "APPLICATION/JSON",
      "application/vnd.rp+json",
      "multipart/form-data",
      "multipart/form-data; boundary=",
      `multipart/form-data; boundary=${"b".repeat(200)}`,
      "multipart/mixed; boundary=x",
      "*/*",
      "application/\u00FF",
      `application/${"j".repeat(5000)}`,
    )
    .map((contentType) => ({ contentType })),
  fc
    .constantFrom("gzip", "deflate", "br", "identity", "rp-nonsense", "gzip, gzip")
    .map((coding) => ({ headers: [["content-encoding", coding]] as const })),
);

function brokenMultipart(form: Readonly<Record<string, string>>): Changes {
  const whole = formOf(form);
  const part = (head: string, content = "a"): string =>
    `--rp-boundary\r\n${head}\r\n\r\n${content}\r\n--rp-boundary--\r\n`;
  const broken = fc.constantFrom(
    "",
    "--",
    "--rp-boundary",
    "--rp-boundary--",
    "--rp-boundary\r\n\r\n",
    whole.replace("--rp-boundary--", "--rp-boundary"),
    whole.replaceAll("\r\n", "\n"),
    whole.replaceAll("rp-boundary", "other-boundary"),
    `preamble\r\n${whole}`,
    part(""),
    part("Content-Disposition: form-data"),
    part("Content-Disposition: form-data; name="),
    part('Content-Disposition: form-data; name="'),
    part('Content-Disposition: form-data; name=""'),
    part('Content-Disposition: attachment; name="rp"'),
    part('Content-Disposition: form-data; name="__proto__"'),
    part('Content-Disposition: form-data; name="constructor"'),
    part('Content-Disposition: form-data; name="toString"; filename="toString"'),
    part('Content-Disposition: form-data; name="rp"\r\nContent-Type: x'),
    part('Content-Disposition: form-data; name="rp"\r\nContent-Transfer-Encoding: base64', "!!!"),
    part(`Content-Disposition: form-data; name="rp"\r\nX: ${"h".repeat(20_000)}`),
    part("x".repeat(20_000)),
  );
  const truncated = fc
    .integer({ min: 0, max: Math.max(0, whole.length - 4) })
    .map((end) => whole.slice(0, end));
  const many = fc
    .integer({ min: 1, max: 2000 })
    .map((count) => formOf(Object.fromEntries(Array.from({ length: count }, (_, i) => [`rp${i}`, ""]))));
  const named = oddText.map((name) =>
    bytesOf(part(`Content-Disposition: form-data; name="${name.replaceAll(/[\r\n"]/g, "")}"`)),
  );
  return fc.oneof(broken, truncated, many, named).map((body) => ({ body }));
}

/** Files with odd names and contents under the form's own names and others. */
function files(form: Readonly<Record<string, string>>, names: readonly string[]): Changes[] {
  const name = fc.constantFrom(...names, "rp-unknown");
  const fileName = fc.oneof(
    fc.constantFrom(...oddTexts, "..", "a/b", "a\\b", "CON", "x".repeat(5000)),
    oddText,
  );
  const content = fc.oneof(
    fc.constantFrom(
      "",
      "\u001F\u008B",
      "PK\u0003\u0004",
      "-----BEGIN CERTIFICATE-----\nrp\n-----END CERTIFICATE-----",
    ),
    fc.string({ unit: "binary-ascii", maxLength: 200 }),
    fc.integer({ min: 1, max: 200_000 }).map((length) => "\u0000".repeat(length)),
  );
  return [
    fc.tuple(name, fileName, content, fc.integer({ min: 1, max: 12 })).map(([field, file, bytes, times]) => {
      const safe = file.replaceAll(/[\r\n"]/g, "");
      const one =
        bytesOf(
          `--rp-boundary\r\nContent-Disposition: form-data; name="${field}"; filename="${safe}"\r\n\r\n`,
        ) + `${bytes}\r\n`;
      return { body: one.repeat(times) + formOf(form) };
    }),
  ];
}
