// The events that the gateway records for a stopped and a started app, while their kinds are enabled and disabled.
import type { CaseContext } from "../../harness/index.ts";
import { type RecordedEvents, watchRecorded } from "../support/recordedEvents.ts";

const names = ["app stop", "app start"] as const;
/** A gateway may record an event later than it shows the state: by this time, or by a multiple of the longest one seen. */
const recordedWithinMs = 200;
/** A kind that was switched on is on within this time. */
const onWithinMs = 500;
const timesLonger = 3;

export interface AppEvents {
  /** Checks that the event of the name was recorded since the watch began. */
  verifyRecorded(name: (typeof names)[number], cause: string): Promise<void>;
  /** Whether an event of the name was recorded since then. */
  isNew(name: (typeof names)[number]): Promise<boolean>;
  /** Disables the kinds, performs the actions, and checks that they add no event. */
  verifyDisabled(actions: () => Promise<void>): Promise<void>;
}

/** Enables both kinds, where the gateway has events, and watches their events from now on. */
export async function watchAppEvents(context: CaseContext): Promise<AppEvents> {
  const { clock, declares, gateway, scratch, signal, verify } = context;
  const { admin } = gateway;
  const kinds = declares("events")
    ? (await admin.call("getEventCatalogue"))
        .data()
        .events.filter(({ category, event }) => category === "system" && names.some((name) => name === event))
    : [];
  const put = (enable?: boolean): Promise<unknown> => {
    const events = kinds.map((kind) => ({ id: kind.id, enable: enable ?? kind.enable }));
    return admin.call("updateEventKinds", { json: { events } });
  };
  if (kinds.length > 0) {
    scratch.undo("event kinds of apps", () => put());
    await put(true);
    // How soon they are on is not stated.
    if (kinds.some(({ enable }) => !enable)) await clock.delay(onWithinMs, signal);
  }
  const totals = async (): Promise<Record<string, number>> => {
    const totalOf = async (eventNames: string): Promise<number> =>
      (await admin.call("getEvents", { query: { eventNames, limit: 1 } })).body().total;
    return Object.fromEntries(
      await Promise.all(kinds.map(async ({ event }) => [event, await totalOf(event)] as const)),
    );
  };
  const watched = new Map<string, RecordedEvents>();
  for (const name of names) watched.set(name, await watchRecorded(context, name));
  let longestMs = recordedWithinMs;
  return {
    async verifyRecorded(name, cause) {
      const startedMs = clock.nowMs();
      await watched.get(name)?.verify("CORE-APP-50", cause);
      longestMs = Math.max(longestMs, timesLonger * (clock.nowMs() - startedMs));
    },
    isNew: async (name) => (await watched.get(name)?.isNew()) === true,
    async verifyDisabled(actions) {
      if (kinds.length === 0) return actions();
      await put(false);
      // Events of earlier actions.
      await clock.delay(longestMs, signal);
      const recorded = async (): Promise<string[]> => {
        const before = await totals();
        await actions();
        await clock.delay(recordedWithinMs, signal);
        const after = await totals();
        return names.filter((name) => Number(after[name]) > Number(before[name]));
      };
      // How soon the kinds are off is not stated: what is recorded then decides.
      const first = await recorded();
      verify("CORE-APP-50").equal(
        first.length === 0 ? first : await recorded(),
        [],
        "names of events recorded for a stop and a start while their kinds are disabled",
      );
    },
  };
}
