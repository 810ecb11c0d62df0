// Deviations that several groups of the interface can have.
import type { OperationId } from "../../interface/operations/index.ts";
import { at as valueAt, drop, type Fields, fields, put } from "../mechanism/edits.ts";
import type { Fault } from "./fault.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { changed } from "../mechanism/operationAlterations.ts";

type Install = Fault["install"];

/** The setter returns the member as given but does not store it. */
export function doesNotStore(setter: OperationId, member: string): Install {
  return (at) =>
    at.around(setter, async (call, proceed) => {
      const wish = valueAt(call.body, member);
      const answer = await proceed(changed(call, { body: drop(call.body, member) }));
      if (wish === undefined || answer.kind !== "json") return answer;
      return { ...answer, body: put(answer.body, `data.${member}`, wish) };
    });
}

/** All answers show the members as given, but they never take effect. */
export function onlyShows(
  setters: readonly OperationId[],
  getter: OperationId,
  ...members: string[]
): Install {
  return (at) => {
    let shown: Fields = {};
    const show = (body: Fields): Fields =>
      Object.entries(shown).reduce<Fields>((whole, [name, value]) => put(whole, `data.${name}`, value), body);
    at.around(setters, async (call, proceed) => {
      const wishes = members.filter((name) => valueAt(call.body, name) !== undefined);
      const body = wishes.reduce<Fields>((whole, name) => drop(whole, name), { ...call.body });
      const answer = await proceed(changed(call, { body }));
      if (answer.kind !== "json") return answer;
      shown = { ...shown, ...Object.fromEntries(wishes.map((name) => [name, valueAt(call.body, name)])) };
      return { ...answer, body: show(fields(answer.body)) };
    });
    at.answer(getter, show);
  };
}

/** The operation accepts a missing or wrong member, and replaces it with the value given here. */
export function accepts(id: OperationId, member: string, instead: unknown, isWrong = isMissing): Install {
  return (at) => {
    at.lenient(id, "json", member);
    at.body(id, (body) => (isWrong(body[member]) ? { ...body, [member]: instead } : body));
  };
}

function isMissing(value: unknown): boolean {
  return value === undefined;
}

/** The durable settings of these names are lost at every boot. */
export function losesAtBoot(...settings: string[]): Install {
  return (at) =>
    at.boot((store) => {
      for (const name of settings) store.run("DELETE FROM setting WHERE name = ?", name);
    });
}

/** The operation has no effect, and answers with success. */
export function hasNoEffect(
  id: OperationId,
  answer: (call: { path: Readonly<Record<string, string>> }) => unknown,
): Install {
  return (at) => at.around(id, (call) => ({ kind: "json", status: 200, body: answer(call) }));
}

/** The operation answers with success when it should reject. */
export function hidesRejections(
  at: GatewayAlterations,
  id: OperationId,
  body: unknown,
  isMeant: (thrown: unknown) => boolean,
): void {
  at.around(id, async (call, proceed) => {
    try {
      return await proceed(call);
    } catch (thrown) {
      if (!isMeant(thrown)) throw thrown;
      return { kind: "json", status: 200, body };
    }
  });
}

/** Events of these kinds of the catalogue are not recorded. */
export function withoutEvents(...kinds: readonly number[]): Install {
  return (at) =>
    at.raise((kind, detail, proceed) => (kinds.includes(kind) ? undefined : proceed(kind, detail)));
}

/** Whether the values of a provider come from field devices rather than users. */
export const isField = (provider: string): boolean => /^(modbus|opcua)_/.test(provider);
