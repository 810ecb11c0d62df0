// Every code that rackproof prints in square brackets.
import type { ErrorEntry } from "./entry.ts";
import { refusals } from "./refusals.ts";
import { usageErrors } from "./usageErrors.ts";

export interface RegisteredError extends ErrorEntry {
  readonly code: string;
  readonly exitCode: 1 | 2;
}

export const registeredErrors: readonly RegisteredError[] = [
  ...Object.entries(usageErrors)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, entry]) => ({ code, exitCode: 2 as const, ...entry })),
  ...Object.entries(refusals).map(([code, entry]) => ({ code, exitCode: 1 as const, ...entry })),
];
