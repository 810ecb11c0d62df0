// The configuration with which the reference gateway is delivered, to poll the field devices of a rack. Other gateways
// are set up by their own means, and the rack file describes the result.
import type { FieldDevice, FieldRack } from "../field/device.ts";
import type { FieldPoint, OpcuaAddress } from "../field/point.ts";

/** How the gateway reaches this machine, and where it serves the plant. */
export interface DeliveryOptions {
  /** Host under which the gateway finds listeners of this machine's loopback; default the address of the devices. */
  readonly hostAddress?: string;
  /** Path of the serial port inside the gateway, where it differs from the one outside. */
  readonly serialPort?: string;
  readonly modbusSlave?: { readonly port: number; readonly unitId: number };
  readonly opcuaServerPort?: number;
  /** How often OPC UA servers publish to it; default 20. */
  readonly publishingIntervalMs?: number;
  /** How long the gateway waits for a device's answer; default 1200. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 1200;
const defaultPublishingIntervalMs = 20;
const baudRate = 115_200;

/** Sections by `app/section`, as the reference gateway's option `--delivered` takes them. */
export function deliveredSections(
  { devices }: FieldRack,
  options: DeliveryOptions = {},
): Record<string, unknown> {
  const modbus = devices.filter(({ kind }) => kind !== "opcua");
  const { modbusSlave, opcuaServerPort } = options;
  const shown = modbus.flatMap(({ points }) => points).find(({ dataType }) => dataType === "uint32");
  return {
    "modbusmaster/general": { devices: modbus.flatMap((device) => modbusDevices(device, options)) },
    "opcuaclient/general": {
      connections: devices
        .filter(({ kind }) => kind === "opcua")
        .map((device) => opcuaConnection(device, options)),
    },
    ...(modbusSlave === undefined
      ? {}
      : {
          "modbusslave/general": {
            enable: true,
            ...modbusSlave,
            registers: shown === undefined ? [] : [{ address: 0, ...shown.tag }],
          },
        }),
    ...(opcuaServerPort === undefined
      ? {}
      : {
          "opcuaserver/general": {
            enable: true,
            port: opcuaServerPort,
            security: ["None", "Basic256Sha256"],
            allowAnonymous: true,
          },
        }),
  };
}

/** Each source of a wire is one device of the gateway: a unit behind a TCP port, or on a serial line. */
function modbusDevices(device: FieldDevice, options: DeliveryOptions): object[] {
  const bySource = Map.groupBy(device.points, ({ tag }) => tag.source);
  return [...bySource].map(([name, points]) => ({
    name,
    transport: transportOf(device, options),
    unitId: points[0]?.at.kind === "modbus" ? points[0].at.unit : 1,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    commands: points.flatMap(commandOf),
  }));
}

function transportOf({ kind, address }: FieldDevice, { hostAddress, serialPort }: DeliveryOptions): object {
  if (kind === "modbus-rtu") return { kind: "serial", port: serialPort ?? address, baudRate };
  const colon = address.lastIndexOf(":");
  return {
    kind: "tcp",
    host: hostAddress ?? address.slice(0, colon),
    port: Number(address.slice(colon + 1)),
  };
}

function commandOf({ at, tag, dataType, access, pollIntervalMs }: FieldPoint): object[] {
  if (at.kind !== "modbus") return [];
  const { table, address, quantity, order } = at;
  return [{ name: tag.tag, table, address, quantity, dataType, order, access, pollIntervalMs }];
}

function opcuaConnection(
  { name, address, points }: FieldDevice,
  { hostAddress, publishingIntervalMs }: DeliveryOptions,
): object {
  const endpoint = hostAddress === undefined ? address : address.replace(/\/\/[^:/]+/, `//${hostAddress}`);
  const isNode = (point: FieldPoint): point is FieldPoint & { at: OpcuaAddress } => point.at.kind === "opcua";
  return {
    name: points[0]?.tag.source ?? name,
    enable: true,
    endpoint,
    security: "None",
    publishingIntervalMs: publishingIntervalMs ?? defaultPublishingIntervalMs,
    nodes: points.filter(isNode).map(({ at, tag, dataType, dataSizeBytes, access }) => ({
      name: tag.tag,
      nodeId: at.nodeId,
      dataType,
      dataSize: dataSizeBytes,
      access,
      dataUnit: "",
      samplingIntervalMs: 0,
    })),
  };
}
