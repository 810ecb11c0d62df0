// Faults that show only on a bad line to the gateway.
import { rm } from "node:fs/promises";
import { ServerResponse } from "node:http";
import { getDefaultHighWaterMark } from "node:stream";
import { everyCall } from "../mechanism/operationAlterations.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import { type Fault, faults } from "./fault.ts";

const places = 40;

export const badLineFaults: readonly Fault[] = faults([
  [
    "stream-drops-changes-while-its-socket-is-full",
    "CORE-FIELD-03",
    "subtle",
    "A stream of changes omits every change for which its socket has no room at once, without ending.",
    (at) =>
      at.frames("monitorTags", (frame, call, waitingBytes) =>
        call.query["onChanged"] === true && waitingBytes >= getDefaultHighWaterMark(false) ? [] : [frame],
      ),
  ],
  [
    "vanished-clients-hold-their-places",
    "CORE-LINE-01",
    "subtle",
    "There are 40 places for stream clients; that of a client that vanished stays taken.",
    (at) => {
      let taken = 0;
      at.around("monitorTags", async (call, proceed) => {
        const answer = await proceed(call);
        if (answer.kind !== "stream") return answer;
        if (taken >= places) throw new Refusal(409, "no place for another stream client");
        taken += 1;
        return {
          ...answer,
          run: (sink) => {
            let isLost = false;
            if (sink instanceof ServerResponse) sink.socket?.once("error", () => (isLost = true));
            sink.once("close", () => {
              if (!isLost) taken -= 1;
            });
            return answer.run(sink);
          },
        };
      });
    },
  ],
  [
    "answers-wait-for-a-list",
    "CORE-LINE-02",
    "subtle",
    "Answers wait until the list of events before them has been sent.",
    (at) => {
      let sent = Promise.resolve();
      at.around("getEvents", (call, proceed) => {
        if (call.query["event"] === true) return proceed(call);
        const { promise, resolve } = Promise.withResolvers<void>();
        call.signal.addEventListener("abort", () => resolve(), { once: true });
        sent = promise;
        return proceed(call);
      });
      at.around(everyCall, async (call, proceed) => {
        await sent;
        return proceed(call);
      });
    },
  ],
  [
    "download-waits-for-ever",
    "CORE-LINE-03",
    "subtle",
    "A download waits without limit for the next byte of a server that vanished.",
    (at) => at.download((download) => (options) => download({ ...options, idleMs: 0 })),
  ],
  [
    "download-begins-anew-after-a-loss",
    "CORE-LINE-04",
    "subtle",
    "A download begins with the first byte after its connection was lost.",
    (at) =>
      at.download((download) => async (options) => {
        await rm(options.file, { force: true });
        return download(options);
      }),
  ],
]);
