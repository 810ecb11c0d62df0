// A limit of requests a second: what exceeds it is answered with 429 and the time to wait.
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

const windowMs = 1000;
const tooManyRequests = 429;

/** Registered first of all: a request beyond the limit reaches no other alteration. */
export function rateLimit(requestsPerSec: number): (at: GatewayAlterations) => void {
  return (at) => {
    let begunMs = Number.NEGATIVE_INFINITY;
    let count = 0;
    at.request(() => {
      const nowMs = performance.now();
      if (nowMs - begunMs >= windowMs) [begunMs, count] = [nowMs, 0];
      count += 1;
      return count > requestsPerSec ? tooManyRequests : undefined;
    });
    at.wholeAnswer(({ status, headers }) => {
      if (status === tooManyRequests) headers.set("retry-after", "1");
    });
  };
}
