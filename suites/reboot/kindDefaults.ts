import type { Answer, CaseContext } from "../../harness/index.ts";
import { eventKinds } from "../../interface/catalogue.ts";

/** Switches every event kind of the interface to the other value than its default; returns the ids of those that follow. */
export async function invertEventKinds({
  gateway,
  declares,
  scratch,
}: CaseContext): Promise<ReadonlySet<number>> {
  if (!declares("events")) return new Set();
  const { admin } = gateway;
  const list = async () => (await admin.call("getEventCatalogue")).data().events;
  const before = await list();
  scratch.undo("event kinds", () =>
    admin.call("updateEventKinds", { json: { events: before.map(({ id, enable }) => ({ id, enable })) } }),
  );
  const inverted = new Map(eventKinds.map(({ id, enable }) => [id, !enable]));
  const events = before.flatMap(({ id }) => {
    const enable = inverted.get(id);
    return enable === undefined ? [] : [{ id, enable }];
  });
  await admin.call("updateEventKinds", { json: { events } });
  return new Set((await list()).filter(({ id, enable }) => inverted.get(id) === enable).map(({ id }) => id));
}

/** Checks the event kinds after a reset of everything, before which these were inverted. */
export async function verifyKindDefaults(
  { gateway, verify }: CaseContext,
  inverted: ReadonlySet<number>,
  evidence: Answer,
): Promise<void> {
  const what = "event kinds after a reset of the scope all";
  if (inverted.size === 0) {
    verify("CORE-EVENT-75").notApplicable(what, "no event kind could be switched before");
    return;
  }
  const listed = (await gateway.admin.call("getEventCatalogue")).data().events;
  const other = eventKinds.filter(
    (kind) => inverted.has(kind.id) && listed.find(({ id }) => id === kind.id)?.enable !== kind.enable,
  );
  if (other.length === inverted.size)
    verify("CORE-EVENT-75").notApplicable(what, "a reset leaves the event kinds unchanged");
  else
    verify("CORE-EVENT-75").equal(
      other.map(({ id, event, enable }) => `${id} (${event}): not ${enable}`),
      [],
      `${what} whose \`enable\` is another than the interface shows`,
      evidence,
    );
}
