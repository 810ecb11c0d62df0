// The power of a port of a USB hub, by uhubctl: for gateways and adapters that are fed over USB.
// Tried with: uhubctl 2.5.0 without a hub (its rejection), and a stand-in that keeps the state of ports in
// commandedSwitches.test.ts. No hub.
import Type, { type Static } from "typebox";
import { type DrivenSwitch, strict } from "./driver.ts";
import { runTool } from "./tool.ts";

export const UhubctlSettings = Type.Object(
  {
    driver: Type.Literal("uhubctl"),
    /** Location of the hub as `uhubctl` lists it, such as 1-1.4. */
    hub: Type.String({ pattern: "^\\d+(-\\d+(\\.\\d+)*)?$" }),
    port: Type.Integer({ minimum: 1, maximum: 32 }),
    /** Run it by `sudo -n`. */
    sudo: Type.Optional(Type.Boolean()),
  },
  strict,
);

export function uhubctlSwitch({ hub, port, sudo }: Static<typeof UhubctlSettings>): DrivenSwitch {
  const run = (...words: readonly string[]): Promise<string> => {
    const whole = ["uhubctl", "-l", hub, "-p", String(port), ...words];
    return runTool(sudo === true ? ["sudo", "-n", ...whole] : whole, "apt-get install uhubctl");
  };
  return {
    name: `port ${port} of USB hub ${hub}`,
    wire: `usb ${hub} port ${port}`,
    set: async (isOn) => void (await run("-a", isOn ? "on" : "off")),
    read: async () => portState(await run(), hub, port),
  };
}

/** A hub of USB 3 is two hubs of one case; both must agree, because each feeds the port. */
function portState(text: string, hub: string, port: number): boolean {
  const states = [...text.matchAll(/^\s+Port (\d+): [0-9a-f]{4} (off|power)\b/gm)]
    .filter(([, number]) => Number(number) === port)
    .map(([, , word]) => word === "power");
  const [first] = states;
  if (first === undefined) throw new Error(`uhubctl reports no state of port ${port} of hub ${hub}`);
  if (states.some((state) => state !== first))
    throw new Error(`uhubctl reports port ${port} of hub ${hub} on for one speed and off for the other`);
  return first;
}
