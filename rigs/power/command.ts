// A switch that a command line operates, such as that of a vendor's tool for a switched outlet.
// Tried with: Node.js and `cat` on a file in power.test.ts. No hardware.
import { execa } from "execa";
import Type, { type Static } from "typebox";
import { answerWithinMs, type DrivenSwitch, reports, strict, Words } from "./driver.ts";

export const CommandSettings = Type.Object(
  {
    driver: Type.Literal("command"),
    /** Program and words, without a shell. */
    on: Words,
    off: Words,
    /** Prints `isOn` (default `on`) while the power is on. */
    read: Type.Optional(Words),
    isOn: Type.Optional(Type.String()),
  },
  strict,
);

export function commandSwitch({
  on,
  off,
  read,
  isOn = "on",
}: Omit<Static<typeof CommandSettings>, "driver">): DrivenSwitch {
  const run = async ([program = "", ...words]: readonly string[]): Promise<string> => {
    const { stdout } = await execa(program, words, { timeout: answerWithinMs });
    return stdout;
  };
  return {
    name: `command ${on[0] ?? ""}`,
    wire: `switch ${on.join(" ")}`,
    set: async (wanted) => void (await run(wanted ? on : off)),
    ...(read === undefined ? {} : { read: async () => reports(await run(read), isOn) }),
  };
}
