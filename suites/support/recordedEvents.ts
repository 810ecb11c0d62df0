import type { CaseContext, Evidence } from "../../harness/index.ts";
import type { EventKind, EventRecord } from "../../interface/resources/events.ts";

/** Checks that an event which the gateway recorded has the category and the severity of its kind. */
export function verifyKindOf(
  verify: CaseContext["verify"],
  { category, severity }: EventRecord,
  kind: EventKind,
  evidence: Evidence,
): void {
  verify("CORE-EVENT-68").equal(
    { category, severity },
    { category: kind.category, severity: kind.severity },
    `\`category\` and \`severity\` of a recorded event "${kind.event}", compared with the catalogue`,
    evidence,
  );
}

/** Events of one name that a case itself causes. */
export interface RecordedEvents {
  /** Whether a newer event than the watch is listed; false where the gateway does not record such events. */
  isNew(): Promise<boolean>;
  /** Waits for an event newer than the watch and checks that it was recorded. */
  verify(requirement: string, cause: string): Promise<void>;
}

/** Whether the gateway records events of the name: the kind exists and is enabled, and the log is enabled. */
async function records({ gateway: { admin }, declares }: CaseContext, event: string): Promise<boolean> {
  if (!declares("events")) return false;
  const { events } = (await admin.call("getEventCatalogue")).data();
  const { enable } = (await admin.call("getEventConfiguration")).data();
  return enable && events.some((kind) => kind.event === event && kind.enable);
}

/** Enables the kinds of these names. The harness restores the catalogue of a case that touches it. */
export async function enableKinds(
  { gateway: { admin }, declares }: CaseContext,
  names: readonly string[],
): Promise<void> {
  if (!declares("events")) return;
  const kinds = (await admin.call("getEventCatalogue")).data().events;
  const events = kinds
    .filter(({ event, enable }) => names.includes(event) && !enable)
    .map(({ id }) => ({ id, enable: true }));
  if (events.length > 0) await admin.call("updateEventKinds", { json: { events } });
}

/** Watches events of the name from now on; not applicable where the gateway does not record them. */
export async function watchRecorded(context: CaseContext, event: string): Promise<RecordedEvents> {
  const { gateway, verify, waitFor, profile } = context;
  const newestId = async (): Promise<number | undefined> =>
    (await gateway.admin.call("getEvents", { query: { eventNames: event, limit: 1 } })).data()[0]?.id;
  const isRecorded = await records(context, event);
  const before = isRecorded ? await newestId() : undefined;
  return {
    isNew: async () => isRecorded && (await newestId()) !== before,
    async verify(requirement, cause) {
      if (!isRecorded)
        return verify(requirement).notApplicable(
          `event "${event}"`,
          "its kind is absent or disabled, or the event log is disabled",
        );
      const isNew = async (): Promise<true | undefined> => ((await newestId()) === before ? undefined : true);
      await waitFor(`the event ${event}`, isNew, { deadlineMs: profile.patience.settleMs }).catch(
        () => undefined,
      );
      // Read once more: an unreadable log must not count as a log without the event.
      const last = await newestId();
      verify(requirement).that(last !== before, {
        what: `event "${event}" after ${cause}`,
        expected: "recorded",
        observed: last === before ? "not recorded" : `recorded with id ${last}`,
      });
    },
  };
}
