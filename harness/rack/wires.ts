// The wires of a rack: only one run at a time can use each. Gateways that share one run one after another.
import { resolve } from "node:path";
import { makeSwitch } from "../../rigs/index.ts";
import { isPlaceConsole } from "./consoleSource.ts";
import type { FieldEntry } from "./fieldEntries.ts";
import type { RackGateway } from "./rackFile.ts";

/** The wires of a gateway by names that mean the same in every rack file of this machine. */
export function wiresOf(gateway: RackGateway, rackFile: string): string[] {
  if (gateway.kind !== "remote") return [`gateway ${resolve(rackFile)} ${gateway.name}`];
  const { url, console, power, reset, network, timeServer, field = [], labgrid } = gateway;
  const place =
    labgrid?.place === undefined
      ? undefined
      : { coordinator: labgrid.coordinator, place: labgrid.place, holder: "" };
  const wires = [
    `gateway ${new URL(url).origin}`,
    // The place comprises its console and its switches.
    ...(place === undefined ? [] : [`place ${place.place}`]),
    ...(console === undefined || isPlaceConsole(console) ? [] : [consoleWire(console)]),
    ...[power, reset].flatMap((settings) =>
      settings === undefined ? [] : [makeSwitch(settings, { place }).wire],
    ),
    ...(network === undefined ? [] : [`network ${network.cut.join(" ")}`]),
    ...field.flatMap(deviceName),
    ...(timeServer === undefined ? [] : [`time server ${timeServer}`]),
  ];
  return [...new Set(wires)];
}

/** The name of a console's wire, at whatever speed it is read. */
export function consoleWire(source: string): string {
  return `console ${source.replace(/@\d+$/, "")}`;
}

/** A device that is started for the run at a free address is no wire. */
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
