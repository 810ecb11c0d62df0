// Equipment that asks whether a run still holds the gateway before it acts.
import type { PowerControl } from "./gateway.ts";
import type { FieldDevice, FieldRack } from "../field/device.ts";
import type { Hold } from "../host/hold.ts";

/** The same power, asked for leave before each act. */
export function heldPower(power: PowerControl, hold: Hold): PowerControl {
  return {
    cut: async () => {
      hold.check("cut the power");
      return power.cut();
    },
    restore: async () => {
      hold.check("restore the power");
      return power.restore();
    },
    ...heldReset(power, hold),
  };
}

function heldReset(power: PowerControl, hold: Hold): Pick<PowerControl, "reset"> {
  const press = power.reset?.bind(power);
  if (press === undefined) return {};
  return {
    reset: async () => {
      hold.check("press the reset button");
      return press();
    },
  };
}

/** The same field devices, asked for leave before they show another value or a fault. */
export function heldField(rack: FieldRack, hold: Hold): FieldRack {
  return {
    devices: rack.devices.map((device) => heldDevice(device, hold)),
    missing: rack.missing,
    [Symbol.asyncDispose]: () => rack[Symbol.asyncDispose](),
  };
}

const acts: ReadonlySet<PropertyKey> = new Set<keyof FieldDevice>(["set", "setAll", "fault"]);

/** Devices differ in what they can do, so what is there is passed on, whatever it is. */
function heldDevice(device: FieldDevice, hold: Hold): FieldDevice {
  return new Proxy(device, {
    get(target, key): unknown {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== "function") return member;
      if (!acts.has(key)) return member.bind(target) as unknown;
      return (...words: unknown[]): unknown => {
        hold.check(`${String(key)} ${target.name}`);
        return Reflect.apply(member, target, words);
      };
    },
  });
}
