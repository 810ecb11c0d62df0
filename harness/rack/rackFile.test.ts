import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { checker } from "../../interface/schema/validate.ts";
import { switchProblem, SwitchSettings } from "../../rigs/index.ts";
import { pointsOf } from "./fieldEntries.ts";
import { startFieldRack } from "./fieldRack.ts";
import { find, parseRack } from "./rackFile.ts";

const text = "gateways:\n  left:\n    url: http://192.0.2.1\n    profile: ../profiles/left.yaml\n";
const field = `${text}    field:
      - name: plc
        kind: modbus-tcp
        listen: 127.0.0.1:1502
        provider: modbus_tcp_master
        pollIntervalMs: 100
        points:
          - { name: level, unit: 2, table: input-registers, address: 10, type: float, order: CDAB }
          - { name: part, address: 100, type: uint32, count: 2, access: rw }
`;

test("a gateway is found by its name, its profile beside the rack file", () => {
  expect(find(parseRack(text, "/lab/racks/a.yaml"), "a.yaml", "left")).toEqual({
    kind: "remote",
    name: "left",
    url: "http://192.0.2.1",
    profileFile: "/lab/profiles/left.yaml",
  });
});

test("a gateway may be started for the run, with options of its own", () => {
  const rack =
    "gateways:\n  one: { kind: process, options: [--no-snapshot] }\n  two: { kind: qemu, field: embedded, arch: arm64 }\n";
  expect(parseRack(rack, "/lab/a.yaml")).toEqual([
    { kind: "process", name: "one", options: ["--no-snapshot"] },
    { kind: "qemu", name: "two", field: "embedded", arch: "arm64" },
  ]);
});

test("a device names the app or the service of the gateway that polls it", async () => {
  const [gateway] = parseRack(
    field
      .replace("listen: 127.0.0.1:1502", "listen: 127.0.0.1:0")
      .replace("pollIntervalMs: 100", "pollIntervalMs: 100\n        polledBy: { app: poller }"),
    "a.yaml",
  );
  if (gateway?.kind !== "remote") throw new Error("no gateway");
  await using rack = await startFieldRack(gateway.field ?? []);
  expect(rack.devices.map(({ polledBy }) => polledBy)).toEqual([{ app: "poller" }]);
  expect(await rack.devices[0]?.check()).toMatchObject([{ ok: true }, { ok: true }]);
});

test("points are tags and the registers behind them", () => {
  const [gateway] = parseRack(field, "a.yaml");
  const points = (gateway?.kind === "remote" ? (gateway.field ?? []) : []).flatMap(pointsOf);
  expect(points.map(({ id, at, access, dataSizeBytes }) => [id, at, access, dataSizeBytes])).toEqual([
    [
      "plc/level",
      { kind: "modbus", unit: 2, table: "input-registers", address: 10, quantity: 2, order: "CDAB" },
      "r",
      4,
    ],
    [
      "plc/part1",
      { kind: "modbus", unit: 1, table: "holding-registers", address: 100, quantity: 2, order: "ABCD" },
      "rw",
      4,
    ],
    [
      "plc/part2",
      { kind: "modbus", unit: 1, table: "holding-registers", address: 102, quantity: 2, order: "ABCD" },
      "rw",
      4,
    ],
  ]);
});

