import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test, vi } from "vitest";
import { boundToParent } from "../host/boundChild.ts";
import { hasSocat, openPtyPair } from "../serial/ptyPair.ts";
import { openConsole } from "./console.ts";
import { openWire, parseConsoleSource } from "./source.ts";

/** A device's console behind a socket. */
async function device(where: { path: string } | { port: number }): Promise<{
  readonly sockets: Socket[];
  readonly port: number;
  readonly close: () => Promise<void>;
}> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    sockets.push(socket);
  });
  server.listen("path" in where ? { path: where.path } : { port: where.port, host: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  return {
    sockets,
    port: typeof address === "object" && address !== null ? address.port : 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

test("lines are stamped, characters survive the borders of chunks, and troubles are alarms", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  const path = join(folder, "console");
  const there = await device({ path });
  await using console = await openConsole({ kind: "unix", path });
  await vi.waitFor(() => expect(there.sockets).toHaveLength(1));
  const bytes = Buffer.from("grüße\r\nKernel panic - not syncing\nlogin: ");
  there.sockets[0]?.write(bytes.subarray(0, 3));
  await vi.waitFor(() => expect(console.openLine).toBe("gr"));
  there.sockets[0]?.write(bytes.subarray(3));
  await console.expect(/login: $/, { deadlineMs: 2000, sinceLine: 0 });
  expect(console.lines.map(({ text }) => text)).toEqual(["grüße", "Kernel panic - not syncing"]);
  expect(console.alarms.map(({ pattern }) => pattern)).toEqual(["Kernel panic"]);
  const [first, second] = console.lines;
  expect((second?.monotonicMs ?? 0) >= (first?.monotonicMs ?? Infinity)).toBe(true);
  await there.close();
  await rm(folder, { recursive: true });
});

test("signing in sends the password and keeps it out of the record", async () => {
  const there = await device({ port: 0 });
  await using console = await openConsole({ kind: "tcp", host: "127.0.0.1", port: there.port });
  await vi.waitFor(() => expect(there.sockets).toHaveLength(1));
  const [socket] = there.sockets;
  const heard: string[] = [];
  socket?.on("data", (chunk) => {
    const text = String(chunk);
    heard.push(text);
    if (text === "\n") socket.write("\r\ngateway login: ");
    else if (text === "root\n") socket.write("\r\nPassword: ");
    else if (text === "s3cret\n") socket.write("\r\ns3cret\r\nwelcome\r\n# ");
  });
  await console.login({ user: "root", password: "s3cret" }, 2000);
  expect(heard).toEqual(["\n", "root\n", "s3cret\n"]);
  const record = console.chunks
    .filter(({ direction }) => direction === "sent")
    .map(({ bytes }) => String(bytes));
  expect([...record, ...console.lines.map(({ text }) => text)].join()).not.toContain("s3cret");
  await there.close();
});

test("a missing line is reported with the pattern and the last lines", async () => {
  const there = await device({ port: 0 });
  await using console = await openConsole({ kind: "tcp", host: "127.0.0.1", port: there.port });
  await vi.waitFor(() => expect(there.sockets).toHaveLength(1));
  there.sockets[0]?.write("booting\n");
  await expect(console.expect(/ready/, { deadlineMs: 100 })).rejects.toThrow(
    /expected \/ready\/ .* 100 ms; .*booting/,
  );
  await there.close();
  await expect(openWire({ kind: "tcp", host: "127.0.0.1", port: there.port })).rejects.toThrow(
    "cannot be opened",
  );
});

test("a console is recorded again after a lost connection", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  const path = join(folder, "console");
  const first = await device({ path });
  await using console = await openConsole({ kind: "unix", path });
  await vi.waitFor(() => expect(first.sockets).toHaveLength(1));
  first.sockets[0]?.write("before\n");
  await console.expect(/before/, { deadlineMs: 2000, sinceLine: 0 });
  await first.close();
  const second = await device({ path });
  await vi.waitFor(() => expect(second.sockets).toHaveLength(1), { timeout: 3000 });
  second.sockets[0]?.write("after\n");
  await console.expect(/after/, { deadlineMs: 2000, sinceLine: 0 });
  const [gap] = console.gaps;
  expect(console.gaps).toHaveLength(1);
  expect((gap?.until?.monotonicMs ?? 0) - (gap?.from.monotonicMs ?? Infinity)).toBeGreaterThan(0);
  await second.close();
  await rm(folder, { recursive: true });
});

test("telnet options are refused and are no part of the text", async () => {
  const there = await device({ port: 0 });
  await using console = await openConsole({ kind: "tcp", host: "127.0.0.1", port: there.port, telnet: true });
  await vi.waitFor(() => expect(there.sockets).toHaveLength(1));
  const [socket] = there.sockets;
  const replies: Buffer[] = [];
  socket?.on("data", (chunk) => replies.push(chunk));
  socket?.write(
    Buffer.from([0xff, 0xfd, 0x2c, 0x68, 0xff, 0xfa, 0x2c, 0x01, 0xff, 0xf0, 0x69, 0xff, 0xff, 0x0a]),
  );
  await vi.waitFor(() => expect(console.lines).toHaveLength(1));
  expect(Buffer.concat(console.chunks.map(({ bytes }) => bytes))).toEqual(
    Buffer.from([0x68, 0x69, 0xff, 0x0a]),
  );
  await vi.waitFor(() => expect(Buffer.concat(replies)).toEqual(Buffer.from([0xff, 0xfc, 0x2c])));
  await there.close();
});

test("sources are written as words", () => {
  expect(parseConsoleSource("/dev/ttyUSB0@9600")).toEqual({
    kind: "serial",
    path: "/dev/ttyUSB0",
    baudRate: 9600,
  });
  expect(parseConsoleSource("rfc2217:rack:2001")).toEqual({
    kind: "tcp",
    host: "rack",
    port: 2001,
    telnet: true,
  });
  expect(() => parseConsoleSource("tcp:rack")).toThrow("expected tcp:HOST:PORT");
});

const hasNoLine = !hasSocat() && !(process.env["RACKPROOF_REQUIRE"] ?? "").includes("socat");

test.skipIf(hasNoLine)("a serial port is read and written", async () => {
  await using pair = await openPtyPair();
  await using near = await openConsole({ kind: "serial", path: pair.near, baudRate: 115_200 });
  await using far = await openConsole({ kind: "serial", path: pair.far, baudRate: 115_200 });
  near.send("hello\n");
  expect(await far.expect(/hello/, { deadlineMs: 2000, sinceLine: 0 })).toMatchObject({ text: "hello" });
});

/** An adapter at a path of its own; unplugging removes the path. */
async function plugIn(path: string) {
  const [program, ...words] = boundToParent(["socat", `pty,raw,echo=0,link=${path}`, "STDIO"]);
  const child = execa(program, words, { reject: false });
  await vi.waitFor(() => stat(path), { timeout: 5000, interval: 10 });
  return {
    print: (text: string) => void child.stdin.write(text),
    async unplug() {
      child.kill("SIGTERM");
      await child;
    },
  };
}

test.skipIf(hasNoLine)(
  "an adapter that is unplugged and plugged in again is recorded further, and the record has the gap",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
    const path = join(folder, "ttyUSB0");
    const first = await plugIn(path);
    await using console = await openConsole({ kind: "serial", path, baudRate: 115_200 });
    first.print("boot 1\nhalf a li");
    await console.expect(/half a li/, { deadlineMs: 5000, sinceLine: 0 });
    await first.unplug();
    await vi.waitFor(() => expect(console.gaps).toHaveLength(1), { timeout: 5000 });
    expect(() => console.send("uname\n")).toThrow(
      /ttyUSB0: lost since \d{4}-.*Z\. Fix: plug the adapter in again/,
    );
    const second = await plugIn(path);
    await vi.waitFor(() => expect(console.gaps[0]?.until).toBeDefined(), { timeout: 5000 });
    second.print("boot 2\n");
    await console.expect(/boot 2/, { deadlineMs: 5000, sinceLine: 0 });
    expect(console.lines.map(({ text, isRemark = false }) => [text, isRemark])).toEqual([
      ["boot 1", false],
      ["half a li", false],
      ["[rackproof: console lost]", true],
      [expect.stringMatching(/^\[rackproof: console open again after \d+\.\d s\]$/), true],
      ["boot 2", false],
    ]);
    // What the recorder remarks is no line of the gateway.
    await expect(console.expect(/rackproof/, { deadlineMs: 20, sinceLine: 0 })).rejects.toThrow(
      "expected /rackproof/",
    );
    await second.unplug();
    await rm(folder, { recursive: true });
  },
);
