// The field devices around an embedded gateway, started with it.
import type { FieldDevice, FieldRack } from "../field/device.ts";
import { startModbusRtuLine } from "../modbus/rtuSlave.ts";
import { startModbusTcpSlave } from "../modbus/tcpSlave.ts";
import { startOpcuaServer } from "../opcua/opcuaServer.ts";
import { hasSocat } from "../serial/ptyPair.ts";
import { linePoints, nodePoints, sequencePoints, typePoints } from "./embeddedPoints.ts";

const tcpDevices = 32;
const tagsOfDevice = 64;
const unitsOfLine = 31;

/** Starts 33 Modbus TCP devices, a serial line with 31 units where socat is there, and an OPC UA server. */
export async function startEmbeddedRack(): Promise<FieldRack> {
  await using stack = new AsyncDisposableStack();
  const devices: FieldDevice[] = [];
  const add = (device: FieldDevice): void => void devices.push(stack.use(device));
  add(await startModbusTcpSlave({ name: "plc", points: typePoints("plc", 1) }));
  for (let number = 1; number <= tcpDevices; number++) {
    const name = `load-${String(number).padStart(2, "0")}`;
    add(await startModbusTcpSlave({ name, points: sequencePoints(name, 1, tagsOfDevice) }));
  }
  add(await startOpcuaServer({ name: "ua", points: nodePoints("ua") }));
  const missing: string[] = [];
  if (hasSocat()) add(await startModbusRtuLine({ name: "line", points: linePoints("line", unitsOfLine) }));
  else missing.push("no serial line: socat is not installed (apt-get install socat)");
  const whole = stack.move();
  return { devices, missing, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}
