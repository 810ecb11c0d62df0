import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Gateways and devices that tests start load faster.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "node-compile-cache");

/** Of the files that run side by side, these take longest: begun last, one of them would keep a core idle at the end. */
const longest = [
  "timed/kinds",
  "e2e/fleetNights",
  "e2e/certificate",
  "e2e/oracle",
  "e2e/reportPage",
  "e2e/docs",
  "e2e/package",
  "e2e/labgrid",
  "e2e/variation",
  "e2e/findings",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => {
      const isOfOneProject = a.project.name === b.project.name;
      return isOfOneProject ? rank(a) - rank(b) : 0;
    });
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "{interface,record,observation,rigs,reference-impl,alterations,harness,suites,workflows,reports,cli,bench}/**/*.test.ts",
            "test/*.test.ts",
          ],
          setupFiles: ["allure-vitest/setup"],
          // Half of each core waits for sockets and processes; by default one core would have nothing to do.
          maxWorkers: 3,
          // Modules are loaded once per worker: most of the time of these tests was loading.
          isolate: false,
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
          // These run the real command line, which waits for gateways half of its time. They come last: some look at a
          // run that a test of the other group has made alone.
          maxWorkers: 3,
          isolate: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "timed",
          globalSetup: ["test/support/sharedRuns.ts"],
          include: ["test/timed/**/*.test.ts"],
          setupFiles: ["allure-vitest/setup"],
          // These measure time, or end processes at a time: before the command line keeps all cores busy, and beside one
          // other at most, which most of the time is the emulator.
          maxWorkers: 2,
          testTimeout: 400_000,
          hookTimeout: 400_000,
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
