/** A command, profile or rack file that cannot be used: exit code 2, one line that says where and what would be right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Stable word for scripts. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
