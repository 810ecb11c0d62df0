// The power drivers by the name that a rack file gives them.
import Type, { type Static } from "typebox";
import { CommandSettings, commandSwitch } from "./command.ts";
import type { DrivenSwitch } from "./driver.ts";
import { HttpOutletSettings, httpSwitch } from "./httpOutlet.ts";
import { LabgridSettings, labgridSwitch } from "./labgrid.ts";
import { coilSwitch, ModbusCoilSettings } from "./modbusCoil.ts";
import { SerialRelaySettings, serialSwitch } from "./serialRelay.ts";

/** A switch of a rack file: how power is given and taken, or a reset button pressed. */
export const SwitchSettings = Type.Union([
  CommandSettings,
  ModbusCoilSettings,
  SerialRelaySettings,
  HttpOutletSettings,
  LabgridSettings,
]);
export type SwitchSettings = Static<typeof SwitchSettings>;

/** Opens no connection before the switch is used. */
export function makeSwitch(settings: SwitchSettings): DrivenSwitch {
  switch (settings.driver) {
    case "command":
      return commandSwitch(settings);
    case "modbus-coil":
      return coilSwitch(settings);
    case "serial-relay":
      return serialSwitch(settings);
    case "http":
      return httpSwitch(settings);
    case "labgrid":
      return labgridSwitch(settings);
  }
}
