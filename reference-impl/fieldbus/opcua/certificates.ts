// The gateway's certificates for OPC UA, made on the spot and kept with its state.
import { join } from "node:path";
import type { OPCUACertificateManager } from "node-opcua";

/** A store that takes the certificates of peers as they come: which plant a gateway stands in is not known here. */
export async function gatewayCertificates(
  stateFolder: string,
  name: string,
): Promise<OPCUACertificateManager> {
  const { LogLevel, OPCUACertificateManager, setLogLevel } = await import("node-opcua");
  // What goes wrong between two peers is in the app's log, in the app's words.
  setLogLevel(LogLevel.Emergency);
  const manager = new OPCUACertificateManager({
    rootFolder: join(stateFolder, `pki-${name}`),
    automaticallyAcceptUnknownCertificate: true,
  });
  await manager.initialize();
  return manager;
}
