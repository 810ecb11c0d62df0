// What of a rack only one run at a time can use. Gateways that share any of it run one after another.
import { resolve } from "node:path";
import type { SwitchSettings } from "../../rigs/index.ts";
import type { FieldEntry } from "./fieldEntries.ts";
import type { RackGateway } from "./rackFile.ts";

/** The wires of a gateway by names that mean the same in every rack file of this machine. */
export function wiresOf(gateway: RackGateway, rackFile: string): string[] {
  if (gateway.kind !== "remote") return [`gateway ${resolve(rackFile)} ${gateway.name}`];
  const { url, console, power, reset, field = [] } = gateway;
  const wires = [
    `gateway ${new URL(url).origin}`,
    ...(console === undefined ? [] : [consoleWire(console)]),
    ...(power === undefined ? [] : [switchName(power)]),
    ...(reset === undefined ? [] : [switchName(reset)]),
    ...field.flatMap(deviceName),
  ];
  return [...new Set(wires)];
}

/** The name of a console's wire, at whatever speed it is read. */
export function consoleWire(source: string): string {
  return `console ${source.replace(/@\d+$/, "")}`;
}

function switchName(settings: SwitchSettings): string {
  switch (settings.driver) {
    case "command":
      return `switch ${settings.on.join(" ")}`;
    case "modbus-coil":
      return `switch ${settings.host}:${settings.port} unit ${settings.unit} coil ${settings.coil}`;
    case "serial-relay":
      // The port can be opened once, whatever relay of the board it is about.
      return `port ${settings.path}`;
    case "http":
      return `switch ${settings.on.method ?? "POST"} ${settings.on.url} ${settings.on.body ?? ""}`.trim();
    case "labgrid":
      return `place ${settings.place}`;
  }
}

/** A device that is made for the run, at an address that nobody else has, is no wire. */
function deviceName(entry: FieldEntry): string[] {
  switch (entry.kind) {
    case "modbus-tcp":
      return addressName(entry.device ?? entry.listen);
    case "modbus-rtu":
      return entry.port === "pty" ? [] : [`port ${entry.port}`];
    case "opcua":
      return entry.endpoint === undefined ? addressName(entry.listen) : [`device ${entry.endpoint}`];
  }
}

function addressName(address: string | undefined): string[] {
  return address === undefined || address.endsWith(":0") ? [] : [`device ${address}`];
}
