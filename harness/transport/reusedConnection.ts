// Whether a connection that broke had carried an answer before: a gateway may close an idle one at any moment.
import { type buildConnector, errors } from "undici";

/** Bytes that a socket had received when it failed; the client reports some failures without their socket. */
const receivedBytes = new WeakMap<Error, number>();

/** Makes connections whose failures `wasReused` distinguishes. */
export function withReuse(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...made) => {
      const [, socket] = made;
      socket?.once("error", (error) => receivedBytes.set(error, socket.bytesRead));
      callback(...made);
    });
}

/** Whether the request failed on a connection that had carried an answer before. */
export function wasReused(thrown: unknown): boolean {
  if (thrown instanceof errors.SocketError) return (thrown.socket?.bytesRead ?? 0) > 0;
  return thrown instanceof Error && (receivedBytes.get(thrown) ?? 0) > 0;
}
