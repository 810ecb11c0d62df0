// Ports to which listeners are moved, where the profile permits a range of them only.
import { holdPort } from "../../rigs/index.ts";
import type { PortRange } from "../profile/profile.ts";

/**
 * Answers the ports of the range by turns. On this machine those that something listens on are left out; elsewhere the
 * gateway rejects them. Throws an Error when all are taken.
 */
export function portsOf({ from, to }: PortRange, isOfThisMachine: () => boolean): () => Promise<number> {
  const count = to - from + 1;
  let next = 0;
  return async () => {
    for (let tries = 0; tries < count; tries++) {
      const port = from + (next++ % count);
      if (!isOfThisMachine() || (await isFree(port))) return port;
    }
    throw new Error(`no port from ${from} to ${to} is free. Fix: widen listenerPorts in the profile`);
  };
}

async function isFree(port: number): Promise<boolean> {
  try {
    await using _held = await holdPort(port);
    return true;
  } catch {
    return false;
  }
}
