import { expect, test } from "vitest";
import { parseRack, type RackGateway } from "./rackFile.ts";
import { wiresOf } from "./wires.ts";
import { without } from "./without.ts";

const points = "points: [{ name: level, address: 0, type: uint16 }]";
const shared = `provider: modbus_tcp_master, pollIntervalMs: 100, ${points}`;
const [left, right, started] = parseRack(
  `gateways:
  left:
    url: https://192.0.2.10/core
    profile: p.yaml
    console: /dev/ttyUSB0@9600
    login: { user: root, passwordEnvironment: LAB }
    power: { driver: modbus-coil, host: 192.0.2.20, port: 502, unit: 1, coil: 3 }
    reset: { driver: serial-relay, path: /dev/ttyUSB7, baudRate: 9600, on: "01", off: "00" }
    field:
      - { name: plc, kind: modbus-tcp, listen: "192.0.2.1:1502", ${shared} }
      - { name: any, kind: modbus-tcp, listen: "127.0.0.1:0", ${shared} }
      - { name: line, kind: modbus-rtu, port: pty, ${shared} }
  right:
    url: https://192.0.2.11
    profile: p.yaml
    console: /dev/ttyUSB0@115200
    power: { driver: modbus-coil, host: 192.0.2.20, port: 502, unit: 1, coil: 4 }
  started: { kind: process }
`,
  "/lab/rack.yaml",
) as [RackGateway, RackGateway, RackGateway];

test("a wire has one name, however it is used; what is made for the run is none", () => {
  expect(wiresOf(left, "rack.yaml")).toEqual([
    "gateway https://192.0.2.10",
    "console /dev/ttyUSB0",
    "switch 192.0.2.20:502 unit 1 coil 3",
    "port /dev/ttyUSB7",
    "device 192.0.2.1:1502",
  ]);
  // One power strip serves both at once, one serial port does not.
  const both = wiresOf(right, "rack.yaml").filter((wire) => wiresOf(left, "rack.yaml").includes(wire));
  expect(both).toEqual(["console /dev/ttyUSB0"]);
  expect(wiresOf(started, "/lab/rack.yaml")).toEqual(["gateway /lab/rack.yaml started"]);
});

test("a part is left out by its name, and an unknown one is answered with those there are", () => {
  const less = without(left, ["console", "field plc"]);
  expect(less).not.toHaveProperty("console");
  expect(less).not.toHaveProperty("login");
  expect(wiresOf(less, "rack.yaml")).toEqual([
    "gateway https://192.0.2.10",
    "switch 192.0.2.20:502 unit 1 coil 3",
    "port /dev/ttyUSB7",
  ]);
  expect(() => without(right, ["field plc"])).toThrow("--without field plc: right has only console, power");
  expect(() => without(started, ["power"])).toThrow("started has no part that can be omitted");
});
