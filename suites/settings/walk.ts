// Steps derived from the data about values: every member alone with each kind of value, all members at once, and
// requests with one wrong member.
import type { Members } from "../../harness/index.ts";
import {
  type MemberValues,
  otherValue,
  settingValues,
  valueAt,
  type ValueFacts,
} from "../support/settingValues.ts";
import type { Step } from "./step.ts";
import { type SettingWriter, settingWriters } from "./writers.ts";

/** What a step is made from: the present values, and files and ports that are ready to be sent. */
export interface StepFacts extends ValueFacts {
  /** Content and names of files; empty where none may be sent. */
  readonly files: Members;
  /** True where a gateway may reject the names of the files, or use others. */
  readonly hasOddNames?: boolean;
  /** A free port for the listener of the scheme; undefined where it is not moved. */
  readonly portFor: (scheme: "http" | "https") => number | undefined;
}

/** Forms of a file name that a store or a form would change, or cut. */
const oddFileNames: readonly ((name: string) => string)[] = [
  (name) => `A+B%41&amp; <b>'é説\u{1F600}-${name}`,
  (name) => `${"long-é".repeat(32)}-${name}`,
  (name) => `${"longer-é".repeat(32)}-${name}`,
  (name) => `0-${name}`,
];

/** Makes the step from the present values; undefined where the member has no other value. */
export type StepMaker = (facts: StepFacts) => Step | undefined;

/** Steps in a fixed order, each made when its turn comes. */
export function walkOf(writer: SettingWriter): StepMaker[] {
  const members = Object.entries(settingValues[writer.setting].members);
  const alone = members.flatMap(([member, values]) => memberSteps(writer, member, values));
  const together = allAtOnce(writer);
  const wrong = members.flatMap(([member, values]) => wrongSteps(writer, member, values));
  const lone = members.flatMap(([member, { kind }]) =>
    sendsLone(writer) && loneKinds.has(kind) ? [loneStep(writer, member)] : [],
  );
  return [together, ...alone, ...lone, together, ...wrong];
}

const loneKinds: ReadonlySet<MemberValues["kind"]> = new Set(["flag", "number", "word", "disk"]);

/** Whether a member of a whole set may come without the others; the SSH configuration is one object of two. */
function sendsLone({ isPartial, operation }: SettingWriter): boolean {
  return !isPartial && !["setUpgradeConfiguration", "setReboot", "setSsh"].includes(operation);
}

/** Sends the member without the others, which a gateway may reject. */
function loneStep(writer: SettingWriter, member: string): StepMaker {
  return (facts) => {
    const step = stepOf(writer, [member], facts);
    return step && { ...step, isLone: true, isLimited: true };
  };
}

/** Changes every member. */
export function allAtOnce(writer: SettingWriter): StepMaker {
  return (facts) => stepOf(writer, Object.keys(settingValues[writer.setting].members), facts);
}

/** A step that changes the members with these numbers. */
export function chosenStep(
  writer: SettingWriter,
  chosen: readonly number[],
  facts: StepFacts,
): Step | undefined {
  const members = Object.keys(settingValues[writer.setting].members);
  const names = chosen.map((number) => members[number % members.length] ?? "");
  return stepOf(writer, [...new Set(names)], facts);
}

function memberSteps(writer: SettingWriter, member: string, values: MemberValues): StepMaker[] {
  const other: StepMaker = (facts) => stepOf(writer, [member], facts);
  const to =
    (value: unknown, options: Pick<Step, "isLimited" | "mayBeLess">, beside: Members = {}): StepMaker =>
    (facts) => ({
      writer,
      changes: { [member]: value, ...beside },
      inputs: sameFiles(writer, facts),
      ...options,
    });
  const isLimited = true;
  if (values.kind === "number") {
    const { wide = [], unlimited, besideZero, isPort = false } = values;
    return [
      other,
      ...wide.map((value) => to(value, { isLimited })),
      // Where 0 has no meaning of its own, a gateway may reject it; else it is a number like any other.
      ...(unlimited === undefined && !isPort ? [to(0, { isLimited }, besideZero)] : []),
      ...(unlimited ?? []).map((value) => to(value, { isLimited: value < -1 })),
      other,
    ];
  }
  if (values.kind === "near") {
    let first: unknown;
    const greater = (value: number): StepMaker => {
      const make = to(value, { isLimited, mayBeLess: true });
      return (facts) => {
        const now = valueAt(facts.present, member);
        first ??= now;
        return Number(now) < value ? make(facts) : undefined;
      };
    };
    const back: StepMaker = (facts) => (first === undefined ? undefined : to(first, {})(facts));
    return [other, ...values.wide.map(greater), back];
  }
  if (values.kind === "file" && takesFiles(writer))
    return [
      other,
      ...oddFileNames.flatMap((odd): StepMaker[] => [
        (facts) => stepOf(writer, [member], renamed(facts, odd)),
        // The answer of a partial set shows the names that it does not change.
        ...besideFiles(writer),
      ]),
    ];
  // There and back: a value that cannot be set is one of the two.
  return ["flag", "word", "disk"].includes(values.kind) ? [other, other] : [other];
}

