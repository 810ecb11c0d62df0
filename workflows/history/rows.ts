import type { DatabaseSync } from "node:sqlite";
import type { Static, TSchema } from "typebox";
import { checker } from "../../interface/schema/validate.ts";

/** Rows of a query, each checked against its schema: a damaged file is reported. */
export function rows<S extends TSchema>(
  database: DatabaseSync,
  schema: S,
  query: string,
  ...values: (string | number)[]
): Static<S>[] {
  const check = checker(schema);
  return database
    .prepare(query)
    .all(...values)
    .map((row) => {
      const value: unknown = { ...row };
      const [problem] = check(value);
      if (problem !== undefined)
        throw new Error(
          `the history is damaged: ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
        );
      return value as Static<S>;
    });
}
