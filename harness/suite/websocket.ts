/** The result of an attempt to open the websocket. */
export interface WebsocketAttempt extends AsyncDisposable {
  readonly opened: boolean;
  /** HTTP status of a rejection; undefined when it opened or the connection broke. */
  readonly refusedWith: number | undefined;
  /** Why no handshake took place, such as ECONNREFUSED: that says nothing about the token. */
  readonly unreachable?: string;
}
