// Equipment that checks the lease of the run before each action.
import type { NetworkControl, PowerControl, TimeControl } from "./gateway.ts";
import type { FieldDevice, FieldRack } from "../field/device.ts";
import type { LeaseCheck } from "../host/leaseCheck.ts";

/** The same power control with a check of the lease before each action. */
export function leasedPower(power: PowerControl, lease: LeaseCheck): PowerControl {
  return {
    cut: async () => {
      lease.check("cut the power");
      return power.cut();
    },
    restore: async () => {
      lease.check("restore the power");
      return power.restore();
    },
    ...leasedReset(power, lease),
  };
}

function leasedReset(power: PowerControl, lease: LeaseCheck): Pick<PowerControl, "reset"> {
  const press = power.reset?.bind(power);
  if (press === undefined) return {};
  return {
    reset: async () => {
      lease.check("press the reset button");
      return press();
    },
  };
}

/** The same line with a check of the lease before each action. */
export function leasedNetwork(network: NetworkControl, lease: LeaseCheck): NetworkControl {
  const impair = network.impair?.bind(network);
  return {
    cut: async () => {
      lease.check("cut the network");
      return network.cut();
    },
    restore: async () => {
      lease.check("restore the network");
      return network.restore();
    },
    ...(impair === undefined
      ? {}
      : {
          impair: async (impairment) => {
            lease.check("impair the network");
            return impair(impairment);
          },
        }),
  };
}

/** The same time server with a check of the lease before another time. */
export function leasedTime(time: TimeControl, lease: LeaseCheck): TimeControl {
  return {
    shift: async (offsetMs) => {
      lease.check("set the time of the time server");
      return time.shift(offsetMs);
    },
  };
}

/** The same field devices with a check of the lease before another value or a fault. */
export function leasedField(rack: FieldRack, lease: LeaseCheck): FieldRack {
  return {
    devices: rack.devices.map((device) => leasedDevice(device, lease)),
    missing: rack.missing,
    stoodStillMs: (sinceMs) => rack.stoodStillMs(sinceMs),
    [Symbol.asyncDispose]: () => rack[Symbol.asyncDispose](),
  };
}

const acts: ReadonlySet<PropertyKey> = new Set<keyof FieldDevice>(["set", "setAll", "fault"]);

/** Devices differ in their members: every other member is passed on unchanged. */
function leasedDevice(device: FieldDevice, lease: LeaseCheck): FieldDevice {
  return new Proxy(device, {
    get(target, key): unknown {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== "function") return member;
      if (!acts.has(key)) return member.bind(target) as unknown;
      return (...words: unknown[]): unknown => {
        lease.check(`${String(key)} ${target.name}`);
        return Reflect.apply(member, target, words);
      };
    },
  });
}
