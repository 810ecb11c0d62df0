import type { CaseContext } from "../../harness/index.ts";

/** Events of one name that a case itself brings about. */
export interface RecordedEvents {
  /** Waits for one that was not there when the watch began, and checks that it came. */
  verify(requirement: string, cause: string): Promise<void>;
}

/** Whether the gateway records events of the name at all: the kind is there and enabled, and so is the log. */
async function records({ gateway: { admin }, declares }: CaseContext, event: string): Promise<boolean> {
  if (!declares("events")) return false;
  const { events } = (await admin.call("getEventCatalogue")).data();
  const { enable } = (await admin.call("getEventConfiguration")).data();
  return enable && events.some((kind) => kind.event === event && kind.enable);
}

/** Looks for events of the name from now on; where the gateway records none, there is nothing to hold it against. */
export async function watchRecorded(context: CaseContext, event: string): Promise<RecordedEvents> {
  const { gateway, verify, waitFor, profile } = context;
  const newestId = async (): Promise<number | undefined> =>
    (await gateway.admin.call("getEvents", { query: { eventNames: event, limit: 1 } })).data()[0]?.id;
  const isRecorded = await records(context, event);
  const before = isRecorded ? await newestId() : undefined;
  return {
    async verify(requirement, cause) {
      if (!isRecorded)
        return verify(requirement).notApplicable(`the event ${event}`, "events of its kind are not recorded");
      const isNew = async (): Promise<true | undefined> => ((await newestId()) === before ? undefined : true);
      await waitFor(`the event ${event}`, isNew, { deadlineMs: profile.patience.settleMs }).catch(
        () => undefined,
      );
      // Read once more, so that a log which cannot be read is not taken for one without the event.
      const last = await newestId();
      verify(requirement).that(last !== before, {
        what: `an event ${event} after ${cause}`,
        expected: "recorded",
        observed: last === before ? "none" : `recorded with id ${last}`,
      });
    },
  };
}
