// How streams and websocket messages are written.
import type { OperationId } from "../../interface/operations/index.ts";
import type { Call } from "../../reference-impl/http/handler.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import type { StreamFilter, WireCall } from "../wire/wireEdits.ts";
import { conducted } from "./conduct.ts";
import type { Variations } from "./variation.ts";

const events = "Events: the notation of streamed events and websocket messages is open";
const tags = "Endpoints 13: the notation of a stream of values is open";
const both = `${events}; ${tags}`;

const isEventStream = ({ id }: WireCall): boolean => id === "getEvents";

function overLines(text: string): string {
  return text.replaceAll(/^data:([^\r\n]*)/gm, (_line, json: string) =>
    // A line may end between members, never within a string.
    JSON.stringify(JSON.parse(json), undefined, 1)
      .split("\n")
      .map((line) => `data:${line}`)
      .join("\n"),
  );
}

function withComments(): StreamFilter {
  let isFirst = true;
  return (text) => {
    const head = isFirst ? "retry: 3000\n\n" : "";
    isFirst = false;
    return `${head}: sign of life, data: none\n\n:\n\n${text}:\n\n`;
  };
}

/** `edit` runs each stream when it opens. */
function aroundOpening(
  at: GatewayAlterations,
  edit: (call: Call, run: () => void) => void,
  operation: OperationId = "monitorTags",
): void {
  at.around(operation, async (call, proceed) => {
    const answer = await proceed(call);
    return answer.kind === "stream"
      ? { ...answer, run: (sink) => edit(call, () => answer.run(sink)) }
      : answer;
  });
}

/** A stream of changes without the values that its tags have when it opens. */
export function changesOnly(at: GatewayAlterations): void {
  // The present values are written before `run` returns, changes after it. Meanwhile others get changes of theirs.
  const opening = new WeakSet<Call>();
  at.frames("monitorTags", (frame, call) =>
    opening.has(call) && call.query["streamInterval"] === undefined && frame.startsWith("data:")
      ? []
      : [frame],
  );
  aroundOpening(at, (call, run) => {
    opening.add(call);
    run();
    opening.delete(call);
  });
}

const effectiveAfterMs = 300;

/** A stream of changes opens with the present values, and its subscription takes effect later. */
function lateSubscription(at: GatewayAlterations): void {
  const opened = new WeakMap<Call, number>();
  at.frames("monitorTags", (frame, call) => {
    if (call.query["streamInterval"] !== undefined) return [frame];
    const openMs = opened.get(call);
    return openMs === undefined || Date.now() - openMs > effectiveAfterMs ? [frame] : [];
  });
  aroundOpening(at, (call, run) => {
    run();
    opened.set(call, Date.now());
  });
}

/** A stream of events sends entries from some time after its head on. */
function lateEvents(at: GatewayAlterations): void {
  const opened = new WeakMap<Call, number>();
  at.frames("getEvents", (frame, call) =>
    performance.now() - (opened.get(call) ?? 0) > effectiveAfterMs ? [frame] : [],
  );
  aroundOpening(
    at,
    (call, run) => {
      opened.set(call, performance.now());
      run();
    },
    "getEvents",
  );
}

const streamsAtOnce = 4;

