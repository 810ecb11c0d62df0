// An event stream that was open when the event configuration or the kinds were set again as they are.
import type { CaseContext } from "../../harness/index.ts";
import type { EventConfiguration } from "../../interface/resources/events.ts";
import { throughStream } from "./throughStream.ts";
import { configurationBody } from "./support.ts";

/** Checks that a stream sends a new entry after each of them, unless the gateway has closed it. */
export async function verifyStreamAfterSets(
  context: CaseContext,
  configuration: Omit<EventConfiguration, "disks">,
): Promise<void> {
  const { declares, gateway, verify } = context;
  const { admin } = gateway;
  const skip = (why: string): void =>
    verify("CORE-EVENT-28").notApplicable(
      "entry on a stream that was open when the event configuration was set",
      why,
    );
  if (!declares("event-stream")) return skip("the profile declares no event streams");
  const json = configurationBody({ ...configuration, enable: true });
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
    return skip("the gateway rejects its own configuration with `enable` true");
  for (const [name, set] of sets) {
    await using stream = await throughStream(context);
    await stream.verifySends(`${name} with the present values`, await set());
  }
}
