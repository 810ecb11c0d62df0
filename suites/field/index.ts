import type { TestCase } from "../../harness/index.ts";
import { faultCases } from "./faults.ts";
import { opcuaServerCases } from "./opcuaServer.ts";
import { rejectedWriteCases } from "./rejectedWrites.ts";
import { togetherCases } from "./together.ts";
import { valueCases } from "./values.ts";
import { writingCases } from "./writing.ts";

/** Values read from and written to field devices through their tags. */
export const fieldSuite: readonly TestCase[] = [
  ...valueCases,
  ...writingCases,
  ...rejectedWriteCases,
  ...faultCases,
  ...togetherCases,
  ...opcuaServerCases,
];
