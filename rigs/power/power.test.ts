import { once } from "node:events";
import { createServer } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startModbusTcpServer } from "../modbus/tcpServer.ts";
import { openConsole } from "../console/console.ts";
import { hasSocat, openPtyPair } from "../serial/ptyPair.ts";
import { provenPower } from "./power.ts";
import type { Switch } from "./driver.ts";
import { makeSwitch } from "./switch.ts";

test("a command switches, and is asked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  const file = join(folder, "state");
  const write = (text: string): string[] => [
    process.execPath,
    "-e",
    "require('fs').writeFileSync(process.argv[1], process.argv[2])",
    file,
    text,
  ];
  const power = makeSwitch({ driver: "command", on: write("on"), off: write("off"), read: ["cat", file] });
  await power.set(true);
  expect([await readFile(file, "utf8"), await power.read?.()]).toEqual(["on", true]);
  await power.set(false);
  expect(await power.read?.()).toBe(false);
  await rm(folder, { recursive: true });
});

test("a relay coil and an HTTP outlet switch, and are asked", async () => {
  const point = {
    id: "relay",
    device: "relay",
    tag: { provider: "p", source: "relay", tag: "coil" },
    dataType: "boolean",
    dataSizeBytes: 1,
    access: "rw",
    pollIntervalMs: 100,
    at: { kind: "modbus", unit: 3, table: "coils", address: 8, quantity: 1, order: "ABCD" },
  } as const;
  await using relay = await startModbusTcpServer({ name: "relay", points: [point] });
  const port = Number(relay.address.split(":")[1]);
  const coil = makeSwitch({ driver: "modbus-coil", host: "127.0.0.1", port, unit: 3, coil: 8 });
  await coil.set(true);
  expect([await relay.get(point), await coil.read?.()]).toEqual([true, true]);

  let state = "off";
  const server = createServer((request, response) => {
    if (request.method === "POST") state = request.url === "/on" ? "on" : "off";
    response.end(`power is ${state}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const outlet = makeSwitch({
    driver: "http",
    on: { url: `${base}/on` },
    off: { url: `${base}/off` },
    read: { url: base },
    isOn: "is on",
  });
  await outlet.set(true);
  expect([state, await outlet.read?.()]).toEqual(["on", true]);
  const hollow = makeSwitch({
    driver: "command",
    on: ["true"],
    off: ["true"],
    read: ["echo", "no connection"],
  });
  expect(await hollow.read?.()).toBe(false);
  server.close();
  server.closeAllConnections();
});

test.skipIf(!hasSocat() && !(process.env["RACKPROOF_REQUIRE"] ?? "").includes("socat"))(
  "a serial relay is sent its bytes",
  async () => {
    await using pair = await openPtyPair();
    await using far = await openConsole({ kind: "serial", path: pair.far, baudRate: 9600 });
    const relay = makeSwitch({
      driver: "serial-relay",
      path: pair.near,
      baudRate: 9600,
      on: "6f6e0a",
      off: "6f66660a",
    });
    const received = (): string[] => far.lines.map(({ text }) => text);
    await relay.set(true);
    // Opening a pseudo-terminal again drops bytes that socat has not read yet.
    await expect.poll(received, { timeout: 5000 }).toEqual(["on"]);
    await relay.set(false);
    await expect.poll(received, { timeout: 5000 }).toEqual(["on", "off"]);
  },
);

test("an unreachable switch, a misreporting switch and a silent gateway are distinguished", async () => {
  const outcome = async (
    power: Switch,
    life: { alive: boolean; dead: boolean },
    isOn: boolean,
  ): Promise<string> => {
    const control = provenPower({
      power,
      confirmWithinMs: 200,
      life: { isAlive: () => Promise.resolve(life.alive), isDead: () => Promise.resolve(life.dead) },
    });
    return (isOn ? control.restore() : control.cut()).then(
      () => "done",
      (thrown: { outcome: string }) => thrown.outcome,
    );
  };
  let state = true;
  const honest: Switch = {
    name: "honest",
    set: (isOn) => Promise.resolve(void (state = isOn)),
    read: () => Promise.resolve(state),
  };
  const stuck: Switch = { ...honest, set: () => Promise.resolve() };
  const away = makeSwitch({ driver: "command", on: ["/nonexistent/on"], off: ["/nonexistent/off"] });
  expect(await outcome(honest, { alive: false, dead: true }, false)).toBe("done");
  expect(await outcome(honest, { alive: true, dead: false }, false)).toBe("switch-unconfirmed");
  expect(await outcome(stuck, { alive: true, dead: true }, true)).toBe("switch-unconfirmed");
  expect(await outcome(honest, { alive: false, dead: true }, true)).toBe("gateway-silent");
  expect(await outcome(away, { alive: true, dead: true }, true)).toBe("switch-unreachable");
});
