// A system that does not start: the gateway restores the former one by itself.
import { type TestCase, testCase } from "../../harness/index.ts";
import { onlyForCertification } from "../support/smoke.ts";
import { installed, ownSystem, sharedByInstallations, systemsOf, versionNow } from "./systems.ts";

/** Starts of a system that end with an error and at once. */
const starts = ['throw new Error("this system does not start");', "process.exit(1);"];

export const failedBootCases: readonly TestCase[] = [
  testCase({
    ...sharedByInstallations,
    id: "upgrade/system-that-does-not-start",
    title: "A new version that does not start is replaced by the former one",
    requirements: ["CORE-UPGRADE-83"],
    async run(context) {
      onlyForCertification(context);
      const { verify, notApplicable, profile } = context;
      if (profile.upgrade.packages !== "reference") return notApplicable("the profile's packages both start");
      const { present } = await systemsOf(context);
      for (const start of starts) {
        const { job } = await installed(context, ownSystem(context, "0.0.0-broken", { start }));
        const isBack = job?.state === "failed";
        verify("CORE-UPGRADE-83").equal(
          { state: job?.state, version: isBack ? await versionNow(context) : undefined },
          { state: "failed", version: present.version },
          "`state` of the job, and version, after the installation of a system that does not start",
        );
        if (!isBack) return;
        verify("CORE-UPGRADE-83").that(job.error !== "", {
          what: "`errorMessage` of the job",
          expected: "the reason",
          observed: job.error,
        });
      }
    },
  }),
];