/** A stream beyond those that are served waits until one of them ends, without an answer until then. */
function fewStreams(at: GatewayAlterations): void {
  let served = 0;
  const waiting: (() => void)[] = [];
  at.around(["getEvents", "monitorTags"], async (call, proceed) => {
    const answer = await proceed(call);
    if (answer.kind !== "stream") return answer;
    if (served >= streamsAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    served += 1;
    return {
      ...answer,
      run(sink) {
        sink.once("close", () => {
          served -= 1;
          waiting.shift()?.();
        });
        answer.run(sink);
      },
    };
  });
}

export const streamVariations = {
  "few-streams": {
    differs: `At most ${streamsAtOnce} streams are served at once; others wait`,
    freedom: `${both}; how many a gateway serves at once is not stated`,
    profile: { streamLimit: { atOnce: streamsAtOnce } },
    install: fewStreams,
  },
  "changes-only": {
    differs: "A stream of changes opens without a value",
    freedom: "Endpoints 13: onChanged answers when a tag value changes; a first value is not mentioned",
    install: changesOnly,
  },
  "changes-after-300-ms": {
    differs: `A stream of changes delivers what changes from ${effectiveAfterMs} ms after its opening`,
    freedom: "Endpoints 13: when a stream takes effect is not stated",
    install: lateSubscription,
  },
  "events-after-300-ms": {
    differs: `A stream of events sends what is recorded from ${effectiveAfterMs} ms after its opening`,
    freedom: "Event stream: when a stream takes effect is not stated",
    install: lateEvents,
  },
  "differences-are-doubles": {
    differs: "The differences on a stream have the data type double, without a unit",
    freedom: "Endpoints 13: what `compute` answers beside the difference is open",
    install: (at) =>
      at.frames("monitorTags", (frame, { query }) => [
        query["compute"] === "diff"
          ? frame
              .replace(/"dataType":"\w+"/, '"dataType":"double"')
              .replace(/"dataUnit":"[^"]*"/, '"dataUnit":""')
          : frame,
      ]),
  },
  "streamed-times-are-finer": {
    differs: "Streamed events have milliseconds, and Get events shows whole seconds",
    freedom: "Conventions: RFC 3339 leaves the fraction to the writer",
    aspect: "timestamps",
    install(at) {
      conducted({ eventTimeStepMs: 1000 })(at);
      at.frames("getEvents", (frame) => [frame.replace(/("createdAt":"[^"]*\.)000Z"/, `$1123Z"`)]);
    },
  },
  "stream-comments": {
    differs: "Comments, retry times and heartbeats stand between records",
    freedom: both,
    install: (at) => at.streamText(withComments),
  },
  "signs-of-life-have-a-name": {
    differs: "Signs of life on a tag stream are messages of their own: `event: ping` with `data: {}`",
    freedom: tags,
    install: (at) => at.frames("monitorTags", (frame) => ["event: ping\ndata: {}", frame]),
  },
  "stream-type-in-capitals": {
    differs: "The content type of an event stream is Text/Event-Stream",
    freedom: "RFC 9110: media types have no case",
    install: (at) =>
      at.wholeAnswer((answer, { id }) => {
        const type = answer.headers.get("content-type");
        if (id === "getEvents" && typeof type === "string" && type.startsWith("text/event-stream"))
          answer.headers.set("content-type", type.replace("text/event-stream", "Text/Event-Stream"));
      }),
  },
  "stream-pieces": {
    differs: "Streams arrive in pieces that end anywhere",
    freedom: both,
    install: (at) => at.streamsInPieces(),
  },
  "events-over-lines": {
    differs: "The data of an event spans several data lines",
    freedom: events,
    install: (at) => at.streamText((call) => (isEventStream(call) ? overLines : (text) => text)),
  },
  "tag-stream-type": {
    differs: "A tag stream has the content type text/plain",
    freedom: tags,
    install: (at) =>
      at.wholeAnswer((answer, { id }) => {
        const type = answer.headers.get("content-type");
        if (id === "monitorTags" && typeof type === "string" && type.startsWith("text/event-stream"))
          answer.headers.set("content-type", "text/plain; charset=utf-8");
      }),
  },
  "websocket-frames": {
    differs: "The gateway pings websocket clients and sends each message in two frames",
    freedom: events,
    install: (at) =>
      at.websocketSender(() => (client, text) => {
        client.ping();
        client.send(text.slice(0, 2), { fin: false });
        client.send(text.slice(2));
      }),
  },
  "stream-spaces": {
    differs: "A space follows the colon of each field",
    freedom: both,
    install: (at) => at.streamText(() => (text) => text.replaceAll(/^(data|id|event):(?! )/gm, "$1: ")),
  },
  "stream-more-fields": {
    differs: "Other fields, known and unknown, stand before and after data",
    freedom: both,
    install: (at) =>
      at.streamText(
        (call) => (text) =>
          text.replaceAll(
            /^(data:[^\r\n]*)/gm,
            isEventStream(call) ? "x-vendor: 1\n$1\nretry: 3000" : "event: value\nid: v1\n$1\nx-vendor: 1",
          ),
      ),
  },
  "stream-event-types": {
    differs: "Each server-sent event has a type of its own",
    freedom: events,
    aspect: "fields of streams",
    install: (at) =>
      at.streamText(
        (call) => (text) => (isEventStream(call) ? text.replaceAll(/^event:.*$/gm, "event: record") : text),
      ),
  },
  "stream-line-ends": {
    differs: "Lines of streams end with CR LF",
    freedom: both,
    install: (at) => at.streamText(() => (text) => text.replaceAll("\n", "\r\n")),
  },
} as const satisfies Variations;
