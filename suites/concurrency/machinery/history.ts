// Operations of several clients on one register, each with the interval in which it took effect.

/** A read or a write, with or without an answer. */
export interface RegisterOperation {
  readonly client: string;
  readonly kind: "read" | "write";
  /** The value written or read. */
  readonly value: string;
  /** Monotonic time before sending. */
  readonly calledMs: number;
  /** Monotonic time after its answer; infinite for a write without one, which may take effect later or never. */
  readonly returnedMs: number;
}

/** Operations of several clients as the clients saw them, without rejected ones. */
export type History = readonly RegisterOperation[];

/** One operation in words. */
export function showOperation({ client, kind, value, calledMs, returnedMs }: RegisterOperation): string {
  const until = Number.isFinite(returnedMs) ? `${returnedMs.toFixed(1)} ms` : "no answer";
  return `${client} ${kind === "read" ? "read" : "wrote"} ${JSON.stringify(value)} (${calledMs.toFixed(1)} to ${until})`;
}
