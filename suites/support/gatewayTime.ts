// The gateway's wall clock: read from entries that it dates, and set through its time server.
import type { CaseContext } from "../../harness/index.ts";
import { entryMarks } from "./entryCategories.ts";
import { epochMsOf } from "../../interface/schema/instant.ts";

/** Between reading the clock and dating an entry. */
const readingMs = 3000;

/** What the clock shows now, milliseconds since the epoch: the time that the gateway gives to a new entry. */
export async function gatewayTimeMs(context: CaseContext): Promise<number> {
  const { gateway, random } = context;
  const { admin } = gateway;
  const own = `rp-clock-${random.word(10)}`;
  const { category } = await entryMarks(context);
  const json = { category: category(own), event: own, origin: own, message: own };
  (await admin.call("createEvent", { json })).body();
  const [entry] = (await admin.call("getEvents", { query: { eventNames: own, limit: 1 } })).data();
  return epochMsOf(entry?.createdAt ?? "");
}

/** Sets the clock back to the true time at the end of the case; the entries of the case need the event log. */
export async function restoreTimeLater(context: CaseContext): Promise<void> {
  const { gateway, scratch } = context;
  const { enable } = (await gateway.admin.call("getEventConfiguration")).data();
  if (!enable) context.notApplicable("the event log is off, and its entries show the time of the gateway");
  scratch.undo("time server", async () => {
    await isFollowed(context, 0);
  });
}

/**
 * Sets the time server ahead of the true time and waits until the gateway's clock shows it. A gateway may ignore it, or
 * follow slowly: false, then.
 */
export async function isFollowed(context: CaseContext, offsetMs: number): Promise<boolean> {
  const { time, clock, waitFor, profile, gateway } = context;
  await time.shift(offsetMs);
  let last: number | string = "not read";
  const isThere = async (): Promise<true | undefined> => {
    const shownMs = await gatewayTimeMs(context).catch((thrown: unknown) => String(thrown));
    last = shownMs;
    // Sign-ins may end where the clock is set: the next request signs in again.
    if (typeof shownMs === "string") gateway.signInsWereLost();
    return typeof shownMs === "number" && Math.abs(shownMs - clock.epochMs() - offsetMs) < readingMs
      ? true
      : undefined;
  };
  return waitFor("the gateway's clock to follow its time server", isThere, {
    deadlineMs: profile.patience.settleMs,
    everyMs: 100,
    lastSeen: () => last,
  }).then(
    () => true,
    () => false,
  );
}

/** Sets the clock, or ends the case as not applicable where the gateway does not follow. */
export async function setTime(context: CaseContext, offsetMs: number): Promise<void> {
  if (!(await isFollowed(context, offsetMs)))
    context.notApplicable(
      `the clock did not follow the time server by ${offsetMs / 1000} s within ${context.profile.patience.settleMs / 1000} s`,
    );
}
