// Sends a request and gathers its whole answer. undici's `request` makes a stream of each body, which takes longer than
// all that the harness does with an answer.
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { wasReused } from "./reusedConnection.ts";

interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A gateway that closes its idle connections closes several at a time. */
const mostRepetitions = 8;

/**
 * Rejects with the error of the client when the answer does not come, or not to its end. A gateway may close an idle
 * connection in the moment in which a request takes it: one that only reads is sent again, until it had a new one.
 */
export async function wholeAnswer(
  agent: Dispatcher,
  options: Dispatcher.DispatchOptions,
): Promise<WholeAnswer> {
  let isBegun = false;
  const send = (): Promise<WholeAnswer> =>
    new Promise((resolve, reject) => {
      agent.dispatch(options, new Gatherer(resolve, reject, () => (isBegun = true)));
    });
  for (let repetitions = 0; ; repetitions++) {
    try {
      return await send();
    } catch (thrown) {
      const isRepeated = options.method === "GET" && !isBegun && wasReused(thrown);
      if (!isRepeated || repetitions === mostRepetitions) throw thrown;
    }
  }
}

class Gatherer implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: WholeAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #begun: () => void;
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(resolve: (answer: WholeAnswer) => void, reject: (error: Error) => void, begun: () => void) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#begun = begun;
  }

  /** undici requires it of a handler. */
  onRequestStart(): void {}

  /** Also called for interim answers (1xx): the last call is the answer's own. */
  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#begun();
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    // A copy: the chunks are parts of what was read from the socket.
    this.#resolve({ status: this.#status, headers: this.#headers, bytes: Buffer.concat(this.#chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }
}
