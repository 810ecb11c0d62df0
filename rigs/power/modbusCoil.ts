// A relay that is a coil of a Modbus TCP unit.
// Tried with: the Modbus TCP device of this repository, by the client library modbus-serial, in power.test.ts. No hardware.
import modbus from "modbus-serial";
import Type, { type Static } from "typebox";
import { answerWithinMs, type DrivenSwitch, strict } from "./driver.ts";

export const ModbusCoilSettings = Type.Object(
  {
    driver: Type.Literal("modbus-coil"),
    host: Type.String({ minLength: 1 }),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    unit: Type.Integer({ minimum: 0, maximum: 255 }),
    coil: Type.Integer({ minimum: 0, maximum: 65_535 }),
  },
  strict,
);

export function coilSwitch({ host, port, unit, coil }: Static<typeof ModbusCoilSettings>): DrivenSwitch {
  const withClient = async <T>(
    action: (client: InstanceType<typeof modbus.default>) => Promise<T>,
  ): Promise<T> => {
    const client = new modbus.default();
    client.on("error", () => undefined);
    try {
      await client.connectTCP(host, { port });
      client.setID(unit);
      client.setTimeout(answerWithinMs);
      return await action(client);
    } finally {
      client.destroy(() => undefined);
    }
  };
  return {
    name: `coil ${coil} of unit ${unit} on ${host}:${port}`,
    wire: `switch ${host}:${port} unit ${unit} coil ${coil}`,
    set: (isOn) => withClient(async (client) => void (await client.writeCoil(coil, isOn))),
    read: () => withClient(async (client) => (await client.readCoils(coil, 1)).data[0] === true),
  };
}
