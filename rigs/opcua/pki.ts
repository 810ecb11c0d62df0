// Certificates made on the spot, in a folder that goes with whoever needed them.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OPCUACertificateManager } from "node-opcua";
import { recordLeftover } from "../host/leftovers.ts";

/** A certificate store of its own that takes the certificates of all peers: on a rack they are strangers. */
export async function temporaryPki(stack: AsyncDisposableStack): Promise<OPCUACertificateManager> {
  const { LogLevel, OPCUACertificateManager, setLogLevel } = await import("node-opcua");
  // The library's own remarks would stand between the lines that people read.
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
