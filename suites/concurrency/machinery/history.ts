// What several clients did to one register, each with the interval in which it must have taken effect.

/** A read or a write that was answered, or whose answer never came. */
export interface RegisterOperation {
  readonly client: string;
  readonly kind: "read" | "write";
  /** What was written, or what was read. */
  readonly value: string;
  /** Instant on the monotonic clock before it was sent. */
  readonly calledMs: number;
  /** Instant after its answer; infinite for a write without one, which may take effect at any time later, or never. */
  readonly returnedMs: number;
}

/** Several clients' operations, as the clients saw them. Operations that were refused are no part of it. */
export type History = readonly RegisterOperation[];

/** One operation in words. */
export function showOperation({ client, kind, value, calledMs, returnedMs }: RegisterOperation): string {
  const until = Number.isFinite(returnedMs) ? `${returnedMs.toFixed(1)} ms` : "no answer";
  return `${client} ${kind === "read" ? "read" : "wrote"} ${JSON.stringify(value)} (${calledMs.toFixed(1)} to ${until})`;
}
