import { UsageError, messageOf } from "../../record/index.ts";

/** A failure as the terminal shows it: one line, with remedy and code where there are any. */
export function errorLine(thrown: unknown): string {
  return thrown instanceof UsageError
    ? `rackproof: ${thrown.message}${/[.?]$/.test(thrown.message) ? "" : "."} Fix: ${thrown.fix} [${thrown.code}]\n`
    : `rackproof: ${messageOf(thrown)}\n`;
}
