// Faults of tags that nothing was written to for some seconds, and of streams on which nothing happened.
import { notFound } from "../../reference-impl/base/refusal.ts";
import type { Call, StreamSink } from "../../reference-impl/http/handler.ts";
import { fields, items } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { faults } from "./fault.ts";

const oldMs = 10_000;
const repeatedMs = 6000;

/** Which written tags are old: a function of provider, source and tag. */
function writtenLongAgo(at: GatewayAlterations): (names: readonly unknown[]) => boolean {
  const writtenMs = new Map<string, number>();
  at.around("writeTag", (call, proceed) => {
    const { provider, source, tag } = call.path;
    writtenMs.set(JSON.stringify([provider, source, tag]), performance.now());
    return proceed(call);
  });
  return (names) =>
    performance.now() - (writtenMs.get(JSON.stringify(names)) ?? Number.POSITIVE_INFINITY) > oldMs;
}

export const idleTagFaults = faults([
  [
    "unchanged-values-come-again-later",
    "CORE-TAG-53",
    "subtle",
    "After 6 s without a change, a stream of changes sends the last value again.",
    (at) => {
      const sinks = new WeakMap<Call, StreamSink>();
      const timers = new WeakMap<Call, NodeJS.Timeout>();
      at.around("monitorTags", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "stream" || call.query["onChanged"] !== true) return answer;
        call.signal.addEventListener("abort", () => clearInterval(timers.get(call)));
        return {
          ...answer,
          run(sink) {
            sinks.set(call, sink);
            answer.run(sink);
          },
        };
      });
      at.frames("monitorTags", (frame, call) => {
        clearInterval(timers.get(call));
        timers.set(
          call,
          setInterval(() => sinks.get(call)?.write(`${frame}\n\n`), repeatedMs),
        );
        return [frame];
      });
    },
  ],
  [
    "old-values-are-not-read",
    "CORE-TAG-30",
    "subtle",
    "A direct read of a tag that was written more than 10 s ago finds nothing.",
    (at) => {
      const isOld = writtenLongAgo(at);
      at.around("readTag", (call, proceed) => {
        const { provider, source, tag } = call.path;
        if (isOld([provider, source, tag])) throw notFound("tag value");
        return proceed(call);
      });
    },
  ],
  [
    "old-values-are-not-monitored",
    "CORE-TAG-48",
    "subtle",
    "Monitoring without a stream leaves out tags that were written more than 10 s ago.",
    (at) => {
      const isOld = writtenLongAgo(at);
      at.answer("monitorTags", (body, { query }) =>
        query["ms"] !== undefined
          ? body
          : {
              ...body,
              data: items(body["data"]).filter(
                ({ prvdName, srcName, tagName }) => !isOld([prvdName, srcName, tagName]),
              ),
            },
      );
    },
  ],
  [
    "old-values-leave-their-streams",
    "CORE-TAG-51",
    "subtle",
    "A stream at an interval sends nothing of a tag that was written more than 10 s ago.",
    (at) => {
      const isOld = writtenLongAgo(at);
      at.frames("monitorTags", (frame, { query }) => {
        if (query["streamInterval"] === undefined || !frame.startsWith("data:")) return [frame];
        const { prvdName, srcName, tagName } = fields(JSON.parse(frame.slice(5)));
        return isOld([prvdName, srcName, tagName]) ? [] : [frame];
      });
    },
  ],
]);
