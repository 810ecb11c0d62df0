// A real OPC UA server among the field devices: values are set by writing nodes.
import type { FieldDevice } from "../field/device.ts";
import type { FieldPoint, PointValue } from "../field/point.ts";
import { timed } from "../host/instant.ts";
import { checkOpcua } from "./check.ts";
import { openOpcuaSession } from "./session.ts";
import { fromVariant, opcuaTypes, toVariantValue } from "./variants.ts";

export interface OpcuaDeviceOptions {
  readonly name: string;
  readonly endpoint: string;
  readonly security?: "none" | "Basic256Sha256";
  readonly points: readonly FieldPoint[];
}

/** Opens a session with the device; throws an Error that names it when that fails. */
export async function connectOpcuaDevice(options: OpcuaDeviceOptions): Promise<FieldDevice> {
  await using stack = new AsyncDisposableStack();
  const { AttributeIds, DataType, VariantArrayType } = await import("node-opcua");
  const { name, endpoint, points } = options;
  const session = await openOpcuaSession(stack, options).catch((thrown: unknown) => {
    throw new Error(`${name}: no session with ${endpoint}: ${String(thrown)}`, { cause: thrown });
  });
  const nodeOf = (point: FieldPoint): string => {
    if (point.at.kind !== "opcua") throw new Error(`${point.id}: an OPC UA device has nodes, not registers`);
    return point.at.nodeId;
  };
  const write = async (point: FieldPoint, value: PointValue): Promise<void> => {
    const status = await session.write({
      nodeId: nodeOf(point),
      attributeId: AttributeIds.Value,
      value: {
        value: {
          dataType: DataType[opcuaTypes[point.dataType]],
          arrayType: VariantArrayType.Scalar,
          value: toVariantValue(point.dataType, value),
        },
      },
    });
    if (status.isBad()) throw new Error(`${name}: ${nodeOf(point)} cannot be written: ${status.toString()}`);
  };
  const whole = stack.move();
  return {
    name,
    kind: "opcua",
    isSimulated: false,
    address: endpoint,
    points,
    faults: [],
    set: (point, value) => timed(() => write(point, value)),
    async get(point) {
      const read = await session.read({ nodeId: nodeOf(point) });
      const value = fromVariant(point.dataType, read.value);
      if (read.statusCode.isBad() || value === undefined)
        throw new Error(`${name}: ${nodeOf(point)} cannot be read: ${read.statusCode.toString()}`);
      return value;
    },
    fault: (fault) => Promise.reject(new Error(`${name} is a real device: no fault ${fault}`)),
    check: () => checkOpcua(endpoint, points, options.security),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}
