import { badInput } from "../base/refusal.ts";

const maxMegabytes = 1_048_576;

/** `desiredDiskCacheSizeMB` is a string in requests and an integer in answers; absent keeps the present size. */
export function cacheSizeOf(input: unknown, presentMb: number): number {
  if (input === undefined) return presentMb;
  const text = typeof input === "number" || typeof input === "string" ? String(input) : "";
  const megabytes = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(megabytes >= 1 && megabytes <= maxMegabytes)) {
    throw badInput(
      `desiredDiskCacheSizeMB: expected a whole number of megabytes from 1 to ${maxMegabytes}, found ${JSON.stringify(text)}`,
    );
  }
  return megabytes;
}
