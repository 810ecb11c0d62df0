import type { TestCase } from "../harness/suite/case.ts";

/** Every case of the suite. */
export const suite: readonly TestCase[] = [];
