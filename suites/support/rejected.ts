import type { Answer } from "../../harness/index.ts";

/** Whether the gateway rejected the request; an error of its own is no rejection. */
export function isRejected({ status }: Pick<Answer, "status">): boolean {
  return status >= 400 && status < 500;
}
