// Faults of the catalogue of event kinds.

import { eventKinds, eventOrigins } from "../../interface/catalogue.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { type Fields, fields, items } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

export const catalogueFaults: readonly Fault[] = faults([
  [
    "catalogue-lacks-a-kind",
    "CORE-EVENT-67",
    "plain",
    "The catalogue lacks the event kind 47.",
    (at) => kinds(at, (events) => events.filter(({ id }) => id !== 47)),
  ],
  [
    "catalogue-lacks-an-origin",
    "CORE-EVENT-81",
    "plain",
    "`origins` of the catalogue lacks MQTT Client.",
    (at) =>
      at.data(["getEventCatalogue", "updateEventKinds"], (catalogue) => ({
        ...catalogue,
        origins: eventOrigins.filter((origin) => origin !== "MQTT Client"),
      })),
  ],
  [
    "kind-is-off-by-default",
    "CORE-EVENT-75",
    "subtle",
    "Event kind 47 is off by default.",
    (at) =>
      at.product((product) => ({
        ...product,
        eventKinds: product.eventKinds.map((kind) => (kind.id === 47 ? { ...kind, enable: false } : kind)),
      })),
  ],
  [
    "kinds-not-named-fall-back",
    "CORE-EVENT-70",
    "subtle",
    "An update of event kinds sets every kind that it does not name to its default.",
    (at) =>
      at.body("updateEventKinds", (body) => {
        const named = items(body["events"]).map(fields);
        const others = eventKinds.filter(({ id }) => !named.some((kind) => kind["id"] === id));
        return { ...body, events: [...others.map(({ id, enable }) => ({ id, enable })), ...named] };
      }),
  ],
  [
    "catalogue-spells-it-right",
    "CORE-EVENT-67",
    "subtle",
    "The event kind 45 is spelled connected, unlike in the document.",
    (at) =>
      kinds(at, (events) =>
        events.map((kind) => (kind["id"] === 45 ? { ...kind, event: "master device connected" } : kind)),
      ),
  ],
  [
    "kind-has-another-severity",
    "CORE-EVENT-68",
    "subtle",
    "The event kind 60 has the severity warning.",
    (at) =>
      kinds(at, (events) =>
        events.map((kind) => (kind["id"] === 60 ? { ...kind, severity: "warning" } : kind)),
      ),
  ],
  [
    "kind-switch-is-not-kept",
    "CORE-EVENT-69",
    "plain",
    "An update of an event kind is returned but not stored.",
    (at) => {
      at.around("updateEventKinds", async (call, proceed) => {
        const answer = await proceed(changed(call, { body: { events: [] } }));
        const wishes = new Map(items(call.body["events"]).map(({ id, enable }) => [id, enable]));
        const data = answer.kind === "json" ? fields(fields(answer.body)["data"]) : {};
        const events = items(data["events"]).map((kind) =>
          wishes.has(kind["id"]) ? { ...kind, enable: wishes.get(kind["id"]) } : kind,
        );
        return { kind: "json", status: 200, body: { data: { ...data, events } } };
      });
    },
  ],
  [
    "kind-switch-takes-its-neighbour-along",
    "CORE-EVENT-70",
    "subtle",
    "Updating an event kind also changes the one that follows it.",
    (at) =>
      at.body("updateEventKinds", (body) => ({
        events: items(body["events"]).flatMap(({ id, enable }) =>
          Number(id) < 31 || (Number(id) > 47 && Number(id) < 60)
            ? [
                { id, enable },
                { id: Number(id) + 1, enable },
              ]
            : [{ id, enable }],
        ),
      })),
  ],
  [
    "updated-catalogue-lacks-origins",
    "CORE-EVENT-71",
    "subtle",
    "`origins` and `severities` are empty in the answer of Update event kinds.",
    (at) => at.data("updateEventKinds", (data) => ({ ...data, origins: [], severities: [] })),
  ],
  [
    "kind-id-counts-in-a-byte",
    "CORE-EVENT-70",
    "subtle",
    "The id of an event kind is read in 8 bits: 264 means 8.",
    (at) =>
      at.body("updateEventKinds", (body) => ({
        events: items(body["events"]).map(({ id, enable }) => ({ id: Number(id) & 0xff, enable })),
      })),
  ],
  [
    "rejected-kinds-change-the-known-ones",
    "CORE-GENERAL-10",
    "subtle",
    "A rejected update of event kinds has changed the kinds with known ids.",
    (at) =>
      at.around("updateEventKinds", async (call, proceed) => {
        const events = items(call.body["events"]);
        const known = events.filter((kind) => eventKinds.some(({ id }) => id === kind["id"]));
        const answer = await proceed(changed(call, { body: { events: known } }));
        if (known.length < events.length) throw new Refusal(400, "an event kind is not known");
        return answer;
      }),
  ],
  [
    "kinds-together-change-the-first",
    "CORE-EVENT-69",
    "subtle",
    "Of several event kinds in one update, only the first is changed.",
    (at) => at.body("updateEventKinds", (body) => ({ events: items(body["events"]).slice(0, 1) })),
  ],
  [
    "severity-alert-is-not-offered",
    "CORE-EVENT-72",
    "plain",
    "alert is missing from the severities.",
    (at) =>
      at.data(["getEventCatalogue", "updateEventKinds"], (data) => ({
        ...data,
        severities: ["info", "warning"],
      })),
  ],
]);

/** Changes the event kinds in answers. */
function kinds(at: GatewayAlterations, edit: (events: readonly Fields[]) => readonly Fields[]): void {
  at.data(["getEventCatalogue", "updateEventKinds"], (data) => ({
    ...data,
    events: edit(items(data["events"])),
  }));
}
