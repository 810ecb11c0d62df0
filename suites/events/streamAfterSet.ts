// An event stream that was open when the event configuration or the kinds were set again as they are.
import type { CaseContext } from "../../harness/index.ts";
import type { EventConfiguration } from "../../interface/resources/events.ts";
import { entryMarks } from "../support/entryCategories.ts";
import { ifMet } from "../support/ifMet.ts";
import { configurationBody, settledPage } from "./support.ts";

const notProved = "no entry arrived on a stream before it was set, or the stream ended";

/** Checks that a stream sends a new entry after each of them, unless the gateway has closed it. */
export async function verifyStreamAfterSets(
  context: CaseContext,
  configuration: Omit<EventConfiguration, "disks">,
): Promise<void> {
  const { declares, gateway, profile, random, verify } = context;
  const { admin } = gateway;
  const decided = verify("CORE-EVENT-28");
  const what = "entry on a stream that was open when the event configuration was set";
  if (!declares("event-stream")) return decided.notApplicable(what, "the profile declares no event streams");
  const json = configurationBody({ ...configuration, enable: true });
  const marks = await entryMarks(context);
  const own = `rp${random.word(10)}`;
  const names = { category: marks.category(own), event: own, origin: own };
  const query = marks.query(names);
  /** Answers whether the entry is listed: a log that is opened again may drop it. */
  const create = async (message: string): Promise<boolean> => {
    const { total } = await settledPage(context, query, 0);
    (await admin.call("createEvent", { json: { ...names, message } })).body();
    return (await settledPage(context, query, total + 1)).total > total;
  };
  const [kind] = (await admin.call("getEventCatalogue")).data().events;
  const sets = [
    ["Set event configuration", () => admin.call("setEventConfiguration", { json })],
    [
      "Update event kinds",
      () =>
        admin.call("updateEventKinds", {
          json: { events: kind === undefined ? [] : [{ id: kind.id, enable: kind.enable }] },
        }),
    ],
  ] as const;
  if (!(await admin.call("setEventConfiguration", { json })).accepted)
    return decided.notApplicable(what, "the gateway rejects its own configuration with `enable` true");
  for (const [name, set] of sets) {
    await using stream = await admin.openEventStream(query);
    const arrives = (message: string): Promise<unknown> =>
      ifMet(stream.next("the entry", ({ record }) => record.message === message, profile.patience.settleMs));
    await create(`before ${name}`);
    const isProved = stream.status === 200 && (await arrives(`before ${name}`)) !== undefined;
    const answer = await set();
    let message = `after ${name}`;
    if (!(await create(message))) {
      message = `later ${name}`;
      await create(message);
    }
    const isReceived = (await arrives(message)) !== undefined;
    // Whether a stream outlives the operation is not stated.
    if (!isProved || (!isReceived && stream.ended)) decided.notApplicable(what, notProved);
    else
      decided.that(isReceived, {
        what: `entry created after ${name} with the present values, on a stream that was open before`,
        expected: `received within ${profile.patience.settleMs / 1000} s`,
        observed: isReceived ? "received" : "not received, and the stream is open",
        evidence: answer.accepted ? stream : answer,
      });
  }
}
