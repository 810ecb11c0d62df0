// Steps over the event log and the catalogue of event kinds.
import { eventKinds } from "../../interface/catalogue.ts";
import type { eventFilterFields } from "../../interface/behaviour/eventsAndTags.ts";
import { eventOrders, eventSorts, severities } from "../../interface/resources/events.ts";
import type { Recipe } from "./recipe.ts";

// Words that every collation sorts alike.
const categories = ["alpha", "beta", "gamma"] as const;
const names = ["door opened", "pump started", "valve closed"] as const;
const origins = ["origin-one", "origin-two"] as const;
const instants = [
  "2025-01-01T00:00:00Z",
  "2025-03-01T12:00:00+02:00",
  "2025-06-15T23:59:59Z",
  "2026-02-28T06:30:00-08:00",
] as const;

export const eventRecipes: readonly Recipe[] = [
  {
    operation: "createEvent",
    weight: 9,
    make(choose, memory) {
      const label = memory.fresh("event");
      memory.events += 1;
      const json = {
        category: choose.pick(categories),
        event: choose.pick(names),
        origin: { $name: choose.pick(origins) },
        message: { $name: label },
        ...(choose.chance(80) ? { createdAt: choose.pick(instants) } : {}),
        ...(choose.chance(70) ? { severity: choose.pick(severities) } : {}),
        ...(choose.chance(30) ? { user: "somebody", userOrigin: "192.0.2.7" } : {}),
      };
      return { operation: "createEvent", as: label, json };
    },
  },
  {
    operation: "getEvents",
    weight: 10,
    isReady: ({ events }) => events > 0,
    make(choose) {
      const chosen = choose.chance(70) ? origins : [choose.pick(origins)];
      const query = {
        origins: chosen.map((name) => ({ $name: name })),
        ...(choose.chance(50) ? { limit: choose.integer(1, 4) } : {}),
        ...(choose.chance(40) ? { offset: choose.integer(0, 4) } : {}),
        ...(choose.chance(50) ? { order: choose.pick(eventOrders) } : {}),
        ...(choose.chance(50) ? { sort: choose.pick(eventSorts) } : {}),
        ...filter("categories", choose.chance(25), choose.some(categories)),
        ...filter("eventNames", choose.chance(25), choose.some(names)),
        ...filter("severities", choose.chance(25), choose.some(severities)),
      };
      return { operation: "getEvents", query };
    },
  },
  {
    operation: "updateEventKinds",
    weight: 4,
    make(choose) {
      const first = choose.integer(0, eventKinds.length - 4);
      const chosen = choose.some(eventKinds.slice(first, first + 4));
      const kinds = chosen.length === 0 ? [choose.pick(eventKinds)] : chosen;
      const events = kinds.map(({ id }) => ({ id, enable: choose.chance(50) }));
      return { operation: "updateEventKinds", json: { events } };
    },
  },
  {
    operation: "getEventCatalogue",
    weight: 2,
    lastLookAfter: ["updateEventKinds"],
    make: () => ({ operation: "getEventCatalogue" }),
  },
];

function filter(
  name: keyof typeof eventFilterFields,
  isWanted: boolean,
  words: readonly string[],
): Record<string, string> {
  return isWanted && words.length > 0 ? { [name]: words.join(",") } : {};
}
