// What streams and websockets look like on the wire.
import type { Variations } from "./variation.ts";

const events = "Events: how streamed events and websocket messages are written is open";
const tags = "Endpoints 13: how a stream of values is written is open";

export const streamVariations = {
  "stream-comments": {
    differs: "comments, retry times and signs of life between records",
    freedom: `${events}; ${tags}`,
  },
  "stream-pieces": { differs: "streams arrive in pieces that end anywhere", freedom: `${events}; ${tags}` },
  "events-over-lines": { differs: "an event's data goes over several data lines", freedom: events },
  "tag-stream-type": { differs: "a tag stream is text/plain", freedom: tags },
  "websocket-frames": { differs: "pings, and messages in several frames", freedom: events },
  "stream-spaces": { differs: "a space after the colon of each field", freedom: `${events}; ${tags}` },
  "stream-more-fields": {
    differs: "fields before and after data, known and unknown",
    freedom: `${events}; ${tags}`,
  },
  "stream-line-ends": { differs: "lines of streams end with CR LF", freedom: `${events}; ${tags}` },
} as const satisfies Variations;
