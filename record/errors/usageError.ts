import { type UsageErrorCode, usageErrors } from "./usageErrors.ts";

/** A command, profile, rack file or other input that cannot be used: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Stable word for scripts; `rackproof list errors` explains it. */
  readonly code: UsageErrorCode;
  /** What to do about it. */
  readonly fix: string;

  /** The message names what failed, what was expected and what was found; the registry's remedy applies unless `fix` is given. */
  constructor(code: UsageErrorCode, message: string, fix: string = usageErrors[code].remedy) {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
