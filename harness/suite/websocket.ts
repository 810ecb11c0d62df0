/** What became of an attempt to open the websocket. */
export interface WebsocketAttempt extends AsyncDisposable {
  readonly opened: boolean;
  /** HTTP status of a refusal; undefined when it opened or the connection just broke. */
  readonly refusedWith: number | undefined;
}
