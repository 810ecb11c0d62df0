// Faults of the event stream: what it leaves out, repeats, alters, and where it resumes.
import type { ResetScope } from "../../interface/resources/reboot.ts";
import type { Call, StreamSink } from "../../reference-impl/http/handler.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import { withoutFiltersWith } from "./eventDownloads.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { type Fault, faults } from "./fault.ts";

export const eventStreamFaults: readonly Fault[] = faults([
  [
    "reset-silences-open-event-streams",
    "CORE-EVENT-28",
    "subtle",
    "Streams of events that are open during a reset send nothing more.",
    (at) => {
      // A restart would end the streams.
      const scopesInPlace = new Set<ResetScope>(["provision", "eventlog"]);
      at.product((product) => ({ ...product, conduct: { ...product.conduct, scopesInPlace } }));
      let resets = 0;
      const opened = new WeakMap<object, number>();
      at.around("resetToDefault", async (call, proceed) => {
        resets += 1;
        return proceed(call);
      });
      at.frames("getEvents", (frame, call) => {
        if (!opened.has(call)) opened.set(call, resets);
        return opened.get(call) === resets || !frame.startsWith("id:") ? [frame] : [];
      });
    },
  ],
  [
    "event-stream-is-a-page",
    "CORE-EVENT-27",
    "plain",
    "With `event`, the events are returned as a page.",
    (at) => at.query("getEvents", ({ event: _event, ...query }) => query),
  ],
  [
    "event-stream-loses-every-third",
    "CORE-EVENT-28",
    "subtle",
    "Every third event is missing from the stream.",
    (at) => {
      let count = 0;
      at.frames("getEvents", (frame) => (frame.startsWith("id:") && ++count % 3 === 0 ? [] : [frame]));
    },
  ],
  [
    "event-stream-repeats-after-a-silence",
    "CORE-EVENT-28",
    "subtle",
    "After 2 s without an event the stream sends its last event once more.",
    (at) => {
      const sinks = new WeakMap<Call, StreamSink>();
      const silences = new WeakMap<Call, NodeJS.Timeout>();
      at.frames("getEvents", (frame, call) => {
        clearTimeout(silences.get(call));
        const again = (): unknown => !call.signal.aborted && sinks.get(call)?.write(`${frame}\n\n`);
        if (frame.startsWith("id:")) silences.set(call, setTimeout(again, 2000));
        return [frame];
      });
      at.around("getEvents", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "stream") return answer;
        return {
          ...answer,
          run(sink) {
            sinks.set(call, sink);
            answer.run(sink);
          },
        };
      });
    },
  ],
  [
    "event-stream-omits-long-events",
    "CORE-EVENT-28",
    "subtle",
    "The event stream omits records of more than 1500 characters.",
    (at) => at.frames("getEvents", (frame) => (frame.length > 1500 ? [] : [frame])),
  ],
  [
    "event-stream-omits-what-it-said-last",
    "CORE-EVENT-28",
    "subtle",
    "The event stream omits a record that differs from the one before in id and time only.",
    (at) => {
      const last = new WeakMap<Call, string>();
      at.frames("getEvents", (frame, call) => {
        const said = frame.replaceAll(/^id:.*$|"id":[^,}]*|"createdAt":"[^"]*"/gm, "");
        const isRepeated = last.get(call) === said;
        last.set(call, said);
        return isRepeated ? [] : [frame];
      });
    },
  ],
  [
    "event-stream-omits-own-events",
    "CORE-EVENT-28",
    "subtle",
    "The event stream omits events that the gateway records for failed sign-ins.",
    (at) => at.frames("getEvents", (frame) => (frame.includes('"user login fail"') ? [] : [frame])),
  ],
  [
    "event-stream-resumes-with-a-hundred",
    "CORE-EVENT-74",
    "subtle",
    "A resumed stream sends a hundred events and no more.",
    (at) => {
      const sent = new WeakMap<Call, number>();
      at.frames("getEvents", (frame, call) => {
        const count = sent.get(call) ?? 0;
        sent.set(call, count + 1);
        return call.headers["last-event-id"] !== undefined && count > 100 ? [] : [frame];
      });
    },
  ],
  [
    "event-stream-has-no-ids",
    "CORE-EVENT-84",
    "plain",
    "The records on the event stream lack the field `id`.",
    (at) => at.frames("getEvents", (frame) => [frame.replace(/^id:.*\n/mu, "")]),
  ],
  [
    "event-stream-breaks-lines",
    "CORE-EVENT-28",
    "subtle",
    "A line feed in a text is written unescaped to the event stream.",
    (at) => at.frames("getEvents", (frame) => [frame.replaceAll(/(?<!\\)\\n/g, "\ndata:")]),
  ],
  [
    "event-stream-ignores-filters",
    "CORE-EVENT-76",
    "subtle",
    "The event stream sends events that its filters exclude.",
    withoutFiltersWith("event"),
  ],
  [
    "event-stream-repeats-after-resumption",
    "CORE-EVENT-74",
    "subtle",
    "A resumed stream repeats the last event.",
    (at) => at.around("getEvents", (call, proceed) => proceed(resumedFrom(call, -1))),
  ],
  [
    "event-stream-skips-one-after-resumption",
    "CORE-EVENT-74",
    "subtle",
    "A resumed stream skips the first event after the last one.",
    (at) => at.around("getEvents", (call, proceed) => proceed(resumedFrom(call, 1))),
  ],
  ...(
    [
      ["the-configuration-is", "setEventConfiguration", "Set event configuration"],
      ["kinds-are", "updateEventKinds", "Update event kinds"],
    ] as const
  ).map(
    ([id, operation, name]) =>
      [
        `event-streams-fall-silent-when-${id}-set`,
        "CORE-EVENT-28",
        "subtle",
        `Event streams that were open before *${name}* send no further event.`,
        (at: GatewayAlterations) => {
          let sets = 0;
          const opened = new WeakMap<object, number>();
          at.around(operation, async (call, proceed) => {
            const answer = await proceed(call);
            sets += 1;
            return answer;
          });
          at.around("getEvents", (call, proceed) => {
            opened.set(call, sets);
            return proceed(call);
          });
          at.frames("getEvents", (frame, call) =>
            frame.startsWith(":") || opened.get(call) === sets ? [frame] : [],
          );
        },
      ] as const,
  ),
]);

/** The call with another `Last-Event-ID`. */
function resumedFrom(call: Parameters<typeof changed>[0], shift: number): typeof call {
  const last = call.headers["last-event-id"];
  return last === undefined
    ? call
    : changed(call, { headers: { ...call.headers, "last-event-id": String(Number(last) + shift) } });
}
