import type { Answer, CaseContext, Evidence } from "../../harness/index.ts";
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

/** Checks that one at least of the new records of a name is as its kind: a client may have created others of the name. */
export function verifySomeOfKind(
  verify: CaseContext["verify"],
  records: readonly EventRecord[],
  kind: EventKind,
  evidence: Evidence,
): void {
  const isOfKind = ({ category, severity }: EventRecord): boolean =>
    category === kind.category && severity === kind.severity;
  const record = records.find(isOfKind) ?? records[0];
  if (record !== undefined) verifyKindOf(verify, record, kind, evidence);
}

/** Events of one name that a case itself causes. */
export interface RecordedEvents {
  /** Whether a newer event than the watch is listed; false where the gateway does not record such events. */
  isNew(): Promise<boolean>;
  /** Waits for an event newer than the watch and checks that it was recorded, with the category and severity of its kind. */
  verify(requirement: string, cause: string): Promise<void>;
}

const newestRecords = 20;

/** The kind whose events the gateway records: it exists and is enabled, and the log is enabled. */
async function recordedKind(
  { gateway: { admin }, declares }: CaseContext,
  event: string,
): Promise<EventKind | undefined> {
  if (!declares("events")) return undefined;
  const { events } = (await admin.call("getEventCatalogue")).data();
  const { enable } = (await admin.call("getEventConfiguration")).data();
  return enable ? events.find((kind) => kind.event === event && kind.enable) : undefined;
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
  const read = (): Promise<Answer<"getEvents">> =>
    gateway.admin.call("getEvents", { query: { eventNames: event, limit: newestRecords } });
  // Whether a keyword also matches a part of a name is not stated.
  const ofName = (answer: Answer<"getEvents">): EventRecord[] =>
    answer.data().filter((record) => record.event === event);
  const kind = await recordedKind(context, event);
  const before = new Set(kind === undefined ? [] : ofName(await read()).map(({ id }) => id));
  const isNew = ({ id }: EventRecord): boolean => !before.has(id);
  return {
    isNew: async () => kind !== undefined && ofName(await read()).some(isNew),
    async verify(requirement, cause) {
      if (kind === undefined) {
        for (const one of [requirement, "CORE-EVENT-68"])
          verify(one).notApplicable(
            `event "${event}"`,
            "its kind is absent or disabled, or the event log is disabled",
          );
        return;
      }
      const isRecorded = async (): Promise<true | undefined> => ofName(await read()).some(isNew) || undefined;
      await waitFor(`the event ${event}`, isRecorded, { deadlineMs: profile.patience.settleMs }).catch(
        () => undefined,
      );
      // Read once more: an unreadable log must not count as a log without the event.
      const last = await read();
      const records = ofName(last).filter(isNew);
      const [newest] = records;
      verify(requirement).that(newest !== undefined, {
        what: `event "${event}" after ${cause}`,
        expected: "recorded",
        observed: newest === undefined ? "not recorded" : `recorded with id ${newest.id}`,
      });
      verifySomeOfKind(verify, records, kind, last);
    },
  };
}
