// Upgrade jobs against a real server and real files: a restart in the middle, an uploaded package, client certificates.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import type { TLSSocket } from "node:tls";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../base/clock.ts";
import type { Foundation } from "../../foundation/gateway.ts";
import { callGroup, dataOf, testFoundation } from "../../testing/foundation.ts";
import { makeSelfSigned } from "../../tls/selfSigned.ts";
import { packageChecks } from "../../slots/systemPackage.ts";
import { openSlots } from "../../slots/systemSlots.ts";
import { createUpgrade, type Upgrade } from "./upgrade.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const content = Buffer.alloc(400_000, "firmware ");

interface Booted extends AsyncDisposable {
  readonly upgrade: Upgrade;
  readonly raised: number[];
  readonly installed: string[];
}

/** The group on the folder's database, as after a boot, with the real clock. */
async function boot(): Promise<Booted> {
  const foundation = testFoundation(folder);
  const installed: string[] = [];
  const real: Foundation = { ...foundation, clock: systemClock };
  const upgrade = createUpgrade(real, {
    isSnapshotSupported: true,
    onInstalled: (version) => void installed.push(version),
    systems: {
      slots: openSlots(join(folder, "slots"), systemClock),
      checks: packageChecks,
      trialOf: undefined,
      untilHealthy: Promise.resolve(),
    },
  });
  await upgrade.start?.();
  return {
    upgrade,
    raised: foundation.raised,
    installed,
    async [Symbol.asyncDispose]() {
      await upgrade[Symbol.asyncDispose]();
      foundation[Symbol.dispose]();
    },
  };
}

interface SeenJob {
  readonly state: string;
  readonly errorMessage?: string;
  readonly tasks: readonly { readonly progress: number }[];
}

async function jobOf({ upgrade }: Booted): Promise<SeenJob> {
  return (await dataOf(upgrade, "getUpgradeJob", { path: { id: "1" } })) as SeenJob;
}

const untilState = (booted: Booted, state: string): Promise<void> =>
  vi.waitFor(async () => expect(await jobOf(booted)).toMatchObject({ state }), {
    timeout: 8000,
    interval: 20,
  });

async function serve(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/software.bin`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

test("a download that a restart interrupts continues by a range request and completes", async () => {
  const ranges: (string | undefined)[] = [];
  await using server = await serve((request, response) => {
    ranges.push(request.headers.range);
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const head = {
      "content-length": content.length - from,
      "content-range": `bytes ${from}-${content.length - 1}/${content.length}`,
    };
    response.writeHead(from === 0 ? 200 : 206, head);
    // The first request stalls in the middle, so that the restart finds a part.
    if (ranges.length === 1) response.write(content.subarray(0, 150_000));
    else response.end(content.subarray(from));
  });
  {
    await using first = await boot();
    await callGroup(first.upgrade, "createUpgradeJob", { body: { url: server.url, download: true } });
    const part = join(folder, "upgrades/1.package");
    await vi.waitFor(async () => expect((await stat(part)).size).toBe(150_000), {
      timeout: 8000,
      interval: 20,
    });
    expect((await jobOf(first)).tasks[0]?.progress).toBe(37);
  }
  await using second = await boot();
  await untilState(second, "succeed");
  expect(ranges).toEqual([undefined, "bytes=150000-"]);
  expect((await readFile(join(folder, "upgrades/1.package"))).equals(content)).toBe(true);
  expect(second.raised).toContain(56);
});

test("an uploaded package is installed, and its version is reported", async () => {
  const text = "the program";
  const sha256 = createHash("sha256").update(text).digest("hex");
  const tar = pack();
  tar.entry(
    { name: "manifest.json" },
    JSON.stringify({
      name: "software",
      version: "2.0.0",
      model: "RP-1000",
      files: [{ path: "run", sha256 }],
    }),
  );
  tar.entry({ name: "files/run" }, text);
  tar.finalize();
  const path = join(folder, "uploaded");
  await writeFile(path, gzipSync(await buffer(tar)));
  await using booted = await boot();
  await callGroup(booted.upgrade, "createUpgradeJob", {
    body: { install: true, snapshot: true },
    files: [{ fieldName: "file", fileName: "software.tar.gz", path, size: 1 }],
  });
  await untilState(booted, "succeed");
  expect(booted.installed).toEqual(["2.0.0"]);
  expect(await readFile(join(folder, "software/run"), "utf8")).toBe(text);
  expect(booted.raised).toContain(60);
});

test("an invalid package fails the job, does not change the software and is recorded", async () => {
  const path = join(folder, "uploaded");
  await writeFile(path, "no package");
  await using booted = await boot();
  await callGroup(booted.upgrade, "createUpgradeJob", {
    body: { install: true },
    files: [{ fieldName: "file", fileName: "x.tar.gz", path, size: 10 }],
  });
  await untilState(booted, "failed");
  expect((await jobOf(booted)).errorMessage).toMatch(/header/);
  expect(booted.installed).toEqual([]);
  expect(booted.raised).toContain(58);
});

test("a server that asks for a client certificate gets the configured one", async () => {
  const own = await makeSelfSigned("localhost", Date.now());
  const names: unknown[] = [];
  const server = createTlsServer(
    { cert: own.certificatePem, key: own.keyPem, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      names.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
      response.end(content);
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await using booted = await boot();
    await callGroup(booted.upgrade, "setUpgradeConfiguration", {
      body: {
        enableClientAuth: true,
        ca: own.certificatePem,
        cert: own.certificatePem,
        key: own.keyPem,
        retryCount: 1,
        retryInterval: 0,
      },
    });
    const url = `https://localhost:${(server.address() as AddressInfo).port}/software.bin`;
    await callGroup(booted.upgrade, "createUpgradeJob", { body: { url, download: true } });
    await vi.waitFor(() => expect(names.length).toBeGreaterThan(0), { timeout: 8000 });
    expect(names[0]).toBe("localhost");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
