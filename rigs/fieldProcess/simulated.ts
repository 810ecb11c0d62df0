// A simulated field device of any kind, described by data that can be sent to another thread.
import type { FieldDevice } from "../field/device.ts";
import { type RtuLineOptions, startModbusRtuLine } from "../modbus/rtuServer.ts";
import { type ModbusTcpServerOptions, startModbusTcpServer } from "../modbus/tcpServer.ts";
import { type OpcuaServerOptions, startOpcuaServer } from "../opcua/opcuaServer.ts";

export type SimulatedDevice =
  | ({ readonly kind: "modbus-tcp" } & ModbusTcpServerOptions)
  | ({ readonly kind: "modbus-rtu" } & RtuLineOptions)
  | ({ readonly kind: "opcua" } & OpcuaServerOptions);

/** Starts the device in this thread; throws an Error that names the device or its address when it cannot. */
export function startSimulated(device: SimulatedDevice): Promise<FieldDevice> {
  switch (device.kind) {
    case "modbus-tcp":
      return startModbusTcpServer(device);
    case "modbus-rtu":
      return startModbusRtuLine(device);
    case "opcua":
      return startOpcuaServer(device);
  }
}
