import { X509Certificate } from "node:crypto";
import { createServer, type AddressInfo } from "node:net";
import { connect } from "node:tls";
import { once } from "node:events";

/** A port that nobody listened on a moment ago, for gateways on this machine. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** SHA-256 fingerprint of the certificate served at the URL; undefined when there is no TLS. */
export async function servedFingerprint(url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname,
    port: Number(port || 443),
    rejectUnauthorized: false,
    timeout: 5000,
  });
  socket.once("timeout", () => socket.destroy(new Error("no answer")));
  try {
    await once(socket, "secureConnect");
    return socket.getPeerX509Certificate()?.fingerprint256;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

export function fingerprintOf(certificatePem: string): string {
  return new X509Certificate(certificatePem).fingerprint256;
}
