// The power of a labgrid place, by labgrid-client.
// Not tried: no labgrid coordinator was available; the command lines are those of labgrid's manual.
import Type, { type Static } from "typebox";
import { commandSwitch } from "./command.ts";
import { type DrivenSwitch, strict } from "./driver.ts";

export const LabgridSettings = Type.Object(
  { driver: Type.Literal("labgrid"), place: Type.String({ minLength: 1 }) },
  strict,
);

export function labgridSwitch({ place }: Static<typeof LabgridSettings>): DrivenSwitch {
  const power = (word: string): string[] => ["labgrid-client", "-p", place, "power", word];
  return {
    ...commandSwitch({ on: power("on"), off: power("off"), read: power("get"), isOn: "on" }),
    wire: `place ${place}`,
  };
}
