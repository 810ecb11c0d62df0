// Prints the closing line of a test run, counted from the JSON result that vitest wrote.
import { readFile } from "node:fs/promises";

import { Type } from "typebox";
import { Value } from "typebox/value";

const VitestResult = Type.Object({
  testResults: Type.Array(
    Type.Object({
      status: Type.String(),
      assertionResults: Type.Array(Type.Object({ status: Type.String() })),
    }),
  ),
});

const path = process.argv[2];
if (path === undefined) throw new Error("usage: node tools/test-totals.ts <vitest-result.json>");
const { testResults: files } = Value.Parse(VitestResult, JSON.parse(await readFile(path, "utf8")));

const tests = files.flatMap((file) => file.assertionResults);
const passed = tests.filter((test) => test.status === "passed").length;
const failedTests = tests.filter((test) => test.status === "failed").length;
// A file that could not be loaded has no failed test of its own, and is a failure all the same.
const failedFiles = files.filter(
  (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"),
).length;
const failed = failedTests + failedFiles;
const notRun = tests.length - passed - failedTests;

if (notRun > 0) console.log(`${notRun} not run`);
console.log(`${passed} passed, ${failed} failed`);
