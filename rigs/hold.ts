// Whether a run still holds the gateway that it works on. Power, console and field devices ask before they act.
import type { PowerControl } from "./gateway.ts";
import type { FieldDevice, FieldRack } from "./field/device.ts";

export interface Hold {
  /** Throws an Error that names the act and who holds the gateway now, when this run holds it no longer. */
  check(act: string): void;
  /** Aborted when the hold is found to be lost. */
  readonly lost: AbortSignal;
}

/** The same power, asked for leave before each act. */
export function heldPower(power: PowerControl, hold: Hold): PowerControl {
  const { reset } = power;
  return {
    cut: async () => {
      hold.check("cut the power");
      return power.cut();
    },
    restore: async () => {
      hold.check("restore the power");
      return power.restore();
    },
    ...(reset === undefined
      ? {}
      : {
          reset: async () => {
            hold.check("press the reset button");
            return reset.call(power);
          },
        }),
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
