// Certificates made on demand, in a temporary folder.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OPCUACertificateManager } from "node-opcua";
import { recordLeftover } from "../host/leftovers.ts";

/** A separate certificate store that accepts the certificates of all peers: on a rack they are unknown. */
export async function temporaryPki(stack: AsyncDisposableStack): Promise<OPCUACertificateManager> {
  const { LogLevel, OPCUACertificateManager, setLogLevel } = await import("node-opcua");
  // Messages of the library would interrupt the output.
  setLogLevel(LogLevel.Emergency);
  const folder = await mkdtemp(join(tmpdir(), "rackproof-pki-"));
  const leftover = await recordLeftover({ kind: "folder", path: folder });
  stack.defer(async () => {
    await rm(folder, { recursive: true, force: true });
    await leftover.settle();
  });
  const manager = new OPCUACertificateManager({
    rootFolder: folder,
    automaticallyAcceptUnknownCertificate: true,
  });
  await manager.initialize();
  stack.defer(() => manager.dispose());
  return manager;
}
