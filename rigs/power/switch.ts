// The power drivers by the name that a rack file gives them.
import Type, { type Static } from "typebox";
import { ownTerminal } from "../host/terminal.ts";
import { CommandSettings, commandSwitch } from "./command.ts";
import type { BenchAccess, DrivenSwitch } from "./driver.ts";
import { GpioSettings, gpioSwitch } from "./gpio.ts";
import { HttpOutletSettings, httpSwitch } from "./httpOutlet.ts";
import { LabgridSettings, labgridSwitch } from "./labgrid.ts";
import { ManualSettings, manualSwitch } from "./manual.ts";
import { coilSwitch, ModbusCoilSettings } from "./modbusCoil.ts";
import { modelSwitch, ShellySettings, TasmotaSettings } from "./outletModels.ts";
import { SerialRelaySettings, serialSwitch } from "./serialRelay.ts";
import { snmpProblem, SnmpSettings, snmpSwitch } from "./snmp.ts";
import { UhubctlSettings, uhubctlSwitch } from "./uhubctl.ts";

/** A switch of a rack file: how power is given and taken, or a reset button pressed. */
export const SwitchSettings = Type.Union([
  CommandSettings,
  ModbusCoilSettings,
  SerialRelaySettings,
  HttpOutletSettings,
  TasmotaSettings,
  ShellySettings,
  SnmpSettings,
  UhubctlSettings,
  GpioSettings,
  ManualSettings,
  LabgridSettings,
]);
export type SwitchSettings = Static<typeof SwitchSettings>;

const thisBench: BenchAccess = { environment: process.env, terminal: ownTerminal };

/** Opens no connection before the switch is used. */
export function makeSwitch(settings: SwitchSettings, given: Partial<BenchAccess> = {}): DrivenSwitch {
  const bench = { ...thisBench, ...given };
  switch (settings.driver) {
    case "command":
      return commandSwitch(settings);
    case "modbus-coil":
      return coilSwitch(settings);
    case "serial-relay":
      return serialSwitch(settings);
    case "http":
      return httpSwitch(settings, bench);
    case "tasmota":
    case "shelly":
      return modelSwitch(settings, bench);
    case "snmp":
      return snmpSwitch(settings, bench);
    case "uhubctl":
      return uhubctlSwitch(settings);
    case "gpio":
      return gpioSwitch(settings);
    case "manual":
      return manualSwitch(settings, bench);
    case "labgrid":
      return labgridSwitch(settings, bench);
  }
}

/** What the schema of a driver cannot say; undefined when the settings are complete. */
export function switchProblem(settings: SwitchSettings): string | undefined {
  return settings.driver === "snmp" ? snmpProblem(settings) : undefined;
}
