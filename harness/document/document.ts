// A YAML (or JSON) file from outside, checked against its schema; each mistake is named with line and field.
import { readFile } from "node:fs/promises";
import type { Static, TSchema } from "typebox";
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { UsageError, type UsageErrorCode } from "../../record/index.ts";
import { mistakesOf } from "./mistakes.ts";

/** Kinds of files as messages name them, and how their codes begin: PROFILE_SYNTAX, PROFILE_FIELD... */
const codePrefixes = {
  profile: "PROFILE",
  rack: "RACK",
  "expected-failures": "EXPECTED_FAILURES",
  waivers: "WAIVERS",
  "gate-policy": "GATE_POLICY",
  trust: "TRUST",
  "soak-mix": "SOAK_MIX",
  notify: "NOTIFY",
} as const;
export type DocumentKind = keyof typeof codePrefixes;
const codeEndings = ["UNREADABLE", "SYNTAX", "FIELD"] as const;

/** Every code that a file can give. */
export const documentCodes: readonly UsageErrorCode[] = (Object.keys(codePrefixes) as DocumentKind[]).flatMap(
  (kind) => codeEndings.map((ending) => code(kind, ending)),
);

export interface CheckedDocument<T> {
  readonly value: T;
  /** Throws a UsageError at the place of a JSON pointer; of the kind's code for fields unless another is given. */
  readonly fail: (pointer: string, message: string, errorCode?: UsageErrorCode) => never;
}

/** Reads a file's text; throws a UsageError when it cannot be read. */
export async function readDocument(kind: DocumentKind, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new UsageError(code(kind, "UNREADABLE"), `${kind} ${file}: the file cannot be read`);
  }
}

/** One mistake in a file. */
interface DocumentMistake {
  /** JSON pointer of the place; undefined for a mistake of the syntax. */
  readonly pointer?: string;
  readonly line: number;
  readonly message: string;
}

/** A file's text as read: its value, its mistakes, and the lines of its parts. */
interface InspectedDocument {
  readonly value: unknown;
  readonly mistakes: readonly DocumentMistake[];
  readonly lineOf: (pointer: string) => number;
}

/** Reads the text and checks it against the schema; never throws. */
export function inspectDocument(kind: DocumentKind, text: string, schema: TSchema): InspectedDocument {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines });
  const place = (pointer: string): number => lineOf(yaml, lines, pointer);
  const syntax = yaml.errors.map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    message: error.message.split("\n")[0] ?? "",
  }));
  if (syntax.length > 0) return { value: undefined, mistakes: syntax, lineOf: place };
  const value: unknown = yaml.toJS() ?? {};
  const mistakes = mistakesOf(schema, value, kind).map((mistake) => ({
    ...mistake,
    line: place(mistake.pointer),
  }));
  return { value, mistakes, lineOf: place };
}

/** Parses the text; throws a UsageError that names line, field, what was expected and what was found. */
export function checkDocument<S extends TSchema>(
  kind: DocumentKind,
  text: string,
  origin: string,
  schema: S,
): CheckedDocument<Static<S>> {
  const { value, mistakes, lineOf: place } = inspectDocument(kind, text, schema);
  const fail: CheckedDocument<unknown>["fail"] = (pointer, message, errorCode = code(kind, "FIELD")) => {
    throw new UsageError(errorCode, `${kind} ${origin}:${place(pointer)}: ${message}`);
  };
  const [first] = mistakes;
  if (first !== undefined) {
    if (first.pointer !== undefined) fail(first.pointer, first.message);
    throw new UsageError(code(kind, "SYNTAX"), `${kind} ${origin}:${first.line}: ${first.message}`);
  }
  return { value: value as Static<S>, fail };
}

function code(kind: DocumentKind, ending: (typeof codeEndings)[number]) {
  return `${codePrefixes[kind]}_${ending}` as const;
}

function lineOf(yaml: Document, lines: LineCounter, pointer: string): number {
  const path = pointer.split("/").slice(1);
  // A missing or unknown member has no node of its own, so its nearest parent is named.
  for (let depth = path.length; depth >= 0; depth--) {
    const parent = yaml.getIn(path.slice(0, depth - 1), true);
    const key = path[depth - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      if (pair !== undefined && isScalar(pair.key) && pair.key.range)
        return lines.linePos(pair.key.range[0]).line;
    }
    const item = isSeq(parent) ? parent.items[Number(key)] : undefined;
    if (isNode(item) && item.range) return lines.linePos(item.range[0]).line;
  }
  return 1;
}
