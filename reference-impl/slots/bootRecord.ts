// The boot record: which of the two system slots is active, which one is tried, and how the last trial ended.
import { readFileSync } from "node:fs";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { writeDurably } from "./durable.ts";

const SlotName = Type.Enum(["a", "b"]);
export type SlotName = Static<typeof SlotName>;

/** `builtIn`: the system that this program contains; null: nothing complete. */
const SlotContent = Type.Union([
  Type.Null(),
  Type.Object({ builtIn: Type.Literal(true) }),
  Type.Object({ version: Type.String(), payloadSha256: Type.String() }),
]);

const Outcome = Type.Object({
  jobId: Type.Integer(),
  isConfirmed: Type.Boolean(),
  reason: Type.String(),
});

const BootRecord = Type.Object({
  active: SlotName,
  a: SlotContent,
  b: SlotContent,
  /** The slot of an upgrade job that is booted next, and how often before it is given up. */
  trial: Type.Union([Type.Null(), Type.Object({ jobId: Type.Integer(), triesLeft: Type.Integer() })]),
  /** The end of the last trial, for the job that ordered it. */
  last: Type.Union([Type.Null(), Outcome]),
});
export type BootRecord = Static<typeof BootRecord>;

const initial: BootRecord = { active: "a", a: { builtIn: true }, b: null, trial: null, last: null };

/** The record in the file; throws an Error where it cannot be read. A gateway without a file has never been upgraded. */
export function readBootRecord(file: string): BootRecord {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT")
      return structuredClone(initial);
    throw thrown;
  }
  const value: unknown = JSON.parse(text);
  const problem = checker(BootRecord)(value)[0];
  if (problem !== undefined) throw new Error(`boot record${problem.pointer}: expected ${problem.expected}`);
  return value as BootRecord;
}

export function writeBootRecord(file: string, record: BootRecord): void {
  writeDurably(file, JSON.stringify(record));
}

export const otherSlot = (slot: SlotName): SlotName => (slot === "a" ? "b" : "a");
