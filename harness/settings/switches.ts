// Switches that are listed together and written one by one: system services, and event kinds of the catalogue.
import type { ServiceId } from "../../interface/resources/services.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import type { Answer } from "../transport/answer.ts";
import { listedDataOf, type Members, objectOf } from "./setting.ts";

/** Whether each service is enabled, by its id. */
export async function readServices({ admin }: GatewayUnderTest): Promise<Members | undefined> {
  const answer = await admin.call("listServices");
  if (!answer.accepted) return undefined;
  return statesOf(Object.values(objectOf(listedDataOf(answer)) ?? {}).flat());
}

export function switchService({ admin }: GatewayUnderTest, id: ServiceId, enable: boolean): Promise<Answer> {
  return admin.call(enable ? "enableService" : "disableService", { path: { id } });
}

/** Whether each event kind is enabled, by its id. */
export async function readEventKinds({ admin }: GatewayUnderTest): Promise<Members | undefined> {
  const answer = await admin.call("getEventCatalogue");
  const events = answer.accepted ? objectOf(listedDataOf(answer))?.["events"] : undefined;
  return Array.isArray(events) ? statesOf(events) : undefined;
}

export function switchEventKinds({ admin }: GatewayUnderTest, states: Members): Promise<Answer> {
  const events = Object.entries(states).map(([id, enable]) => ({ id: Number(id), enable: enable === true }));
  return admin.call("updateEventKinds", { json: { events } });
}

function statesOf(entries: readonly unknown[]): Members {
  return Object.fromEntries(
    entries.flatMap((entry) =>
      typeof entry === "object" && entry !== null && "id" in entry && "enable" in entry
        ? [[String(entry.id), entry.enable]]
        : [],
    ),
  );
}
