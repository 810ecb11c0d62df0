// Takes steps on a gateway: writes one setting, reads all of them, and compares.
import {
  type Answer,
  type CaseContext,
  type Members,
  readSetting,
  seededRandom,
  setting,
  type SettingName,
  settingBody,
  shownMembers,
  writeBack,
} from "../../harness/index.ts";
import {
  diskShown,
  freePortFor,
  heldFiles,
  readShown,
  type ShownSetting,
} from "../support/markedSettings.ts";
import { settingValues, withValue } from "../support/settingValues.ts";
import { applied, type Comparison, comparisonsOf, type Step } from "./step.ts";
import type { StepFacts, StepMaker } from "./walk.ts";

/** A step that was taken. */
export interface Taken {
  readonly step: Step;
  readonly answer: Answer;
  readonly comparisons: readonly Comparison[];
}

/** The limits of numbers are not stated, and a listed disk may be absent, full or read-only. */
type Limits = Partial<Pick<StepFacts, "isSmall" | "disks">>;

export class SettingSession {
  readonly #context: CaseContext;
  readonly #names: readonly SettingName[];
  readonly #files = new Map<SettingName, Members>();
  readonly #stored = new Map<SettingName, Record<string, string>>();
  #atFirst: ReadonlyMap<SettingName, ShownSetting> = new Map();
  #present: ReadonlyMap<SettingName, ShownSetting> = new Map();
  /** What is sent to a setting that rejected usual values. */
  readonly #limits = new Map<SettingName, Limits>();

  constructor(context: CaseContext, names: readonly SettingName[]) {
    this.#context = context;
    this.#names = names;
  }

  /** Reads every setting; its restoration is registered. */
  async begin(): Promise<void> {
    const { gateway, scratch } = this.#context;
    this.#present = await this.#readAll();
    this.#atFirst = this.#present;
    for (const [name, { members }] of this.#present)
      scratch.undo(setting(name).write, async () =>
        // A partial write of what differs: others could take members along, and later cases would not see that.
        writeBack(gateway, name, members, await readSetting(gateway, name)),
      );
  }

  /** Takes the step that the maker derives from the present values; undefined where it has none. */
  async take(name: SettingName, make: StepMaker, seed: number): Promise<Taken | undefined> {
    const made = async (): Promise<Step | undefined> => {
      const facts = await this.#factsOf(name, seed);
      return facts && make(facts);
    };
    let step = await made();
    if (step === undefined) return undefined;
    let answer = await this.#write(step);
    for (const limits of narrower(this.#limits.get(name) ?? {}, step)) {
      if (!answer.rejected) break;
      this.#limits.set(name, limits);
      step = await made();
      if (step === undefined) return undefined;
      answer = await this.#write(step);
    }
    // A log may have to move first: until then its answer shows the former disk.
    const isWritten = answer.accepted && step.wrong === undefined;
    const moved = isWritten ? await diskShown(this.#context, name, step.changes) : {};
    const before = this.#present;
    this.#present = await this.#readAll();
    const isJudged = step.wrong === undefined || !answer.accepted;
    const returned = answer.accepted ? { ...shownMembers(name, answer.json), ...moved } : {};
    const comparisons = isJudged
      ? comparisonsOf({ step, answer, returned, before, after: this.#present, stored: this.#stored })
      : [];
    if (isWritten) this.#keepStored(step);
    return { step, answer, comparisons };
  }

  /** Switches may also follow services or a schedule; numbers and texts change by a write alone. */
  #keepStored({ writer, changes }: Step): void {
    const stored = Object.entries(changes).flatMap(([member, value]) => {
      const requirement = writer.stores[member];
      return requirement === undefined || typeof value === "boolean" ? [] : [[member, requirement]];
    });
    this.#stored.set(writer.setting, { ...this.#stored.get(writer.setting), ...Object.fromEntries(stored) });
  }

  /** Sends all members, or those that change where the others keep their values. */
  #write({ writer, changes, inputs, isLone, wrong = {} }: Step): Promise<Answer> {
    const { setting: name, operation, isPartial } = writer;
    const present = this.#present.get(name)?.members ?? {};
    const whole = { ...applied(present, changes), ...inputs };
    const tops = new Set([...Object.keys(changes), ...Object.keys(inputs ?? {})].map(topOf));
    const members =
      isPartial || isLone === true
        ? Object.fromEntries(Object.entries(whole).filter(([member]) => tops.has(member)))
        : whole;
    const { admin } = this.#context.gateway;
    if (Object.keys(wrong).length === 0)
      return admin.callChecked(operation, { json: settingBody(operation, name, members) });
    const body = Object.entries(wrong).reduce(
      (sent, [member, value]) => withValue(sent, member, value),
      settingBody(operation, name, members),
    );
    return admin.callInvalid(operation, { json: body });
  }

  async #factsOf(name: SettingName, seed: number): Promise<StepFacts | undefined> {
    const { clock } = this.#context;
    const reading = this.#present.get(name);
    if (reading === undefined) return undefined;
    const random = seededRandom(seed, name);
    const hasListeners = name === "http-server";
    const ports = {
      http: hasListeners ? await freePortFor(this.#context, reading.members, "http") : undefined,
      https: hasListeners ? await freePortFor(this.#context, reading.members, "https") : undefined,
    };
    return {
      present: reading.members,
      atFirst: this.#atFirst.get(name)?.members ?? reading.members,
      disks: reading.disks,
      ...this.#limits.get(name),
      integer: (min, max) => random.integer(min, max),
      epochMs: clock.epochMs(),
      files: await this.#filesOf(name),
      portFor: (scheme) => ports[scheme],
    };
  }

  /** One set of files for each setting, under a new name each time. */
  async #filesOf(name: SettingName): Promise<Members> {
    const { random } = this.#context;
    const known = this.#files.get(name) ?? (await heldFiles(this.#context, name));
    this.#files.set(name, known);
    const own = `rp-${random.word(8)}`;
    return Object.fromEntries(
      Object.entries(known).map(([input, value]) => [
        input,
        input.endsWith("Filename") ? `${own}-${String(value).split("-").at(-1)}` : value,
      ]),
    );
  }

  async #readAll(): Promise<ReadonlyMap<SettingName, ShownSetting>> {
    const readings = this.#names.map(async (name) => [name, await readShown(this.#context, name)] as const);
    return new Map(await Promise.all(readings));
  }
}

function topOf(path: string): string {
  return path.split(".")[0] ?? path;
}

/** The limits to try in turn after a rejection of the step; none where its values are not usual ones. */
function narrower(present: Limits, { writer, changes, isLimited, wrong }: Step): readonly Limits[] {
  const { members } = settingValues[writer.setting];
  const has = (...kinds: readonly string[]): boolean =>
    Object.keys(changes).some((member) => kinds.includes(members[member]?.kind ?? ""));
  if (isLimited === true || wrong !== undefined) return [];
  const smaller = has("number", "near") && present.isSmall !== true ? [{ ...present, isSmall: true }] : [];
  if (!has("disk")) return smaller;
  return [...smaller, ...[present, ...smaller].map((limits) => ({ ...limits, disks: [] }))];
}
