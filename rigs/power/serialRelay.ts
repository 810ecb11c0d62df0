// A relay board on a serial port that takes fixed bytes for on and off, and answers none.
// Tried with: a pair of pseudo terminals of socat in power.test.ts. No hardware.
import Type, { type Static } from "typebox";
import { type DrivenSwitch, strict } from "./driver.ts";

const Hex = Type.String({ pattern: "^([0-9a-fA-F]{2})+$" });

export const SerialRelaySettings = Type.Object(
  {
    driver: Type.Literal("serial-relay"),
    path: Type.String({ minLength: 1 }),
    baudRate: Type.Integer({ minimum: 50 }),
    /** Bytes as hexadecimal digits. */
    on: Hex,
    off: Hex,
  },
  strict,
);

export function serialSwitch({ path, baudRate, on, off }: Static<typeof SerialRelaySettings>): DrivenSwitch {
  return {
    name: `relay on ${path}`,
    // The port can be opened once, whichever relay of the board is meant.
    wire: `port ${path}`,
    async set(isOn) {
      const { SerialPort } = await import("serialport");
      const port = new SerialPort({ path, baudRate, autoOpen: false });
      const done = <T>(start: (done: (failure: Error | null | undefined) => void) => T): Promise<void> =>
        new Promise((resolve, reject) => {
          start((failure) => (failure ? reject(failure) : resolve()));
        });
      await done((ready) => port.open(ready));
      try {
        await done((ready) => port.write(Buffer.from(isOn ? on : off, "hex"), ready));
        await done((ready) => port.drain(ready));
      } finally {
        await done((ready) => port.close(ready));
      }
    },
  };
}
