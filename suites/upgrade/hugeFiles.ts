// A file of more than 4 GiB: the server announces its size, and sends a few bytes of it only.
import { type TestCase, testCase } from "../../harness/index.ts";
import type { UpgradeJob } from "../../interface/resources/upgrade.ts";
import { chunkBytes } from "../support/upgradeServer.ts";
import { begun, download, findJob, operate, serveFile, settleMs, sharedByJobs } from "./downloads.ts";
import { hasEnded } from "./jobStates.ts";

/** Beyond 32 bits, and no whole number of kilobytes. The rest is positive in 32 bits with and without a sign. */
const announcedBytes = 5 * 2 ** 30 + 12_345;
const cutBytes = announcedBytes % 2 ** 32;

export const hugeFileCases: readonly TestCase[] = [
  testCase({
    ...sharedByJobs,
    id: "upgrade/size-beyond-4-gib",
    title: "`totalSize` of a running download of 5 GiB is not cut to 32 bits",
    requirements: ["CORE-UPGRADE-58"],
    async run(context) {
      const { verify, waitFor } = context;
      await using server = await serveFile(context, {
        sizeBytes: chunkBytes,
        chunkPauseMs: 200,
        failures: 0,
        announcedBytes,
      });
      const { id } = await download(context, server);
      await begun(context, server, id);
      const sizeOf = ({ tasks }: UpgradeJob): number =>
        tasks.find(({ type }) => type === "download")?.totalSize ?? 0;
      // A gateway may show the size later than the start, and may reject a file of that size.
      const shown = await waitFor(
        "the size of the file in the task, or the end of the job",
        async () => {
          const job = await findJob(context, id);
          return sizeOf(job) > 0 || hasEnded(job) ? job : undefined;
        },
        { deadlineMs: settleMs },
      ).catch(() => undefined);
      await operate(context, id, "cancel");
      const what = `\`totalSize\` of a task that downloads ${announcedBytes} bytes`;
      const size = shown === undefined ? 0 : sizeOf(shown);
      if (size === announcedBytes || size === cutBytes)
        verify("CORE-UPGRADE-58").equal(size, announcedBytes, what);
      else
        verify("CORE-UPGRADE-58").notApplicable(
          what,
          `the job is ${shown?.state ?? "running"} with the size ${size}: a gateway may reject or ignore a size that it cannot store`,
        );
    },
  }),
];