test.each([
  [
    "gateways:\n  left:\n    url: 192.0.2.1\n    profile: p\n",
    /rack a\.yaml:3: gateways\.left\.url: expected /,
  ],
  [
    "gateways:\n  left:\n    url: http://x\n    profile: p\n    colour: red\n",
    /rack a\.yaml:5: gateways\.left\.colour: /,
  ],
  [
    field.replace("address: 10, ", ""),
    /rack a\.yaml:6: plc\/level: a point of a Modbus device needs its address/,
  ],
  [
    "gateways:\n  one:\n    kind: boat\n",
    /rack a\.yaml:3: gateways\.one\.kind: expected one of process, container/,
  ],
  [
    "gateways:\n  one:\n    kind: qemu\n    options: [--x]\n",
    /rack a\.yaml:4: one: only a gateway of kind process takes options/,
  ],
  [
    "gateways:\n  one:\n    kind: process\n    arch: arm64\n",
    /rack a\.yaml:4: one: only a gateway of kind qemu has a choice of processor/,
  ],
  [
    `${text}    power: { driver: magic }\n`,
    /rack a\.yaml:5: gateways\.left\.power\.driver: expected one of command, /,
  ],
  [
    `${text}    power: { driver: modbus-coil, host: h, prot: 502, unit: 1, coil: 2 }\n`,
    /rack a\.yaml:5: gateways\.left\.power\.prot: unknown field; did you mean port\?/,
  ],
  [
    `${text}    power: { driver: snmp, host: h, outlet: 3, model: apc-rpdu }\n`,
    /rack a\.yaml:5: left: expected communityEnvironment or v3, found neither/,
  ],
  [
    `${text}    power: { driver: shelly, url: "http://h", relais: 1 }\n`,
    /rack a\.yaml:5: gateways\.left\.power\.relais: unknown field; did you mean relay\?/,
  ],
  [
    `${text}    power: { driver: snmp, host: h, outlet: 3, model: acp-rpdu, communityEnvironment: C }\n`,
    /rack a\.yaml:5: gateways\.left\.power\.model: expected one of apc-rpdu, apc-rpdu2, .*found string "acp-rpdu"/,
  ],
  [
    field.replace("pollIntervalMs: 100", "pollIntervalMs: 100\n        source: plc"),
    /rack a\.yaml:11: gateways\.left\.field\.0\.source: unknown field; points have `source`/,
  ],
  [
    field.replace("unit: 2,", "unit: 2, listen: 127.0.0.1:1,"),
    /gateways\.left\.field\.0\.points\.0\.listen: unknown field; gateways\.left\.field\.0 has `listen`/,
  ],
  [
    field.replace("listen: 127.0.0.1:1502", "listen: 1502"),
    /rack a\.yaml:8: gateways\.left\.field\.0\.listen: expected string/,
  ],
  [
    field.replace("modbus-tcp", "modbus"),
    /field\.0\.kind: expected one of modbus-tcp, modbus-rtu, opcua, found string "modbus"/,
  ],
  [
    field.replace("        kind: modbus-tcp\n", ""),
    /field\.0\.kind: expected one of modbus-tcp, modbus-rtu, opcua, found nothing: the field is missing/,
  ],
  [
    field.replace(
      "pollIntervalMs: 100",
      "pollIntervalMs: 100\n        polledBy: { service: modbusmaster, app: b }",
    ),
    /rack a\.yaml:11: plc: expected service or app, found service and app/,
  ],
  [field.replace("points:", "pionts:"), /field\.0\.pionts: unknown field; did you mean points\?/],
])("a wrong rack file is an error with its place: %j", (wrong, message) => {
  expect(() => parseRack(wrong, "a.yaml")).toThrow(message);
});

test("an unknown name is answered with those there are", () => {
  expect(() => find(parseRack(text, "a.yaml"), "a.yaml", "right")).toThrow(
    "rack a.yaml: no gateway right; found left",
  );
});

test("every driver has an example line in the guide, and every example line is valid", async () => {
  const guide = await readFile(new URL("../../docs/rack.md", import.meta.url), "utf8");
  const lines = [...guide.matchAll(/^\|.*?`(power: \{ driver: .*?\})`/gm)].map(([, line = ""]) => line);
  const problemsOf = checker(SwitchSettings);
  const examples = lines.map((line) => (parse(line) as { readonly power: SwitchSettings }).power);
  expect(examples.flatMap((one) => [...problemsOf(one), switchProblem(one) ?? []].flat())).toEqual([]);
  const used = examples.map(({ driver }) => driver);
  const drivers = SwitchSettings.anyOf.map(({ properties }) => properties.driver.const);
  expect(new Set(used)).toEqual(new Set(drivers));
});
