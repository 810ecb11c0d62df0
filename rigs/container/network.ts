// A network of this machine for one contained gateway, with fixed addresses.
import type { ContainerRuntimeClient } from "testcontainers";
import { recordLeftover } from "../host/leftovers.ts";

export interface GatewayNetwork extends AsyncDisposable {
  readonly name: string;
  /** This machine's address in it. */
  readonly hostAddress: string;
  /** The gateway's address in it. */
  readonly gatewayAddress: string;
}

const tries = 20;
// A /28 from the private block that engines assign last.
const firstOctets = "10.213";

/** Creates a bridge without external access; throws an Error when no free addresses were found. */
export async function makeNetwork(engine: ContainerRuntimeClient, name: string): Promise<GatewayNetwork> {
  let refusal: unknown;
  for (let attempt = 0; attempt < tries; attempt++) {
    const third = Math.floor(Math.random() * 256);
    const prefix = `${firstOctets}.${third}`;
    const leftover = await recordLeftover({ kind: "network", name });
    try {
      const network = await engine.network.create({
        Name: name,
        Driver: "bridge",
        Internal: true,
        IPAM: { Driver: "default", Config: [{ Subnet: `${prefix}.0/28`, Gateway: `${prefix}.1` }] },
      });
      return {
        name,
        hostAddress: `${prefix}.1`,
        gatewayAddress: `${prefix}.2`,
        async [Symbol.asyncDispose]() {
          await network.remove();
          await leftover.settle();
        },
      };
    } catch (thrown) {
      await leftover.settle();
      refusal = thrown;
    }
  }
  throw new Error(
    `container network not created: ${refusal instanceof Error ? refusal.message : String(refusal)}`,
  );
}
