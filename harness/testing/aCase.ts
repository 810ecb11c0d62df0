import type { TestCase } from "../suite/case.ts";

/** A case that does and touches nothing, for tests about cases. */
export function aCase(id: string, part: Partial<TestCase> = {}): TestCase {
  return {
    id,
    title: id,
    group: "general",
    requirements: [],
    effect: "reversible",
    touches: [],
    run: async () => {},
    ...part,
  };
}
