// Real TLS servers with certificates of their own, and what the connector lets through.
import { createHash, X509Certificate } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Agent } from "undici";
import { expect, test } from "vitest";
import { selfSigned } from "../../suites/support/certificate.ts";
import { TlsIdentity, tlsErrorCode } from "./tlsIdentity.ts";

async function serve(): Promise<
  AsyncDisposable & { url: string; fingerprint: string; pem: string; requests: number }
> {
  const { certificatePem, keyPem } = await selfSigned("127.0.0.1", Date.now());
  const server = createServer({ cert: certificatePem, key: keyPem }, (_request, response) => {
    running.requests += 1;
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const running = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fingerprint: createHash("sha256")
      .update(new X509Certificate(certificatePem).raw)
      .digest("hex")
      .toUpperCase(),
    pem: certificatePem,
    requests: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return running;
}

async function request(identity: TlsIdentity, url: string): Promise<string> {
  const agent = new Agent({ connect: identity.connector() });
  try {
    const { statusCode, body } = await agent.request({ origin: url, path: "/", method: "GET" });
    await body.dump();
    return String(statusCode);
  } catch (thrown) {
    return String((thrown as { code?: unknown }).code);
  } finally {
    await agent.destroy();
  }
}

const nothingDeclared = { fingerprint: undefined, ca: undefined };

test("the certificate is recorded and pinned; another one carries no request", async () => {
  await using first = await serve();
  await using second = await serve();
  const identity = new TlsIdentity(nothingDeclared);
  expect(await request(identity, first.url)).toBe("200");
  expect(await request(identity, second.url)).toBe(tlsErrorCode);
  expect(second.requests).toBe(0);
  expect(identity.shown.map((one) => one.fingerprint)).toEqual([first.fingerprint]);
});

test("a change that the suite caused is recorded and no error", async () => {
  await using first = await serve();
  await using second = await serve();
  const identity = new TlsIdentity(nothingDeclared);
  await request(identity, first.url);
  identity.expectChange();
  expect(await request(identity, second.url)).toBe("200");
  expect(await request(identity, first.url)).toBe("200");
  expect(identity.shown.map((one) => one.fingerprint)).toEqual([first.fingerprint, second.fingerprint]);
});

test("a gateway that differs from its declared fingerprint or authority is sent nothing", async () => {
  await using gateway = await serve();
  await using other = await serve();
  const { fingerprint, pem } = gateway;
  expect(await request(new TlsIdentity({ fingerprint, ca: undefined }), gateway.url)).toBe("200");
  expect(await request(new TlsIdentity({ fingerprint, ca: undefined }), other.url)).toBe(tlsErrorCode);
  expect(await request(new TlsIdentity({ fingerprint: undefined, ca: pem }), gateway.url)).toBe("200");
  expect(await request(new TlsIdentity({ fingerprint: undefined, ca: pem }), other.url)).not.toBe("200");
  expect(other.requests).toBe(0);
});