/** Partial sets of the same setting, each of another member than a file. */
function besideFiles({ setting }: SettingWriter): StepMaker[] {
  const others = Object.entries(settingValues[setting].members).flatMap(([member, { kind }]) =>
    kind === "flag" || kind === "number" ? [member] : [],
  );
  return settingWriters
    .filter((one) => one.setting === setting && one.isPartial)
    .map(
      (partial): StepMaker =>
        (facts) =>
          stepOf(partial, others.slice(0, 1), facts),
    );
}

function stepOf(writer: SettingWriter, names: readonly string[], facts: StepFacts): Step | undefined {
  const { members } = settingValues[writer.setting];
  const changes: Record<string, unknown> = {};
  let inputs: Members = {};
  for (const name of names) {
    const values = members[name];
    if (values === undefined) continue;
    const value = values.kind === "listener" ? facts.portFor(values.scheme) : otherValue(name, values, facts);
    if (value !== undefined) changes[name] = value;
    if (values.kind === "file" && takesFiles(writer)) {
      // Files belong together: a key without its certificate may be rejected.
      inputs = facts.files;
      for (const [member, file] of Object.entries(members))
        if (file.kind === "file" && facts.files[file.name] !== undefined)
          changes[member] = facts.files[file.name];
    }
  }
  if (Object.keys(changes).length === 0) return undefined;
  if (Object.keys(inputs).length === 0) inputs = sameFiles(writer, facts);
  const { hasOddNames = false } = facts;
  const isLimited = hasOddNames || names.some((name) => isPort(members[name]));
  return { writer, changes, inputs, isLimited, mayBeRenamed: hasOddNames };
}

/**
 * The files under the names that they have now, for a whole set: what one without them leaves of the files is not
 * stated.
 */
function sameFiles(writer: SettingWriter, { files, present }: StepFacts): Members {
  if (!takesFiles(writer) || writer.isPartial) return {};
  const names = Object.entries(settingValues[writer.setting].members).flatMap(([member, values]) =>
    values.kind === "file" ? [[values.name, present[member]]] : [],
  );
  return { ...files, ...Object.fromEntries(names) };
}

/** The files with names of the form; which characters and how many a name may have is not stated. */
function renamed(facts: StepFacts, odd: (name: string) => string): StepFacts {
  const files = Object.entries(facts.files).map(([input, value]) => [
    input,
    input.endsWith("Filename") ? odd(String(value)) : value,
  ]);
  return { ...facts, files: Object.fromEntries(files), hasOddNames: files.length > 0 };
}

/** A port may be taken by another listener of the gateway, which rejects it then. */
function isPort(values: MemberValues | undefined): boolean {
  return values?.kind === "listener" || (values?.kind === "number" && values.isPort === true);
}

/** Whether the operation sends certificates and keys. */
function takesFiles({ operation }: SettingWriter): boolean {
  return operation === "setUpgradeConfiguration" || operation === "updateHttpServer";
}

/** A wrong value of one member, together with other values of the rest. */
function wrongSteps(writer: SettingWriter, member: string, values: MemberValues): StepMaker[] {
  const wrong = wrongValueOf(values);
  if (wrong === undefined) return [];
  return [
    (facts) => {
      const names = Object.entries(settingValues[writer.setting].members)
        .filter(([name, { kind }]) => name !== member && kind !== "file" && kind !== "listener")
        .map(([name]) => name);
      const step = stepOf(writer, names, facts);
      return step === undefined || valueAt(facts.present, member) === undefined
        ? undefined
        : { ...step, wrong: { [member]: wrong } };
    },
  ];
}

function wrongValueOf({ kind }: MemberValues): unknown {
  if (kind === "flag") return "maybe";
  if (kind === "number") return "many";
  return kind === "word"
    ? "no such word"
    : kind === "near"
      ? {}
      : kind === "crontab"
        ? "every day"
        : undefined;
}
