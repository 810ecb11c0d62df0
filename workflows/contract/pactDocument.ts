// A Pact file as far as rackproof reads it. "This value or null" is written here: the file format has it (rules joined
// by OR), Pact's builders do not.
import { readFile } from "node:fs/promises";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";

const Rule = Type.Object({ combine: Type.String(), matchers: Type.Array(Type.Unknown()) });
const PactDocument = Type.Object({
  interactions: Type.Array(
    Type.Object({
      description: Type.String(),
      response: Type.Object({
        body: Type.Optional(Type.Object({ content: Type.Unknown() })),
        matchingRules: Type.Optional(Type.Object({ body: Type.Optional(Type.Record(Type.String(), Rule)) })),
      }),
    }),
  ),
});
type PactDocument = Static<typeof PactDocument>;

/** Throws an Error for a file that is not a Pact file. */
export async function readPactFile(file: string): Promise<PactDocument> {
  const document: unknown = JSON.parse(await readFile(file, "utf8"));
  const problem = checker(PactDocument)(document)[0];
  if (problem !== undefined)
    throw new Error(`${file}${problem.pointer}: expected ${problem.expected}, found ${problem.found}`);
  return document as PactDocument;
}

/** The same file, in which the values at these paths of an answer may be null; paths by description. */
export function allowNull(
  document: PactDocument,
  nullable: ReadonlyMap<string, readonly string[]>,
): PactDocument {
  return {
    ...document,
    interactions: document.interactions.map((interaction) => {
      const { response } = interaction;
      const rules = { ...response.matchingRules?.body };
      for (const path of nullable.get(interaction.description) ?? []) {
        const rule = rules[path];
        if (rule === undefined)
          throw new Error(`contract: "${interaction.description}" has no rule for ${path}`);
        rules[path] = { combine: "OR", matchers: [{ match: "null" }, ...rule.matchers] };
      }
      if (Object.keys(rules).length === 0) return interaction;
      const matchingRules = { ...response.matchingRules, body: rules };
      return { ...interaction, response: { ...response, matchingRules } };
    }),
  };
}
