// A package is installed to the end: the gateway boots into it with everything it had.
import { type TestCase, testCase } from "../../harness/index.ts";
import { notOnSmoke } from "../support/smoke.ts";
import { hasSucceeded } from "./jobStates.ts";
import { keepThings, installed, sharedByInstallations, systemsOf } from "./systems.ts";

export const installingCases: readonly TestCase[] = [
  testCase({
    ...sharedByInstallations,
    id: "upgrade/install-and-boot",
    title: "An upgrade boots into the new version with the same users, settings and tags",
    requirements: ["CORE-UPGRADE-75", "CORE-UPGRADE-76", "CORE-UPGRADE-77", "CORE-UPGRADE-78"],
    async run(context) {
      notOnSmoke(context);
      const { verify } = context;
      const { present, other } = await systemsOf(context);
      const verifyKept = await keepThings(context, {
        users: "CORE-UPGRADE-76",
        settings: "CORE-UPGRADE-77",
        tags: "CORE-UPGRADE-78",
      });
      for (const system of [other, present]) {
        const { job, version } = await installed(context, system);
        const isInstalled = job !== undefined && hasSucceeded(job) && version === system.version;
        verify("CORE-UPGRADE-75").that(isInstalled, {
          what: `\`state\` of the job, and version, after the installation of ${system.version}`,
          expected: `a state of success such as succeed, and version ${system.version}`,
          observed: `${job?.state ?? "no job"}, and ${version === undefined ? "no version" : `version ${version}`}`,
        });
        await verifyKept(`after the installation of ${system.version}`);
      }
    },
  }),
];
