// Disputes about checks: one Markdown file each in `docs/disputes/`, with its facts in YAML between lines of ---.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Type, { type Static } from "typebox";
import { parse } from "yaml";
import { checker } from "../interface/schema/validate.ts";

const Day = Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });

/** The facts of a dispute. */
const DisputeFacts = Type.Object(
  {
    case: Type.String({ minLength: 1 }),
    requirement: Type.String({ minLength: 1 }),
    /**
     * `open`: not examined yet; `upheld`: the check is wrong and will change; `rejected`: the check is right;
     * `specification-silent`: the interface leaves open what the check demands.
     */
    state: Type.Enum(["open", "upheld", "rejected", "specification-silent"]),
    title: Type.String({ minLength: 1 }),
    opened: Day,
    decided: Type.Optional(Day),
    /** SHA-256 of the exchanges that the dispute is about. */
    evidenceSha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
  },
  { additionalProperties: false },
);
type DisputeFacts = Static<typeof DisputeFacts>;

export interface Dispute extends DisputeFacts {
  /** Name of its file. */
  readonly file: string;
}

const check = checker(DisputeFacts);
const head = /^---\n([\s\S]*?)\n---\n/;
/** Describes the format; it is no dispute. */
const guide = "README.md";

/** The disputes that this release contains. */
const shippedDisputes = fileURLToPath(new URL("../docs/disputes/", import.meta.url));

/** Every dispute of the folder by file name; throws an Error that names a wrong file. */
export async function readDisputes(folder = shippedDisputes): Promise<Dispute[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".md") && name !== guide).toSorted();
  return Promise.all(
    files.map(async (file) => ({ ...factsOf(await readFile(join(folder, file), "utf8"), file), file })),
  );
}

function factsOf(text: string, file: string): DisputeFacts {
  // The core schema of YAML has no dates: days stay texts.
  const facts: unknown = parse(head.exec(text)?.[1] ?? "", { schema: "core" });
  const problem = check(facts)[0];
  if (problem !== undefined)
    throw new Error(
      `dispute ${file}${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  return facts as DisputeFacts;
}

/** The disputes about a check of a case. */
export function disputesOf(
  disputes: readonly Dispute[],
  caseId: string,
  requirement: string,
): readonly Dispute[] {
  return disputes.filter((one) => one.case === caseId && one.requirement === requirement);
}
