// The gateway as one case reaches it: over its connections, or in the record of an earlier run.
import type { Readable } from "node:stream";
import type { Clock } from "../clock.ts";
import type { Outside } from "./outside.ts";
import type { OpenStream, Transport, WireAnswer, WireRequest } from "./transport.ts";

export interface TapedStream<B> extends OpenStream<B> {
  /** The reader calls it with each piece of the body, when it has it. */
  received(chunk: Uint8Array): void;
  /** The reader calls it when the body has ended, unless it ended reading itself. */
  ended(): void;
}

export interface Tape extends Outside {
  send(request: WireRequest, number: number): Promise<WireAnswer>;
  /** Opens a stream; throws what the client throws when no answer came. `signal` ends reading. */
  open<B>(
    request: WireRequest,
    signal: AbortSignal,
    live: () => Promise<OpenStream<B>>,
  ): Promise<TapedStream<B | Readable>>;
  /** The clock of the case. */
  readonly clock: Clock;
}

const ignore = (): void => undefined;

/** Straight to the gateway, without a record. */
export function untaped(transport: Transport): Tape {
  return {
    clock: transport.clock,
    ask: (_key, live) => live(),
    read: (_key, live) => live(),
    feed: (_key, sink, live) => live(sink),
    send: (request, number) => transport.send(request, number),
    open: async (_request, _signal, live) => ({ ...(await live()), received: ignore, ended: ignore }),
  };
}
