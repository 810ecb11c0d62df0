// Frozen requirement sets: the meaning of "passed 1.0", whatever is added to the suite later.
import { readFileSync } from "node:fs";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { sha256 } from "../../record/index.ts";

const Strict = { additionalProperties: false };
const Ids = Type.Array(Type.String());

const RequirementSet = Type.Object(
  {
    format: Type.Literal("rackproof/requirement-set@1"),
    name: Type.String(),
    interface: Type.String(),
    /** Stated requirements that a certified gateway must pass, and the cases that decide each. */
    requirements: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          /** The requirement applies when the profile declares this. */
          capability: Type.Optional(Type.String()),
          cases: Ids,
        },
        Strict,
      ),
    ),
    /** Written cases that must be in the record; shapes of answers are judged by requirement alone. */
    cases: Type.Array(Type.Object({ id: Type.String(), capabilities: Ids, requirements: Ids }, Strict)),
    /** Stated requirements that no case of this set decides, with the reason. */
    leftAside: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() }, Strict)),
  },
  Strict,
);
export type RequirementSet = Static<typeof RequirementSet>;

/** A frozen set. */
export interface FrozenSet {
  readonly set: RequirementSet;
  /** SHA-256 of the content without white space, in hexadecimal. */
  readonly sha256: string;
}

/** The digest that identifies a set: of its content, independent of the layout of the file. */
export function digestOfSet(content: unknown): string {
  return sha256(JSON.stringify(content));
}

const FrozenIndex = Type.Record(Type.String(), Type.String());
const checkIndex = checker(FrozenIndex);
const checkSet = checker(RequirementSet);
const folder = new URL("./frozen/", import.meta.url);

/** The files of the sets; `index.json` lists name and SHA-256 of each, oldest first. */
export function frozenFile(name: string): URL {
  return new URL(`${name}.json`, folder);
}

/** Names and digests of all frozen sets, oldest first. */
export function frozenSets(): ReadonlyMap<string, string> {
  const value: unknown = JSON.parse(readFileSync(new URL("index.json", folder), "utf8"));
  const problem = checkIndex(value)[0];
  if (problem !== undefined) throw new Error(`the index of frozen requirement sets: ${problem.found}`);
  return new Map(Object.entries(value as Static<typeof FrozenIndex>));
}

/** The set of this name, or undefined. Throws when its file was changed since it was frozen. */
export function readFrozenSet(name: string): FrozenSet | undefined {
  const expected = frozenSets().get(name);
  if (expected === undefined) return undefined;
  const value: unknown = JSON.parse(readFileSync(frozenFile(name), "utf8"));
  const digest = digestOfSet(value);
  if (digest !== expected) {
    throw new Error(
      `requirement set ${name} was changed since it was frozen: expected ${expected}, found ${digest}`,
    );
  }
  const problem = checkSet(value)[0];
  if (problem !== undefined) throw new Error(`requirement set ${name}: ${problem.pointer} ${problem.found}`);
  return { set: value as RequirementSet, sha256: digest };
}

/** The newest set. */
export function newestFrozenSet(): FrozenSet {
  const name = [...frozenSets().keys()].at(-1);
  const found = name === undefined ? undefined : readFrozenSet(name);
  if (found === undefined) throw new Error("no frozen requirement set");
  return found;
}
