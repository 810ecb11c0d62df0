// The misbehaviours that the reference gateway can be told to have, as it lists them itself.
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";

const FaultEntry = Type.Object({
  id: Type.String(),
  /** The requirement that a gateway with the fault breaks. */
  requirement: Type.String(),
  /** `crude`: any single answer shows it; `plain`: a look at what came of a request; `subtle`: anything rarer. */
  subtlety: Type.Enum(["crude", "plain", "subtle"]),
  /** The one operation whose answers show it. */
  operation: Type.Optional(Type.String()),
  /** One sentence. */
  what: Type.String(),
});
export type FaultEntry = Static<typeof FaultEntry>;

const FaultEntries = Type.Array(FaultEntry);
const gatewayFile = fileURLToPath(new URL("../../reference-impl/main.ts", import.meta.url));

/** Asks the gateway's program; throws an Error when it does not answer a list. */
export async function listFaults(): Promise<readonly FaultEntry[]> {
  const { stdout } = await execa(process.execPath, [gatewayFile, "--list-faults"]);
  const list: unknown = JSON.parse(stdout);
  const problem = checker(FaultEntries)(list)[0];
  if (problem !== undefined)
    throw new Error(
      `the list of faults${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  return list as readonly FaultEntry[];
}

/** The words that make a reference gateway have the fault. */
export function faultWords(fault: string | undefined): readonly string[] {
  return fault === undefined ? [] : ["--fault", fault];
}
