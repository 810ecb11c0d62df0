// A real Modbus TCP device among the field devices: values are set by writing registers.
import modbus from "modbus-serial";
import type { FieldDevice } from "../field/device.ts";
import type { FieldPoint, ModbusAddress, PointValue } from "../field/point.ts";
import { timed } from "../host/instant.ts";
import { checkModbusUnits } from "./check.ts";
import { decodeRegisters, encodeRegisters } from "./codec.ts";

export interface ModbusDeviceOptions {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly points: readonly FieldPoint[];
}

const answerWithinMs = 2000;

/** Connects to the device; throws an Error that names it when it cannot be reached. */
export async function connectModbusDevice({
  name,
  host,
  port,
  points,
}: ModbusDeviceOptions): Promise<FieldDevice> {
  const client = new modbus.default();
  client.on("error", () => undefined);
  await client.connectTCP(host, { port }).catch((thrown: unknown) => {
    throw new Error(`${name}: no answer at ${host}:${port}: ${String(thrown)}`, { cause: thrown });
  });
  client.setTimeout(answerWithinMs);
  const at = (point: FieldPoint): ModbusAddress => {
    if (point.at.kind !== "modbus")
      throw new Error(`${point.id}: a Modbus device has registers and coils, not nodes`);
    client.setID(point.at.unit);
    return point.at;
  };
  const write = async (point: FieldPoint, value: PointValue): Promise<void> => {
    const place = at(point);
    if (place.table === "coils") await client.writeCoil(place.address, value === true);
    else if (place.table === "holding-registers")
      await client.writeRegisters(place.address, encodeRegisters(point.dataType, place, value));
    else throw new Error(`${point.id}: ${place.table} of a real device cannot be set over the wire`);
  };
  return {
    name,
    kind: "modbus-tcp",
    isSimulated: false,
    address: `${host}:${port}`,
    points,
    faults: [],
    set: (point, value) => timed(() => write(point, value)),
    async get(point) {
      const place = at(point);
      const { table, address, quantity } = place;
      if (table === "coils") return (await client.readCoils(address, 1)).data[0] === true;
      if (table === "discrete-inputs") return (await client.readDiscreteInputs(address, 1)).data[0] === true;
      const read =
        table === "input-registers"
          ? await client.readInputRegisters(address, quantity)
          : await client.readHoldingRegisters(address, quantity);
      return decodeRegisters(point.dataType, place, read.buffer);
    },
    fault: (fault) => Promise.reject(new Error(`${name} is a real device: no fault ${fault}`)),
    check: () => checkModbusUnits({ kind: "tcp", host, port }, points),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        client.destroy(() => resolve());
      }),
  };
}
