// `rackproof rig modbus-tcp | modbus-rtu | opcua`: serves one field device alone, so that a lab can test its wiring.
import {
  type Behaviour,
  type FieldDevice,
  type FieldFault,
  type FieldPoint,
  behave,
  counter,
  fieldFaults,
  noise,
  ramp,
  readTrace,
  startModbusRtuLine,
  startModbusTcpServer,
  startOpcuaServer,
  step,
} from "../rigs/index.ts";
import { onInterrupt } from "./support/interrupt.ts";
import { UsageError } from "../record/index.ts";
import type { behaviourNames } from "./support/choices.ts";

export interface RigOptions {
  /** Host and port; port 0 takes a free one. */
  readonly listen?: string;
  /** Unit identifiers, comma-separated. */
  readonly units?: string;
  /** Path of a serial port, or `pty`. */
  readonly port?: string;
  readonly baud?: number;
  readonly security?: "none" | "Basic256Sha256" | "both";
  readonly behaviour?: (typeof behaviourNames)[number];
  readonly trace?: string;
  readonly fault?: string;
}

const scripted: Readonly<Record<Exclude<(typeof behaviourNames)[number], "trace">, Behaviour>> = {
  counter: counter(1000),
  ramp: ramp(0, 1000, 10_000),
  noise: noise(1000, 200, 1000, 1),
  step: step(0, 1, 10_000),
};

const registers = 100;
const pollIntervalMs = 100;
const highestUnit = 247;

export async function rigModbusTcp(options: RigOptions): Promise<number> {
  const { host, port } = place(options.listen ?? "127.0.0.1:1502");
  const points = unitsOf(options).flatMap(registersOfUnit);
  await using device = await startModbusTcpServer({ name: "rig", host, port, points });
  const at = device.address.split(":");
  return await serveUntilInterrupted(device, options, [
    `Modbus TCP units ${unitsOf(options).join(", ")} at ${device.address}: ${registers} holding registers each, from 0`,
    `Read them with: mbpoll -m tcp -p ${at[1] ?? ""} -a ${unitsOf(options)[0] ?? 1} -t 4 -r 1 -c 10 -1 ${at[0] ?? ""}`,
  ]);
}

export async function rigModbusRtu(options: RigOptions): Promise<number> {
  const baudRate = options.baud ?? 115_200;
  const points = unitsOf(options).flatMap(registersOfUnit);
  await using device = await startModbusRtuLine({
    name: "rig",
    baudRate,
    points,
    ...(options.port === undefined || options.port === "pty" ? {} : { port: options.port }),
  });
  return await serveUntilInterrupted(device, options, [
    `Modbus RTU units ${unitsOf(options).join(", ")} on ${device.address}: ${registers} holding registers each, from 0`,
    `Read them with: mbpoll -m rtu -b ${baudRate} -P none -a ${unitsOf(options)[0] ?? 1} -t 4 -r 1 -c 10 -1 ${device.address}`,
  ]);
}

export async function rigOpcua(options: RigOptions): Promise<number> {
  const { host, port } = place(options.listen ?? "127.0.0.1:4840");
  const points = Array.from({ length: 10 }, (_, index): FieldPoint => ({
    ...registerPoint(1, index),
    at: { kind: "opcua", nodeId: `ns=1;s=rig.${index}` },
  }));
  await using device = await startOpcuaServer({
    name: "rig",
    host,
    port,
    points,
    security: options.security ?? "both",
  });
  return await serveUntilInterrupted(device, options, [
    `OPC UA server at ${device.address} with the nodes ns=1;s=rig.0 to ns=1;s=rig.${points.length - 1}`,
  ]);
}

/** Starts the behaviour, injects the fault, and serves the device until interrupted. */
async function serveUntilInterrupted(
  device: FieldDevice,
  options: RigOptions,
  lines: readonly string[],
): Promise<number> {
  using interrupted = onInterrupt();
  await using stack = new AsyncDisposableStack();
  const behaviour = await behaviourOf(options);
  if (behaviour !== undefined)
    stack.use(behave(device, new Map(device.points.map((point) => [point, behaviour]))));
  if (options.fault !== undefined) stack.use(await device.fault(faultOf(device, options.fault)));
  process.stdout.write(`${[...lines, "Press Ctrl-C to stop."].join("\n")}\n`);
  await new Promise<void>((resolve) =>
    interrupted.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  return 0;
}

async function behaviourOf({ behaviour, trace }: RigOptions): Promise<Behaviour | undefined> {
  if (behaviour === "trace") {
    if (trace === undefined) {
      throw new UsageError("RIG_TRACE", "--behaviour trace: expected --trace FILE, found none");
    }
    return readTrace(trace);
  }
  return behaviour === undefined ? undefined : scripted[behaviour];
}

function faultOf({ faults }: FieldDevice, name: string): FieldFault {
  const fault = fieldFaults.find((one) => one === name && faults.includes(one));
  if (fault === undefined)
    throw new UsageError("RIG_FAULT", `--fault ${name}: expected one of ${faults.join(", ")}`);
  return fault;
}

function unitsOf({ units = "1" }: RigOptions): number[] {
  const ids = units.split(",").map((text) => Number(text.trim()));
  if (ids.some((id) => !Number.isInteger(id) || id < 1 || id > highestUnit))
    throw new UsageError(
      "RIG_UNITS",
      `--units ${units}: expected unit identifiers from 1 to ${highestUnit}, joined by commas`,
    );
  return ids;
}

function registersOfUnit(unit: number): FieldPoint[] {
  return Array.from({ length: registers }, (_, index) => registerPoint(unit, index));
}

function registerPoint(unit: number, address: number): FieldPoint {
  return {
    id: `rig/${unit}/${address}`,
    device: "rig",
    tag: { provider: "rig", source: `unit${unit}`, tag: `register${address}` },
    dataType: "uint16",
    dataSizeBytes: 2,
    access: "rw",
    pollIntervalMs,
    at: { kind: "modbus", unit, table: "holding-registers", address, quantity: 1, order: "ABCD" },
  };
}

function place(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(":");
  const port = Number(text.slice(colon + 1));
  if (colon < 1 || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError("RIG_LISTEN", `--listen ${text}: expected HOST:PORT`);
  return { host: text.slice(0, colon), port };
}
