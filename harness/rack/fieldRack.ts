// Starts or connects to the field devices of a rack file.
import {
  type FieldDevice,
  type FieldRack,
  connectModbusDevice,
  connectOpcuaDevice,
  hasSocat,
  startModbusRtuLine,
  startModbusTcpServer,
  startOpcuaServer,
} from "../../rigs/index.ts";
import { type FieldEntry, pointsOf } from "./fieldEntries.ts";

/** Starts simulated devices and connects to real ones; throws an Error that names the device that fails. */
export async function startFieldRack(entries: readonly FieldEntry[]): Promise<FieldRack> {
  await using stack = new AsyncDisposableStack();
  const devices: FieldDevice[] = [];
  const missing: string[] = [];
  for (const entry of entries) {
    if (entry.kind === "modbus-rtu" && entry.port === "pty" && !hasSocat())
      missing.push(
        `${entry.name}: missing: socat (serial lines without hardware). Fix: apt-get install socat`,
      );
    else devices.push(stack.use(await startFieldDevice(entry)));
  }
  const whole = stack.move();
  return { devices, missing, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

/** Starts or connects to one device. */
export async function startFieldDevice(entry: FieldEntry): Promise<FieldDevice> {
  const device = await startByKind(entry);
  return entry.polledBy === undefined ? device : Object.assign(device, { polledBy: entry.polledBy });
}

function startByKind(entry: FieldEntry): Promise<FieldDevice> {
  const { name } = entry;
  const points = pointsOf(entry);
  switch (entry.kind) {
    case "modbus-tcp":
      return entry.device === undefined
        ? startModbusTcpServer({ name, points, ...hostAndPort(entry.listen ?? "127.0.0.1:0") })
        : connectModbusDevice({ name, points, ...hostAndPort(entry.device) });
    case "modbus-rtu":
      return startModbusRtuLine({
        name,
        points,
        ...(entry.port === "pty" ? {} : { port: entry.port }),
        ...(entry.baudRate === undefined ? {} : { baudRate: entry.baudRate }),
        ...(entry.parity === undefined ? {} : { parity: entry.parity }),
        ...(entry.dataBits === undefined ? {} : { dataBits: entry.dataBits === 7 ? 7 : 8 }),
        ...(entry.stopBits === undefined ? {} : { stopBits: entry.stopBits === 2 ? 2 : 1 }),
        keepCharacterTime: entry.characterTime ?? false,
      });
    case "opcua":
      return entry.endpoint === undefined
        ? startOpcuaServer({
            name,
            points,
            ...hostAndPort(entry.listen ?? "127.0.0.1:0"),
            security: entry.security ?? "both",
          })
        : connectOpcuaDevice({
            name,
            points,
            endpoint: entry.endpoint,
            ...(entry.security === undefined ? {} : { security: entry.security }),
          });
  }
}

function hostAndPort(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(":");
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}
