// Whether a gateway shows a sign of life over the network: it accepts a connection or not.
import { connect } from "node:net";
import type { LifeSigns } from "../power/power.ts";

const tryEveryMs = 100;
const connectWithinMs = 500;
/** After this many failed attempts in a row it is down rather than busy. */
const failuresToBeDead = 3;

export function lifeOf(url: string): LifeSigns {
  const { hostname, port, protocol } = new URL(url);
  const at = { host: hostname, port: Number(port || (protocol === "https:" ? 443 : 80)) };
  return {
    async isAlive(withinMs) {
      const startedMs = performance.now();
      do {
        if (await takesConnection(at)) return true;
        await pause();
      } while (performance.now() - startedMs < withinMs);
      return false;
    },
    async isDead(withinMs) {
      const startedMs = performance.now();
      let failures = 0;
      do {
        failures = (await takesConnection(at)) ? 0 : failures + 1;
        if (failures >= failuresToBeDead) return true;
        await pause();
      } while (performance.now() - startedMs < withinMs);
      return false;
    },
  };
}

function takesConnection(at: { readonly host: string; readonly port: number }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(at);
  const end = (isAlive: boolean): void => {
    socket.destroy();
    resolve(isAlive);
  };
  socket.setTimeout(connectWithinMs, () => end(false));
  socket.once("connect", () => end(true));
  socket.once("error", () => end(false));
  return promise;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, tryEveryMs));
}
