// The listeners really move, and no change shuts everybody out.
import { generateKeyPairSync } from "node:crypto";
import { createServer, get } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Call, UploadedFile } from "../../http/handler.ts";
import { callGroup, dataOf, testFoundation, type TestFoundation } from "../../testing/foundation.ts";
import { makeSelfSigned } from "../../tls/selfSigned.ts";
import { createHttpServer, type HttpServer } from "./httpServer.ts";

interface Bench {
  readonly foundation: TestFoundation;
  readonly group: HttpServer;
  readonly httpPort: number;
  readonly httpsPort: number;
}

async function start(): Promise<Bench> {
  const foundation = testFoundation();
  const group = await createHttpServer(foundation, { httpPort: 0, httpsPort: 0 });
  const ports = await group.open({
    address: "127.0.0.1",
    onRequest: (_request, response) => response.end("here"),
    onUpgrade: (_request, socket) => socket.destroy(),
  });
  onTestFinished(async () => {
    await group[Symbol.asyncDispose]();
    foundation[Symbol.dispose]();
  });
  return { foundation, group, ...ports };
}

const patch = (group: HttpServer, body: Call["body"]): Promise<unknown> =>
  dataOf(group, "updateHttpServer", { body });

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ port, host: "127.0.0.1", agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once("error", () => resolve(false));
  });

const isClosed = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", () => resolve(true));
  });

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const openTls = (port: number): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => resolve(socket));
    socket.once("error", reject);
    onTestFinished(() => void socket.destroy());
  });

async function servedName(port: number): Promise<string> {
  const socket = await openTls(port);
  return String(socket.getPeerCertificate().subject.CN);
}

test("a new port serves before the old one closes, and is durable", async () => {
  const { foundation, group, httpPort } = await start();
  const wanted = await freePort();
  expect(await patch(group, { httpPort: wanted })).toMatchObject({ httpPort: wanted, httpEnable: true });
  expect([await answers(wanted), await answers(httpPort)]).toEqual([true, true]);
  foundation.clock.advance(20);
  expect([await answers(wanted), await isClosed(httpPort)]).toEqual([true, true]);
  expect(await dataOf(group, "getHttpServer")).toMatchObject({ httpPort: wanted });
});

test("a change that would make the gateway unreachable is rejected without effect", async () => {
  const { group, httpPort, httpsPort } = await start();
  const before = await dataOf(group, "getHttpServer");
  await using taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(patch(group, { httpEnable: false, httpsEnable: false })).rejects.toThrow(/^httpEnable, /);
  await expect(patch(group, { httpPort: httpsPort })).rejects.toThrow("two different ports");
  await expect(patch(group, { httpPort: port })).rejects.toThrow(/^httpPort: port \d+ cannot be/);
  await expect(patch(group, { httpPort: 65_536 })).rejects.toThrow(/^httpPort: expected 1 to 65535/);
  expect(await dataOf(group, "getHttpServer")).toEqual(before);
  expect(await answers(httpPort)).toBe(true);
});

test("of two listeners disabled at the same time one stays enabled", async () => {
  const { group } = await start();
  const [http, https] = group.services ?? [];
  const results = await Promise.allSettled([http?.switchTo(false), https?.switchTo(false)]);
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected"]);
  expect(await dataOf(group, "getHttpServer")).toMatchObject({ httpEnable: false, httpsEnable: true });
});

test("of two changes at the same time neither undoes the other", async () => {
  const { group } = await start();
  const httpPort = await freePort();
  await Promise.all([patch(group, { httpPort }), group.services?.[1]?.switchTo(false)]);
  expect(await dataOf(group, "getHttpServer")).toMatchObject({ httpPort, httpsEnable: false });
});

test("a new certificate is served at once, open connections stay, and keys are never returned", async () => {
  const { foundation, group, httpsPort } = await start();
  const open = await openTls(httpsPort);
  const own = await makeSelfSigned("new-name", foundation.clock.nowMs());
  const answer = await patch(group, {
    cert: own.certificatePem,
    key: own.keyPem,
    certFilename: "a.crt",
    keyFilename: "a.key",
  });
  expect(answer).toMatchObject({ certFileName: "a.crt", keyFileName: "a.key" });
  expect(JSON.stringify(answer)).not.toContain("PRIVATE");
  expect(await servedName(httpsPort)).toBe("new-name");
  const text = new Promise<string>((resolve) => open.once("data", (chunk) => resolve(String(chunk))));
  open.write("GET / HTTP/1.1\r\nHost: gateway\r\n\r\n");
  expect(await text).toMatch(/^HTTP\/1\.1 200/);
});

test("certificates and keys that TLS cannot use are rejected with the name of the field", async () => {
  const { foundation, group, httpsPort } = await start();
  const own = await makeSelfSigned("new-name", foundation.clock.nowMs());
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const otherKey = String(other.privateKey.export({ type: "pkcs8", format: "pem" }));
  const cert = own.certificatePem;
  await expect(patch(group, { cert, key: otherKey })).rejects.toThrow(/^key: the key does not belong/);
  await expect(patch(group, { cert: "text", key: own.keyPem })).rejects.toThrow(/^cert: expected/);
  await expect(patch(group, { cert, key: "text" })).rejects.toThrow(/^key: expected/);
  const torn = `${cert}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`;
  await expect(patch(group, { cert: torn, key: own.keyPem })).rejects.toThrow(/^cert: TLS cannot serve/);
  expect(await servedName(httpsPort)).toBe(foundation.identity.serialNumber);
});

test("files are accepted by their suffix", async () => {
  const { foundation, group } = await start();
  const own = await makeSelfSigned("from-files", foundation.clock.nowMs());
  const folder = join(foundation.stateFolder, "forms");
  await mkdir(folder);
  const file = async (fieldName: string, fileName: string, text: string): Promise<UploadedFile> => {
    const path = join(folder, fileName);
    await writeFile(path, text);
    return { fieldName, fileName, path, size: text.length };
  };
  const keyFile = await file("keyFile", "a.pk", own.keyPem);
  const wrong = [await file("certFile", "a.txt", own.certificatePem), keyFile];
  await expect(callGroup(group, "setHttpServer", { files: wrong })).rejects.toThrow(/^certFile: /);
  const files = [await file("certFile", "a.cer", own.certificatePem), keyFile];
  expect(await dataOf(group, "setHttpServer", { files })).toMatchObject({
    certFileName: "a.cer",
    keyFileName: "a.pk",
  });
});
