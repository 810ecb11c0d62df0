// Actions on one of two downloads that run at the same time.
import { type TestCase, testCase } from "../../harness/index.ts";
import type { UpgradeAction } from "../../interface/resources/upgrade.ts";
import { chunkBytes } from "../support/upgradeServer.ts";
import { begun, download, findJob, operate, serve, sharedByJobs } from "./downloads.ts";

const slow = { sizeBytes: 2 * 1024 * 1024, chunkPauseMs: 60, failures: 0 };
const actions: readonly UpgradeAction[] = ["suspend", "resume", "cancel"];
/** States into which only an action on the job itself leads. */
const acted = /^(?:supp|resum|cancel)/;

export const oneOfTwoCases: readonly TestCase[] = [
  testCase({
    ...sharedByJobs,
    id: "upgrade/actions-on-one-of-two",
    title: "Actions on one running download leave another one running",
    requirements: ["CORE-UPGRADE-73"],
    async run(context) {
      const { profile, verify, notApplicable } = context;
      await using ofFirst = await serve(context, slow);
      await using ofSecond = await serve(context, slow);
      const first = await download(context, ofFirst);
      await begun(context, ofFirst, first.id);
      const second = await download(context, ofSecond);
      const isBegun = await begun(context, ofSecond, second.id).then(
        () => true,
        () => false,
      );
      // How many downloads run at a time is not stated.
      if (!isBegun || (await findJob(context, first.id)).state !== "running")
        notApplicable("the gateway does not run two downloads at the same time");
      for (const action of actions) {
        const answer = await operate(context, second.id, action);
        const { state } = await findJob(context, first.id);
        verify("CORE-UPGRADE-73").that(!acted.test(state), {
          what: `\`state\` of a running job after the action ${action} on another`,
          expected: "running, or ended by itself",
          observed: state,
          evidence: answer,
        });
        if (state !== "running") continue;
        const fromBytes = ofFirst.sentBytes;
        const continues = (): true | undefined =>
          ofFirst.completed > 0 || ofFirst.sentBytes >= fromBytes + 4 * chunkBytes ? true : undefined;
        const wait = { deadlineMs: profile.patience.settleMs };
        const isContinued = await context
          .waitFor("more of the file to be read", continues, wait)
          .catch(() => false);
        verify("CORE-UPGRADE-73").that(isContinued === true, {
          what: `download of a running job after the action ${action} on another`,
          expected: "it continues",
          observed:
            isContinued === true ? "it continues" : `it stands still after ${ofFirst.sentBytes} bytes`,
          evidence: answer,
        });
      }
    },
  }),
];
