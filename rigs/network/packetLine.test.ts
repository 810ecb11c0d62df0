// Real packets over a real TUN device, where this machine can make one.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { openPacketLine, type PacketLine, whyNoPacketLine } from "./packetLine.ts";

const isImpossible = whyNoPacketLine() !== undefined;

async function httpServer(line: PacketLine, bytes: number) {
  const server = createHttpServer((_request, response) => void response.end(Buffer.alloc(bytes, "line")));
  server.listen(0, line.ownAddress);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${line.gatewayAddress}:${port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function fetched(url: string): Promise<{ readonly bytes: number; readonly tookMs: number }> {
  const startedMs = performance.now();
  const body = await (await fetch(url)).arrayBuffer();
  return { bytes: body.byteLength, tookMs: performance.now() - startedMs };
}

test.skipIf(isImpossible)(
  "a download over a line with delay, loss, reordering and repeats is whole, and takes longer",
  async () => {
    await using line = await openPacketLine();
    await using server = await httpServer(line, 200_000);
    const good = await fetched(server.url);
    await line.network.impair?.({ delayMs: 40, lossPercent: 2, reorderPercent: 2, duplicatePercent: 2 });
    const bad = await fetched(server.url);
    expect([good.bytes, bad.bytes]).toEqual([200_000, 200_000]);
    // There and back once for the request, at the least.
    expect(bad.tookMs).toBeGreaterThan(80);
    await line.network.restore();
    expect((await fetched(server.url)).bytes).toBe(200_000);
  },
);

test.skipIf(isImpossible)(
  "packets above the size of a black hole stop a download; without it the download continues",
  async () => {
    await using line = await openPacketLine();
    await using server = await httpServer(line, 20_000);
    await line.network.impair?.({ largestBytes: 1000 });
    const download = fetched(server.url);
    const isStopped = Symbol("stopped");
    const later = new Promise<symbol>((resolve) => setTimeout(() => resolve(isStopped), 500));
    expect(await Promise.race([download, later])).toBe(isStopped);
    await line.network.restore();
    expect((await download).bytes).toBe(20_000);
  },
);

test.skipIf(isImpossible)(
  "a closed port is refused across the line, and a cut line answers nothing",
  async () => {
    await using line = await openPacketLine();
    const refused = connect({ host: line.gatewayAddress, port: 9 });
    const [error] = (await once(refused, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNREFUSED");
    await line.network.cut();
    const silent = connect({ host: line.gatewayAddress, port: 9, timeout: 300 });
    silent.on("error", () => undefined);
    expect(await Promise.race([once(silent, "timeout"), once(silent, "error")])).toEqual([]);
    silent.destroy();
  },
);
