// Gateways and what surrounds them, as other rooms use them.
export { openConsole, type Console } from "./console/console.ts";
export { parseConsoleSource, type ConsoleSource } from "./console/source.ts";
export { startContainerGateway } from "./container/containerGateway.ts";
export { behave, counter, noise, ramp, readTrace, step, type Behaviour } from "./field/behaviour.ts";
export {
  fieldFaults,
  type FieldDevice,
  type FieldFault,
  type FieldRack,
  type WireCheck,
} from "./field/device.ts";
export {
  bytesByType,
  modbusTables,
  wordOrders,
  type FieldPoint,
  type ModbusTable,
  type PointValue,
} from "./field/point.ts";
export type {
  ClockControl,
  FieldServers,
  HostAddress,
  NetworkControl,
  PowerControl,
  RunningGateway,
  Sighting,
  StorageControl,
  TimeControl,
} from "./gateway/gateway.ts";
export { startFieldProcess } from "./fieldProcess/fieldProcess.ts";
export { startSimulated, type SimulatedDevice } from "./fieldProcess/simulated.ts";
export { leasedField, leasedNetwork, leasedPower, leasedTime } from "./gateway/leasedEquipment.ts";
export { isProgram } from "./host/boundChild.ts";
export { type Impairment, paceOf, readImpairment } from "./gateway/impairment.ts";
export { commandedNetwork, networkProblem, NetworkSettings } from "./network/command.ts";
export { openPacketLine, type PacketLine, whyNoPacketLine } from "./network/packetLine.ts";
export { findEngine } from "./host/engine.ts";
export { freePort, holdPort } from "./host/freePort.ts";
export { watchHostDelay } from "./host/hostDelay.ts";
export { isThisMachine, watchMachine } from "./host/machineLoad.ts";
export type { LeaseCheck } from "./host/leaseCheck.ts";
export { recordLeftover, removeLeftovers } from "./host/leftovers.ts";
export { readLines } from "./host/lines.ts";
export { processStart } from "./host/processStart.ts";
export { PlaceInUse } from "./labgrid/acquire.ts";
export { listPlaces } from "./labgrid/listPlaces.ts";
export { HeldPlace } from "./labgrid/heldPlace.ts";
export { connectModbusDevice } from "./modbus/realDevice.ts";
export { startModbusRtuLine } from "./modbus/rtuServer.ts";
export { startModbusTcpServer } from "./modbus/tcpServer.ts";
export { startOpcuaServer } from "./opcua/opcuaServer.ts";
export { connectOpcuaDevice } from "./opcua/realDevice.ts";
export { openTagBrowser, prepareTagBrowser, type TagBrowser } from "./opcua/tagBrowser.ts";
export { PowerError, provenPower, switchConfirmed } from "./power/power.ts";
export { makeSwitch, switchProblem, SwitchSettings } from "./power/switch.ts";
export { embeddedPoints, startEmbeddedRack } from "./process/embeddedRack.ts";
export { GatewaySeries } from "./process/gatewaySeries.ts";
export { startProcessGateway } from "./process/processGateway.ts";
export { architectureOf } from "./qemu/architecture.ts";
export { type Budgets, budgetsOf } from "./qemu/budgets.ts";
export { findParts } from "./qemu/parts.ts";
export { paceOfQemu } from "./qemu/pace.ts";
export { startQemuGateway } from "./qemu/qemuGateway.ts";
export { BootStrategy } from "./remote/bootStrategy.ts";
export { lifeOf } from "./remote/lifeSigns.ts";
export { findRemoteGateway, remoteGateway, whyNotReady } from "./remote/remoteGateway.ts";
export { startTimeServer } from "./time/timeServer.ts";
export { hasSocat } from "./serial/ptyPair.ts";
