import fc from "fast-check";
import {
  type CaseContext,
  type SettingName,
  setting,
  settingNames,
  type TestCase,
  testCase,
} from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { rejectingCases } from "./rejecting.ts";
import { words } from "./step.ts";
import { SettingSession, type Taken } from "./session.ts";
import { allAtOnce, chosenStep, walkOf } from "./walk.ts";
import { requirementsOf, type SettingWriter, settingWriters } from "./writers.ts";

/** Random sequences of writes, and the most writes of each. */
const sequencesByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 0, nightly: 8, certification: 60 };
const mostSteps = 8;
const mostMembers = 3;

/** The write at a place of the table, and the members that it changes. */
interface Choice {
  readonly writer: number;
  readonly members: readonly number[];
  readonly seed: number;
}

const choice: fc.Arbitrary<Choice> = fc.record({
  writer: fc.nat(settingWriters.length - 1),
  members: fc.array(fc.nat(20), { minLength: 1, maxLength: mostMembers }),
  seed: fc.nat(),
});

const requirements = [...new Set(settingWriters.flatMap(requirementsOf))];

export const settingsSuite: readonly TestCase[] = [
  ...rejectingCases,
  testCase({
    id: "settings/every-member-in-every-view",
    title: "Each setting stores every member as sent, and writes change no other setting",
    group: "general",
    requirements: [...requirements, "CORE-ROBUST-03"],
    effect: "reversible",
    touches: [...settingNames, "services", "event-log"],
    deadlineMs: 300_000,
    async run(context) {
      const { random, level, verify } = context;
      const names = settingNames.filter((name) => context.declares(setting(name).capability));
      const session = new SettingSession(context, names);
      await session.begin();
      const writers = settingWriters.filter((writer) => isWritable(context, names, writer));
      const decided = new Set<string>();
      const walk = [
        ...writers.flatMap((writer) => walkOf(writer).map((make) => ({ writer, make }))),
        // Once more when every setting has values of its own: a write may replace like-named members of another.
        ...writers.map((writer) => ({ writer, make: allAtOnce(writer) })),
      ];
      let isRight = true;
      for (const { writer, make } of walk) {
        const taken = await session.take(writer.setting, make, random.integer(1, 2 ** 30));
        if (taken === undefined) continue;
        for (const one of record(context, taken)) decided.add(one);
        isRight &&= taken.comparisons.every(({ isSame }) => isSame);
      }
      // A sequence shows what single writes do not; after a failure of those it adds nothing.
      if (isRight)
        verify("CORE-ROBUST-03").equal(
          await sequences(context, session, writers, sequencesByLevel[level]),
          [],
          "shortest sequence of writes with a wrong result",
        );
      for (const requirement of requirements.filter((one) => !decided.has(one)))
        verify(requirement).notApplicable(
          "values of a setting",
          "the profile does not declare it, or it has no other value",
        );
    },
  }),
];

/** A reboot may be requested only where the profile permits one. */
function isWritable(
  { declares }: CaseContext,
  names: readonly SettingName[],
  { setting: name }: SettingWriter,
): boolean {
  return names.includes(name) && (name !== "reboot-schedule" || declares("disruptive-reboot"));
}

/** Records the acceptance and every comparison of a step; returns the requirements that they decide. */
function record({ verify }: CaseContext, { step, answer, comparisons }: Taken): string[] {
  const [first] = Object.keys(step.changes);
  const requirement = step.writer.stores[first ?? ""];
  if (!answer.accepted && step.isLimited !== true && step.wrong === undefined && requirement !== undefined)
    verify(requirement).accepted(answer);
  for (const { observed, expected, what, evidence, requirement: of } of comparisons)
    verify(of).equal(observed, expected, what, evidence);
  return comparisons.map((one) => one.requirement);
}

/**
 * Random sequences of writes; one that fails is shrunk, and its shortest form is taken again for the record. Returns
 * its writes in words.
 */
async function sequences(
  context: CaseContext,
  session: SettingSession,
  writers: readonly SettingWriter[],
  numRuns: number,
): Promise<string[]> {
  if (numRuns === 0 || writers.length === 0) return [];
  const take = async ({ writer: number, members, seed }: Choice): Promise<Taken | undefined> => {
    const writer = writers[number % writers.length];
    return writer === undefined
      ? undefined
      : session.take(writer.setting, (facts) => chosenStep(writer, members, facts), seed);
  };
  const property = fc.asyncProperty(
    fc.array(choice, { minLength: 1, maxLength: mostSteps }),
    async (steps) => {
      for (const one of steps) {
        const taken = await take(one);
        if (taken?.comparisons.some(({ isSame }) => !isSame) === true) return false;
      }
      return true;
    },
  );
  const { counterexample } = await fc.check(property, {
    numRuns,
    seed: context.random.integer(1, 2 ** 30),
  });
  if (counterexample === null) return [];
  const [shortest] = counterexample;
  const said: string[] = [];
  for (const one of shortest) {
    const taken = await take(one);
    if (taken === undefined) continue;
    said.push(words(taken.step));
    record(context, taken);
  }
  return said;
}
