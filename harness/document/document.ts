// A YAML (or JSON) file from outside, held against its schema; whatever is wrong is named with line and field.
import { readFile } from "node:fs/promises";
import type { Static, TSchema } from "typebox";
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { checker } from "../../interface/validate.ts";
import { UsageError } from "../errors.ts";

/** What kind of file it is, for messages and codes: `profile` gives PROFILE_SYNTAX, PROFILE_FIELD... */
export type DocumentKind = "profile" | "rack" | "expected-failures" | "waivers" | "gate-policy";

export interface CheckedDocument<T> {
  readonly value: T;
  /** Throws a UsageError at the place of a JSON pointer. */
  readonly fail: (pointer: string, message: string) => never;
}

/** Reads a file's text; throws a UsageError when it cannot be read. */
export async function readDocument(kind: DocumentKind, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new UsageError(
      code(kind, "UNREADABLE"),
      `${kind} ${file}: the file cannot be read; give the path of a ${kind} file`,
    );
  }
}

/** Parses the text; throws a UsageError that names line, field, what was expected and what was found. */
export function checkDocument<S extends TSchema>(
  kind: DocumentKind,
  text: string,
  origin: string,
  schema: S,
): CheckedDocument<Static<S>> {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines });
  const syntax = yaml.errors[0];
  if (syntax !== undefined) {
    const { line } = lines.linePos(syntax.pos[0]);
    throw new UsageError(
      code(kind, "SYNTAX"),
      `${kind} ${origin}:${line}: ${syntax.message.split("\n")[0] ?? ""}`,
    );
  }
  const fail = (pointer: string, message: string): never => {
    throw new UsageError(
      code(kind, "FIELD"),
      `${kind} ${origin}:${lineOf(yaml, lines, pointer)}: ${message}`,
    );
  };
  const value: unknown = yaml.toJS() ?? {};
  const problem = checker(schema)(value)[0];
  if (problem !== undefined) {
    const field = problem.pointer.slice(1).replaceAll("/", ".");
    fail(
      problem.pointer,
      `${field === "" ? `the ${kind}` : field}: expected ${problem.expected}, found ${problem.found}`,
    );
  }
  return { value: value as Static<S>, fail };
}

function code(kind: DocumentKind, what: string): string {
  return `${kind.toUpperCase().replaceAll("-", "_")}_${what}`;
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
