import type { TestCase } from "../../harness/index.ts";
import { faultCases } from "./faults.ts";
import { opcuaServerCases } from "./opcuaServer.ts";
import { togetherCases } from "./together.ts";
import { valueCases } from "./values.ts";
import { writingCases } from "./writing.ts";

/** What the tags of field devices show, and what becomes of what is written to them. */
export const fieldSuite: readonly TestCase[] = [
  ...valueCases,
  ...writingCases,
  ...faultCases,
  ...togetherCases,
  ...opcuaServerCases,
];
