// Serves the live view: one page and one stream of server-sent events, read-only.
import type { IncomingMessage, ServerResponse } from "node:http";
import { livePage, livePagePolicy } from "../../reports/live/livePage.ts";
import { monotonicClock } from "../../harness/index.ts";
import { Follower } from "../../workflows/live/follow.ts";
import { openEvents, type ReadOnlyServer, sendPage, startReadOnlyServer } from "./readOnlyServer.ts";

const sendEveryMs = 500;

/** Serves the folder's live state on `HOST:PORT`; throws a UsageError when it cannot listen there. */
export async function startWatchServer(folder: string, listen: string): Promise<ReadOnlyServer> {
  await using stack = new AsyncDisposableStack();
  const follower = stack.use(new Follower(folder, monotonicClock));
  const server = stack.use(
    await startReadOnlyServer(listen, (path, request, response) => answer(follower, path, request, response)),
  );
  const whole = stack.move();
  return { url: server.url, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

function answer(
  follower: Follower,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  switch (path) {
    case "/":
      sendPage(response, livePagePolicy, livePage());
      return true;
    case "/state":
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(follower.state));
      return true;
    case "/events":
      stream(follower, request, response);
      return true;
    default:
      return false;
  }
}

/** Sends the whole state at once and after each change, so that a late or reconnected page is complete. */
function stream(follower: Follower, request: IncomingMessage, response: ServerResponse): void {
  openEvents(request, response, (write) => {
    let hasChanged = true;
    const news = follower.onNews(() => (hasChanged = true));
    const send = (): void => {
      // A slow reader skips states that are outdated before it can read them.
      if (!hasChanged || response.writableNeedDrain) return;
      hasChanged = false;
      write("state", JSON.stringify(follower.state));
    };
    send();
    const timer = setInterval(send, sendEveryMs);
    return {
      [Symbol.dispose]() {
        clearInterval(timer);
        news[Symbol.dispose]();
      },
    };
  });
}
