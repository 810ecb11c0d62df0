// A client's end of a tag stream.
import type { Clock } from "../../base/clock.ts";
import type { StreamSink } from "../../http/handler.ts";
import { openPushStream } from "../../http/pushStream.ts";
import type { FeedRequest, Feeds, FeedSource } from "./feed.ts";

/**
 * Streams to a client until it leaves, falls too far behind, loses the permission to read, or the gateway stops. Each value is
 * one `data:<json>` line followed by an empty one.
 */
export function runTagStream(
  response: StreamSink,
  signal: AbortSignal,
  clock: Clock,
  feeds: Feeds,
  request: FeedRequest,
  source: FeedSource,
  isAllowed: () => boolean,
): void {
  let place: Disposable | undefined;
  const push = openPushStream(response, signal, clock, () => place?.[Symbol.dispose]());
  if (push.ended) return;
  place = feeds.join(request, source, {
    write: (bytes) => push.write(bytes),
    end: () => void response.end(),
    isAllowed,
  });
  // A client that left during the head is still in the feed.
  if (push.ended) place[Symbol.dispose]();
}
