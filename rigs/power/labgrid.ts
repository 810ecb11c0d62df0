// The power of a labgrid place, by labgrid-client, which speaks to whatever switch the exporter offers.
// Tried with: labgrid 26.0.1, its coordinator and its exporter, and a relay behind HTTP in test/e2e/labgrid.test.ts.
import Type, { type Static } from "typebox";
import { type BenchAccess, type DrivenSwitch, type PlaceAccess, strict } from "./driver.ts";
import { runTool } from "./tool.ts";

export const LabgridSettings = Type.Object(
  {
    driver: Type.Literal("labgrid"),
    /** Default the place that the gateway is acquired by; else LG_COORDINATOR and LG_USERNAME apply. */
    place: Type.Optional(Type.String({ minLength: 1 })),
    /** Name of the power port, where the place has several. */
    name: Type.Optional(Type.String({ minLength: 1 })),
    /** Path of the program; default `labgrid-client`. */
    program: Type.Optional(Type.String({ minLength: 1 })),
  },
  strict,
);

/** The program is started for each switching, in Python, and speaks to coordinator and switch. */
const withinMs = 20_000;

export function labgridSwitch(
  { place: given, name, program = "labgrid-client" }: Static<typeof LabgridSettings>,
  { place: held }: BenchAccess,
): DrivenSwitch {
  const place = given ?? held?.place ?? "";
  const run = (action: "on" | "off" | "get"): Promise<string> =>
    runTool(
      [program, "-p", place, "power", ...(name === undefined ? [] : ["--name", name]), action],
      "pip install labgrid",
      { withinMs, ...(given !== undefined || held === undefined ? {} : { environment: variablesOf(held) }) },
    );
  return {
    name: `place ${place}`,
    wire: `place ${place}`,
    set: async (isOn) => void (await run(isOn ? "on" : "off")),
    read: async () => stateIn(await run("get"), place),
  };
}

/** The names of places and ports may contain the words as well: the state is the last one. */
function stateIn(text: string, place: string): boolean {
  const state = / is (on|off)\s*$/.exec(text)?.[1];
  if (state === undefined) throw new Error(`labgrid-client reports no state of place ${place}`);
  return state === "on";
}

/** Under these labgrid-client is the client that acquired the place. */
function variablesOf({ coordinator, holder }: PlaceAccess): Readonly<Record<string, string>> {
  const [host = "", user = ""] = holder.split("/");
  return { LG_COORDINATOR: coordinator, LG_HOSTNAME: host, LG_USERNAME: user };
}
