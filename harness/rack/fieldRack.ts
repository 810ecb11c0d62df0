// Starts or connects to the field devices of a rack file.
import {
  type FieldDevice,
  type FieldRack,
  type SimulatedDevice,
  connectModbusDevice,
  connectOpcuaDevice,
  hasSocat,
  startFieldProcess,
  startSimulated,
} from "../../rigs/index.ts";
import { type FieldEntry, pointsOf } from "./fieldEntries.ts";

/**
 * Starts the simulated devices in a process of their own and connects to the real ones; throws an Error that names the
 * device that fails.
 */
export async function startFieldRack(entries: readonly FieldEntry[]): Promise<FieldRack> {
  await using stack = new AsyncDisposableStack();
  const isMissing = (entry: FieldEntry): boolean =>
    entry.kind === "modbus-rtu" && entry.port === "pty" && !hasSocat();
  const started = entries
    .filter((entry) => !isMissing(entry))
    .map((entry) => ({ entry, simulated: simulatedBy(entry) }));
  const rig = stack.use(await startFieldProcess(started.flatMap(({ simulated }) => simulated ?? [])));
  const simulatedDevices = rig.devices.values();
  const devices: FieldDevice[] = [];
  for (const { entry, simulated } of started) {
    const device = simulated === undefined ? stack.use(await connect(entry)) : simulatedDevices.next().value;
    if (device !== undefined) devices.push(withPoller(device, entry));
  }
  const whole = stack.move();
  return {
    devices,
    missing: entries
      .filter(isMissing)
      .map(
        ({ name }) => `${name}: missing: socat (serial lines without hardware). Fix: apt-get install socat`,
      ),
    stoodStillMs: (sinceMs) => rig.stoodStillMs(sinceMs),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** Starts or connects to one device, in this process. */
export async function startFieldDevice(entry: FieldEntry): Promise<FieldDevice> {
  const simulated = simulatedBy(entry);
  return withPoller(await (simulated === undefined ? connect(entry) : startSimulated(simulated)), entry);
}

function withPoller(device: FieldDevice, { polledBy }: FieldEntry): FieldDevice {
  return polledBy === undefined ? device : Object.assign(device, { polledBy });
}

/** The simulated device that the entry describes; undefined for a real one. */
function simulatedBy(entry: FieldEntry): SimulatedDevice | undefined {
  const { name } = entry;
  const points = pointsOf(entry);
  switch (entry.kind) {
    case "modbus-tcp":
      return entry.device === undefined
        ? { kind: "modbus-tcp", name, points, ...hostAndPort(entry.listen ?? "127.0.0.1:0") }
        : undefined;
    case "modbus-rtu":
      return {
        kind: "modbus-rtu",
        name,
        points,
        ...(entry.port === "pty" ? {} : { port: entry.port }),
        ...(entry.baudRate === undefined ? {} : { baudRate: entry.baudRate }),
        ...(entry.parity === undefined ? {} : { parity: entry.parity }),
        ...(entry.dataBits === undefined ? {} : { dataBits: entry.dataBits === 7 ? 7 : 8 }),
        ...(entry.stopBits === undefined ? {} : { stopBits: entry.stopBits === 2 ? 2 : 1 }),
        keepCharacterTime: entry.characterTime ?? false,
      };
    case "opcua":
      return entry.endpoint === undefined
        ? {
            kind: "opcua",
            name,
            points,
            ...hostAndPort(entry.listen ?? "127.0.0.1:0"),
            security: entry.security ?? "both",
          }
        : undefined;
  }
}

/** Connects to a real device over its wire. */
function connect(entry: FieldEntry): Promise<FieldDevice> {
  const { name } = entry;
  const points = pointsOf(entry);
  if (entry.kind === "modbus-tcp" && entry.device !== undefined)
    return connectModbusDevice({ name, points, ...hostAndPort(entry.device) });
  if (entry.kind === "opcua" && entry.endpoint !== undefined)
    return connectOpcuaDevice({
      name,
      points,
      endpoint: entry.endpoint,
      ...(entry.security === undefined ? {} : { security: entry.security }),
    });
  throw new Error(`${name}: a simulated device has no address to connect to`);
}

function hostAndPort(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(":");
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}
