// An immediate reboot in a request that the gateway rejects.
import type { CaseContext } from "../../harness/index.ts";
import { backAgain } from "../support/restart.ts";

/** A gateway that reboots all the same does so within this time of the rejection, or with the reboot that follows. */
const atOnceMs = 400;

/** Checks that `now` true beside an `enableScheduler` of a wrong type does not reboot where that is rejected. */
export async function rejectedReboot(context: CaseContext): Promise<void> {
  const { gateway, profile, verify } = context;
  const what = "reboot after a request with `now` true that was rejected for its `enableScheduler`";
  const send = (json: object) => gateway.admin.callInvalid("setReboot", { json });
  const isRejected = ({ status }: { readonly status: number }): boolean => status >= 400 && status < 500;
  // Without `now` first: a gateway that takes this one would reboot.
  if (!isRejected(await send({ enableScheduler: "maybe" })))
    return verify("CORE-GENERAL-10").notApplicable(what, "the gateway takes the wrong value");
  await using watch = await gateway.watchForRestart();
  const answer = await send({ enableScheduler: "maybe", now: true });
  const isTaken = !isRejected(answer);
  const down = await watch.wentDown(isTaken ? 2 * profile.patience.settleMs : atOnceMs);
  if (isTaken) verify("CORE-GENERAL-10").notApplicable(what, answer.summary());
  else
    verify("CORE-GENERAL-10").that(down === undefined, {
      what,
      expected: "no reboot",
      observed: down === undefined ? "no reboot" : "reboot",
      evidence: answer,
    });
  if (down !== undefined) await backAgain(context, watch);
}
