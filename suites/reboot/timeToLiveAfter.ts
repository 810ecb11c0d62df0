// The time to live of events after a reboot: a gateway can show the stored one and remove no event.
import type { CaseContext } from "../../harness/index.ts";
import { configurationBody, unusedEventName } from "../events/support.ts";
import { entryMarks } from "../support/entryCategories.ts";
import { ifMet } from "../support/ifMet.ts";
import { notDeclared } from "../support/persisted.ts";
import { memberOf } from "../support/settingCheck.ts";

/** Older than any event of the gateway itself: the time to live removes none of its user. */
const createdAt = "2001-05-06T07:08:09Z";
const timeToLiveSec = 20 * 365 * 86_400;
/** A log may list an entry with a delay. */
const listedWithinMs = 2000;

/** Sets a time to live of decades; answers how to check that an older entry is still removed after a reboot. */
export async function watchTimeToLive(context: CaseContext): Promise<() => Promise<void>> {
  const { declares, gateway, profile, scratch, verify, waitFor } = context;
  const { admin } = gateway;
  const decided = verify("CORE-EVENT-55");
  const what = `entry dated ${createdAt} that is created after a reboot, with a timeToLiveSec of ${timeToLiveSec}`;
  const notChecked = (reason: string) => () => Promise.resolve(decided.notApplicable(what, reason));
  const { retentionSec } = profile.tolerances;
  if (!declares("events")) return notChecked(notDeclared);
  if (retentionSec === undefined)
    return notChecked("the profile does not declare how soon an entry is removed (tolerances.retentionSec)");
  const { disks: _disks, ...before } = (await admin.call("getEventConfiguration")).data();
  scratch.undo("event configuration", () =>
    admin.call("setEventConfiguration", { json: configurationBody(before) }),
  );
  const json = configurationBody({ ...before, enableTimeToLiveSec: true, timeToLiveSec });
  if (!(await admin.call("setEventConfiguration", { json })).accepted)
    return notChecked(`the gateway rejects a timeToLiveSec of ${timeToLiveSec}`);
  const { category } = await entryMarks(context);
  /** Whether an old entry is removed; undefined where none can be created. */
  const isRemoved = async (): Promise<boolean | undefined> => {
    const own = await unusedEventName(context);
    const present = { category: category(own), event: own, origin: own };
    const total = async (): Promise<number> =>
      (await admin.call("getEvents", { query: { eventNames: own } })).body().total;
    for (const json of [{ ...present, createdAt }, present])
      if (!(await admin.call("createEvent", { json })).accepted) return undefined;
    // Once the later entry is listed, the old one was listed or removed.
    const listed = waitFor("the present entry", async () => (await total()) > 0 || undefined, {
      deadlineMs: listedWithinMs,
    });
    if ((await ifMet(listed)) === undefined) return undefined;
    const gone = waitFor("the entry to be removed", async () => (await total()) <= 1 || undefined, {
      deadlineMs: retentionSec * 1000,
      everyMs: 100,
    });
    return (await ifMet(gone)) ?? false;
  };
  if ((await isRemoved()) !== true)
    return notChecked("the gateway does not remove such an entry before the reboot");
  return async () => {
    const shown = await admin.call("getEventConfiguration");
    const isShown =
      memberOf(shown, "enableTimeToLiveSec") === true && memberOf(shown, "timeToLiveSec") === timeToLiveSec;
    if (!isShown) return decided.notApplicable(what, "the event configuration shows another time to live");
    const removed = await isRemoved();
    if (removed === undefined) return decided.notApplicable(what, "the gateway rejects the entry");
    decided.that(removed, {
      what,
      expected: `not listed ${retentionSec} s later`,
      observed: removed ? "not listed" : "still listed",
      evidence: shown,
    });
  };
}
