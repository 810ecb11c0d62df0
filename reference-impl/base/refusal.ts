/** A request that the gateway rejects; the HTTP layer writes it as the operation's error body. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 423;
  /** Stable number in the error body's `error.code`. */
  readonly code: number;
  /** Sent beside the error where the interface states it (the `data.diff` of a rejected upload). */
  readonly data: unknown;

  constructor(status: Refusal["status"], message: string, options: { code?: number; data?: unknown } = {}) {
    super(message);
    this.status = status;
    this.code = options.code ?? status * 100;
    this.data = options.data;
  }
}

/** 400: an input breaks a rule; the message names the field and the rule. */
export const badInput = (message: string, options: { code?: number; data?: unknown } = {}): Refusal =>
  new Refusal(400, message, options);
export const notFound = (what: string): Refusal => new Refusal(404, `${what} does not exist`);
export const forbidden = (message: string): Refusal => new Refusal(403, message);
