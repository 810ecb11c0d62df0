import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import { once } from "node:events";
import type { CaseContext } from "../../harness/index.ts";

/** SHA-256 fingerprint of the certificate served at the URL; undefined when there is no TLS. */
export function servedFingerprint(
  { outside }: Pick<CaseContext, "outside">,
  url: string,
  host?: string,
): Promise<string | undefined> {
  return outside.ask("served certificate", () => fingerprintAt(url, host));
}

async function fingerprintAt(url: string, servername?: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname,
    port: Number(port || 443),
    rejectUnauthorized: false,
    timeout: 5000,
    ...(servername === undefined ? {} : { servername }),
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
