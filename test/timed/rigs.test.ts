// Strangers' tools against the rigs and the gateway, and a rack whose broken wire is named.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer } from "node:net";
import { once } from "node:events";
import { execa } from "execa";
import { expect, test } from "vitest";
import { rackproof, startUntil, temporaryFolder } from "../support/commandLine.ts";
import { lacks } from "../support/equipment.ts";

/** Runs the line that the rig itself suggests. */
async function suggested(line: string): Promise<string> {
  const [program = "", ...words] = line.replace(/^Read them with: /, "").split(" ");
  return (await execa(program, words)).stdout;
}

test.skipIf(lacks("mbpoll"))("mbpoll reads Modbus TCP units of the rig", async () => {
  const words = ["rig", "modbus-tcp", "--listen", "127.0.0.1:0", "--units", "7", "--behaviour", "step"];
  await using rig = await startUntil(words, /mbpoll/);
  expect(await suggested(rig.line)).toMatch(/\[1\]:\s+0/);
});

test.skipIf(lacks("mbpoll") || lacks("socat"))(
  "mbpoll reads Modbus RTU units of the rig over a pty",
  async () => {
    await using rig = await startUntil(
      ["rig", "modbus-rtu", "--units", "3", "--behaviour", "step"],
      /mbpoll/,
    );
    expect(await suggested(rig.line)).toMatch(/\[10\]:\s+0/);
  },
);

test("a wrong option of a rig is refused in one line", async () => {
  const { exitCode, stderr } = await rackproof([
    "rig",
    "modbus-tcp",
    "--listen",
    "127.0.0.1:0",
    "--fault",
    "magic",
  ]);
  expect([exitCode, stderr.trim()]).toEqual([
    2,
    expect.stringMatching(/^rackproof: --fault magic: expected one of exception, .* \[RIG_FAULT\]$/),
  ]);
});

test("doctor tries every wire of a rack and names the broken one", async () => {
  await using folder = await temporaryFolder();
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const profile = await readFile(
    new URL("../../rigs/process/reference.profile.yaml", import.meta.url),
    "utf8",
  );
  await writeFile(join(folder.path, "p.yaml"), profile);
  const points = "points: [{ name: level, address: 0, type: uint16 }]";
  const shared = `provider: modbus_tcp_master, pollIntervalMs: 100, ${points}`;
  await writeFile(
    join(folder.path, "rack.yaml"),
    [
      "gateways:",
      "  bench:",
      `    url: http://127.0.0.1:${port}`,
      "    profile: p.yaml",
      "    console: unix:/nonexistent/console",
      `    power: { driver: command, on: ["true"], off: ["true"], read: [echo, "it is on"] }`,
      "    field:",
      `      - { name: plc, kind: modbus-tcp, listen: "127.0.0.1:0", ${shared} }`,
      `      - { name: gone, kind: modbus-tcp, device: "127.0.0.1:1", ${shared} }`,
      "",
    ].join("\n"),
  );
  const { exitCode, stdout } = await rackproof(["doctor", "--rack", join(folder.path, "rack.yaml")], {
    RACKPROOF_PASSWORD: "Doctor-1!",
    NO_COLOR: "1",
  });
  silent.close();
  const lines = stdout.split("\n").map((line) => line.replace(/\s+/g, " "));
  expect(exitCode).toBe(3);
  expect(lines.filter((line) => line.startsWith("broken"))).toEqual([
    expect.stringContaining("console unix:/nonexistent/console"),
    expect.stringContaining("gone: no answer at 127.0.0.1:1"),
  ]);
  expect(lines.filter((line) => line.startsWith("works"))).toHaveLength(4);
});
