// What a case can see of a gateway and its rig that never changes during a run, as the log of the run keeps it.
import Type, { type Static } from "typebox";
import { serviceIds } from "../../interface/resources/services.ts";
import { tagDataTypes } from "../../interface/resources/tags.ts";
import { checker } from "../../interface/schema/validate.ts";
import {
  type FieldDevice,
  type RunningGateway,
  fieldFaults,
  modbusTables,
  wordOrders,
} from "../../rigs/index.ts";
import { ReplayFault } from "./replayFault.ts";

const Text = Type.String();
const Names = Type.Array(Text);

const ModbusPlace = Type.Object({
  kind: Type.Literal("modbus"),
  unit: Type.Integer(),
  table: Type.Enum([...modbusTables]),
  address: Type.Integer(),
  quantity: Type.Integer(),
  order: Type.Enum([...wordOrders]),
});

const Point = Type.Object({
  id: Text,
  device: Text,
  tag: Type.Object({ provider: Text, source: Text, tag: Text }),
  dataType: Type.Enum([...tagDataTypes]),
  dataSizeBytes: Type.Number(),
  access: Type.Enum(["r", "w", "rw"]),
  pollIntervalMs: Type.Number(),
  at: Type.Union([ModbusPlace, Type.Object({ kind: Type.Literal("opcua"), nodeId: Text })]),
});

const DeviceFacts = Type.Object({
  name: Text,
  kind: Type.Enum(["modbus-tcp", "modbus-rtu", "opcua"]),
  isSimulated: Type.Boolean(),
  address: Text,
  points: Type.Array(Point),
  polledBy: Type.Optional(
    Type.Object({ service: Type.Optional(Type.Enum([...serviceIds])), app: Type.Optional(Text) }),
  ),
  faults: Type.Array(Type.Enum([...fieldFaults])),
  setsAll: Type.Boolean(),
  reportsWrites: Type.Boolean(),
  countsRequests: Type.Boolean(),
  /** Absent in records of earlier releases, whose devices did not count. */
  countsUnread: Type.Optional(Type.Boolean()),
});
export type DeviceFacts = Static<typeof DeviceFacts>;

const controlNames = ["power", "network", "storage", "clock", "time"] as const;
const controlActions = ["cut", "restore", "reset", "fill", "free", "jump", "impair", "shift"] as const;

const GatewayFacts = Type.Object({
  kind: Type.Enum(["process", "container", "qemu", "remote"]),
  name: Text,
  version: Text,
  baseUrl: Type.String({ format: "url" }),
  fault: Type.Optional(Text),
  servers: Type.Optional(
    Type.Object({
      modbusSlave: Type.Optional(Type.Object({ host: Text, port: Type.Integer(), unitId: Type.Integer() })),
      opcua: Type.Optional(Text),
    }),
  ),
  host: Type.Optional(Type.Object({ address: Text, listen: Text })),
  /** The controls that the rig has, each with its actions. */
  controls: Type.Array(
    Type.Object({ name: Type.Enum([...controlNames]), actions: Type.Array(Type.Enum([...controlActions])) }),
  ),
  field: Type.Optional(Type.Object({ devices: Type.Array(DeviceFacts), missing: Names })),
  linePace: Type.Optional(
    Type.Object({ slowness: Type.Number(), roundTripMs: Type.Number(), exchangeMs: Type.Number() }),
  ),
  canEnd: Type.Boolean(),
});
export type GatewayFacts = Static<typeof GatewayFacts>;

export function factsOf(gateway: RunningGateway): GatewayFacts {
  const { kind, name, version, baseUrl, fault, servers, host, linePace, field } = gateway;
  return {
    kind,
    name,
    version,
    baseUrl,
    ...(fault === undefined ? {} : { fault }),
    ...(servers === undefined ? {} : { servers }),
    ...(host === undefined ? {} : { host }),
    ...(linePace === undefined ? {} : { linePace }),
    controls: controlNames.flatMap((part) => {
      const control: object | undefined = gateway[part];
      if (control === undefined) return [];
      const has = (action: string): boolean => typeof Reflect.get(control, action) === "function";
      return [{ name: part, actions: controlActions.filter(has) }];
    }),
    ...(field === undefined
      ? {}
      : { field: { devices: field.devices.map(deviceFacts), missing: [...field.missing] } }),
    canEnd: gateway.ended !== undefined,
  };
}

function deviceFacts(device: FieldDevice): DeviceFacts {
  const { name, kind, isSimulated, address, points, polledBy, faults } = device;
  return {
    name,
    kind,
    isSimulated,
    address,
    points: [...points],
    ...(polledBy === undefined ? {} : { polledBy }),
    faults: [...faults],
    setsAll: device.setAll !== undefined,
    reportsWrites: device.onWrite !== undefined,
    countsRequests: device.requests !== undefined,
    countsUnread: device.unread !== undefined,
  };
}

/** The facts in a content of the log. Throws ReplayFault when they are none. */
export function readFacts(value: unknown): GatewayFacts {
  const [problem] = checker(GatewayFacts)(value);
  if (problem === undefined) return value as GatewayFacts;
  const { pointer, expected, found } = problem;
  throw new ReplayFault(
    `the gateway in the record cannot be used: ${pointer}: expected ${expected}, found ${found}`,
  );
}
