// Checks the wire to Modbus units with its own client.
import modbus from "modbus-serial";
import type { WireCheck } from "../field/device.ts";
import type { FieldPoint, ModbusAddress } from "../field/point.ts";

export type ModbusWire =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "serial"; readonly path: string; readonly baudRate: number };

const answerWithinMs = 1000;

/** Reads one point of every unit over the wire. */
export async function checkModbusUnits(
  wire: ModbusWire,
  points: readonly FieldPoint[],
): Promise<WireCheck[]> {
  const where = wire.kind === "tcp" ? `${wire.host}:${wire.port}` : wire.path;
  const client = new modbus.default();
  client.on("error", () => undefined);
  try {
    if (wire.kind === "tcp") await client.connectTCP(wire.host, { port: wire.port });
    else await client.connectRTUBuffered(wire.path, { baudRate: wire.baudRate });
  } catch (thrown) {
    return [
      {
        wire: where,
        ok: false,
        detail: `cannot be opened: ${words(thrown)}. Fix: check that the device is on and wired`,
      },
    ];
  }
  client.setTimeout(answerWithinMs);
  const checks: WireCheck[] = [];
  const units = Map.groupBy(points, ({ at }) => (at.kind === "modbus" ? at.unit : 0));
  for (const [unit, [point]] of units) {
    if (point?.at.kind !== "modbus") continue;
    checks.push(await checkUnit(client, `unit ${unit} on ${where}`, point.at));
  }
  client.close(() => undefined);
  return checks;
}

async function checkUnit(
  client: InstanceType<typeof modbus.default>,
  wire: string,
  { unit, table, address, quantity }: ModbusAddress,
): Promise<WireCheck> {
  client.setID(unit);
  try {
    if (table === "coils") await client.readCoils(address, 1);
    else if (table === "discrete-inputs") await client.readDiscreteInputs(address, 1);
    else if (table === "input-registers") await client.readInputRegisters(address, quantity);
    else await client.readHoldingRegisters(address, quantity);
    return { wire, ok: true, detail: `${table} ${address} read` };
  } catch (thrown) {
    return {
      wire,
      ok: false,
      detail: `${table} ${address}: ${words(thrown)}. Fix: check the unit identifier and the map`,
    };
  }
}

export function words(thrown: unknown): string {
  // The library throws objects with a message that are not always an Error.
  return String((thrown as { message?: unknown } | undefined)?.message ?? thrown);
}
