// Texts of things that clients create: every form of a text, written by every operation, in every answer that shows it.
import { type Answer, type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { valueAt } from "../support/settingValues.ts";
import { type Reading, type TextCase, textCases, type Texts, type TextThing } from "./kinds.ts";
import { type OddForm, oddForms, textsOf } from "./oddForms.ts";

/** A write of a form: to all members that have it, or where that is rejected to each of them alone. */
interface Attempt {
  readonly texts: Texts;
  readonly answer: Answer;
}

export const textsSuite: readonly TestCase[] = textCases.map((kind) =>
  testCase({
    id: kind.id,
    title: kind.title,
    group: kind.group,
    requirements: [
      ...new Set([...Object.values(kind.stores).flatMap((stores) => Object.values(stores)), ...kind.views]),
    ],
    effect: "reversible",
    ...(kind.capabilities === undefined ? {} : { capabilities: kind.capabilities }),
    touches: kind.touches,
    deadlineMs: 120_000,
    async run(context) {
      const creator = await kind.begin(context);
      const first = textsOf(context, kind.members);
      const plain = await creator.send(first);
      for (const requirement of storesOf(kind, kind.create, Object.keys(first)))
        context.verify(requirement).accepted(plain);
      const subject = await creator.made(first, plain);
      const stored = await compare(context, kind, kind.create, { texts: first, answer: plain }, subject);
      for (const update of subject.updates) {
        const texts = { ...stored, ...pick(textsOf(context, kind.members), update.members) };
        const answer = await update.send(texts);
        for (const requirement of storesOf(kind, update.operation, update.members))
          context.verify(requirement).accepted(answer);
        if (answer.accepted) await compare(context, kind, update.operation, { texts, answer }, subject);
      }
      for (const form of oddForms) {
        if (form.hidesOwn === true && kind.isRemovable?.(context) === false) continue;
        for (const attempt of await attempts(context, kind, form, Object.keys(kind.members), creator.send)) {
          const thing = await creator.made(attempt.texts, attempt.answer);
          const before = await compare(context, kind, kind.create, attempt, thing);
          // The answer of an update shows the texts that it does not change.
          for (const { operation, members, send } of thing.updates) {
            const texts = { ...before, ...pick(attempt.texts, members) };
            const answer = await send(texts);
            if (answer.accepted) await compare(context, kind, operation, { texts, answer }, thing);
          }
        }
        for (const { operation, members, send } of subject.updates)
          await attempts(context, kind, form, members, async (texts) => {
            const sent = { ...stored, ...pick(texts, members) };
            const answer = await send(sent);
            if (answer.accepted) await compare(context, kind, operation, { texts: sent, answer }, subject);
            return answer;
          });
      }
    },
  }),
);

/** Which characters a gateway accepts, and how many, is not stated: what it rejects is left out. */
async function attempts(
  context: CaseContext,
  { members }: TextCase,
  form: OddForm,
  names: readonly string[],
  send: (texts: Texts) => Promise<Answer>,
): Promise<Attempt[]> {
  const odd = names.filter((name) => {
    const kind = members[name];
    return kind !== undefined && form.texts[kind] !== undefined;
  });
  if (odd.length === 0) return [];
  const together = textsOf(context, members, form, odd);
  const answer = await send(together);
  if (answer.accepted) return [{ texts: together, answer }];
  const alone: Attempt[] = [];
  for (const name of odd.length > 1 ? odd : []) {
    const texts = textsOf(context, members, form, [name]);
    const one = await send(texts);
    if (one.accepted) alone.push({ texts, answer: one });
  }
  return alone;
}

/**
 * Compares the answer of the write and every view with the texts that were sent. A text that one of them shows as sent
 * was stored: another view that differs shows it wrongly. Returns what is stored, as far as the answers tell.
 */
async function compare(
  { verify }: CaseContext,
  kind: TextCase,
  operation: OperationId,
  { texts: sent, answer }: Attempt,
  thing: TextThing,
): Promise<Texts> {
  const texts = { ...sent, ...thing.open };
  const data = valueAt(answer.json, "data");
  const own: Reading[] = typeof data === "object" ? [{ answer, shown: data }] : [];
  const readings = [...own, ...(await thing.read())];
  const members = Object.keys(texts).filter((member) => kind.stores[operation]?.[member] !== undefined);
  for (const { answer: evidence, shown, shows } of readings) {
    const requirementOf = (member: string): string => {
      const isStored = readings.some((one) => valueAt(one.shown, member) === texts[member]);
      const shown = typeof shows === "object" ? shows[member] : shows;
      return (isStored ? shown : undefined) ?? kind.stores[operation]?.[member] ?? "";
    };
    const parts = members.filter((member) => typeof shows !== "object" || member in shows);
    for (const [requirement, some] of Map.groupBy(parts, requirementOf))
      verify(requirement).equal(
        shown === undefined ? "absent" : pick(shown, some),
        pick(texts, some),
        `${some.map((member) => `\`${member}\``).join(" and ")} in the answer of ${evidence.operation} after ${operation}`,
        evidence,
      );
  }
  const shownText = (member: string): string | undefined => {
    const shown = readings
      .map((one) => valueAt(one.shown, member))
      .filter((text) => typeof text === "string");
    return shown.includes(texts[member] ?? "") ? texts[member] : shown[0];
  };
  return Object.fromEntries(
    Object.entries(texts).map(([member, text]) => [member, shownText(member) ?? text]),
  );
}

function storesOf({ stores }: TextCase, operation: OperationId, members: readonly string[]): string[] {
  return [...new Set(members.flatMap((member) => stores[operation]?.[member] ?? []))];
}

function pick(value: unknown, members: readonly string[]): Record<string, string> {
  return Object.fromEntries(members.map((member) => [member, valueAt(value, member) as string]));
}
