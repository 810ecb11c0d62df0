import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "{interface,record,observation,rigs,reference-impl,alterations,harness,suites,workflows,reports,cli}/**/*.test.ts",
            "test/*.test.ts",
          ],
          setupFiles: ["allure-vitest/setup"],
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "e2e",
          globalSetup: ["test/support/sharedRuns.ts"],
          include: ["test/e2e/**/*.test.ts"],
          setupFiles: ["allure-vitest/setup"],
          // These run the real command line and measure time: one at a time, after the unit tests.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    reporters: [
      "default",
      ["allure-vitest/reporter", { resultsDir: ".cache/allure-results" }],
      ["junit", { outputFile: ".cache/junit.xml" }],
      ["json", { outputFile: ".cache/vitest.json" }],
    ],
  },
});
