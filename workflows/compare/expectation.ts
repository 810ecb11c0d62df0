// Whether a gateway must accept a request, by the interface and the expected state of the gateway.
import { permissionRules, signInRules } from "../../interface/behaviour/accounts.ts";
import type { Behaviour } from "../../interface/behaviour/behaviour.ts";
import { thing } from "../../interface/behaviour/index.ts";
import { isOperationId, operation } from "../../interface/operations/index.ts";
import { stringifyJson } from "../../record/index.ts";
import { type Authorisation, permits } from "../../interface/authorisation.ts";
import type { Vocabulary } from "./canonical.ts";
import { thingName } from "./observation.ts";
import { labelsNeeded, type Step } from "./step.ts";
import type { ResolvedInputs, Subject } from "./subject.ts";
import type { World } from "./world.ts";

/** `open`: the interface does not decide it. */
export interface Expectation {
  readonly must: "accepted" | "rejected" | "open";
  readonly requirement?: string;
  /** Status, where the interface states one. */
  readonly status?: number;
}

/** The caller, other than the administrator. */
export interface Caller {
  readonly label: string;
  /** Who may call the operation, as the profile declares it; undefined where it declares nothing. */
  readonly permission: Authorisation | undefined;
  /** Whether a later change of the user may have ended the sign-in. */
  readonly isDoubtful: boolean;
}

const open: Expectation = { must: "open" };

export function expectAnswer(
  step: Step,
  known: Behaviour | undefined,
  inputs: ResolvedInputs,
  subjects: readonly Subject[],
  world: World,
  caller: Caller | undefined,
  words: Vocabulary,
): Expectation {
  if (step.refusedBy !== undefined) return { must: "rejected", requirement: step.refusedBy };
  if (known === undefined || namesWhatIsGone(step, subjects, world)) return open;
  if (step.operation === "signIn") return expectSignIn(inputs, subjects, world);
  const byCaller = caller === undefined ? undefined : expectCaller(caller, world);
  if (byCaller !== undefined && byCaller.must !== "accepted") return byCaller;
  const byThings = expectByThings(known, subjects, world);
  if (byThings !== undefined) return byThings;
  if (known.does === "create" && isNameTaken(known, inputs, world, words)) return open;
  if (byCaller !== undefined) return byCaller;
  if (known.taken === false) return open;
  const requirement = known.taken ?? answerRequirement(step.operation);
  return requirement === undefined ? open : { must: "accepted", requirement };
}

/** Something besides the subject that was removed, such as a role given to a user. */
function namesWhatIsGone(step: Step, subjects: readonly Subject[], world: World): boolean {
  const own = new Set(subjects.map(({ label }) => label));
  const kinds = ["user", "role", "upgradeJob"] as const;
  return [...labelsNeeded(step)].some(
    (label) => !own.has(label) && kinds.some((kind) => world.isGone(thingName(kind, label))),
  );
}

function expectByThings(
  known: Behaviour,
  subjects: readonly Subject[],
  world: World,
): Expectation | undefined {
  for (const { kind, label, inputs } of subjects) {
    const name = thingName(kind, label);
    const isThere = thing(kind).key === undefined || world.things(kind).includes(name);
    if (known.does === "create") return isThere ? open : undefined;
    if (!isThere)
      return known.missing === undefined ? open : { must: "rejected", requirement: known.missing };
    const { onlyWhen, needsSupport, afterWriteOf, agrees = [] } = known;
    if (onlyWhen !== undefined) {
      const fact = world.fact(name, onlyWhen.field);
      if (fact === undefined || fact.isOpen) return open;
      const { requirement, status } = onlyWhen;
      if (!onlyWhen.values.some((value) => stringifyJson(value) === fact.text))
        return { must: "rejected", requirement, ...(status === undefined ? {} : { status }) };
    }
    if (needsSupport !== undefined && inputs[needsSupport.input] === true) {
      const support = world.fact(name, needsSupport.field);
      if (support?.text === "false") return { must: "rejected", requirement: needsSupport.requirement };
      if (support === undefined) return open;
    }
    if (agrees.some((field) => world.fact(name, field)?.text !== stringifyJson(inputs[field]))) return open;
    if (afterWriteOf !== undefined) {
      const written = world.fact(name, afterWriteOf);
      if (written?.requirement === undefined || written.isOpen) return open;
    }
  }
  return undefined;
}

/** The interface does not say whether two things may have the same name. */
function isNameTaken(known: Behaviour, inputs: ResolvedInputs, world: World, words: Vocabulary): boolean {
  const name = inputs.json?.["name"];
  if (typeof name !== "string") return false;
  const wanted = stringifyJson(words.text(name));
  return world.things(known.kind).some((other) => world.fact(other, "name")?.text === wanted);
}

function expectSignIn(inputs: ResolvedInputs, subjects: readonly Subject[], world: World): Expectation {
  const user = subjects[0];
  if (user === undefined) return open;
  const name = thingName("user", user.label);
  if (!world.things("user").includes(name)) return { must: "rejected", ...signInRules.unknownName };
  const active = world.fact(name, "isActive");
  if (active === undefined || active.isOpen) return open;
  if (active.text !== "true") return { must: "rejected", ...signInRules.notActive };
  const given = stringifyJson(inputs.json?.["password"]);
  const first = world.fact(name, "password")?.text;
  const latest = world.fact(name, "newPassword")?.text;
  const right = latest ?? first;
  if (right === undefined) return open;
  if (given === right) {
    return latest === undefined
      ? { must: "accepted", ...signInRules.taken }
      : { must: "accepted", ...signInRules.formerPassword };
  }
  return {
    must: "rejected",
    ...(given === first ? signInRules.formerPassword : signInRules.wrongPassword),
  };
}

function expectCaller(caller: Caller, world: World): Expectation {
  if (caller.isDoubtful || caller.permission === undefined) return open;
  if (caller.permission === "signed-in" || caller.permission === "none")
    return { must: "accepted", requirement: signInRules.taken.requirement };
  const roles = world.fact(thingName("user", caller.label), "roles");
  if (roles === undefined || roles.isOpen) return open;
  const held = new Set<string>();
  for (const role of JSON.parse(roles.text) as string[]) {
    const permissions = world.fact(thingName("role", role), "permissions");
    if (permissions === undefined || permissions.isOpen) return open;
    for (const permission of JSON.parse(permissions.text) as string[]) held.add(permission);
  }
  return permits(caller.permission, held)
    ? { must: "accepted", requirement: permissionRules.held }
    : { must: "rejected", requirement: permissionRules.lacking };
}

/** The requirement on the answer of an operation is that of the schema of its answer. */
function answerRequirement(id: string): string | undefined {
  const schema = isOperationId(id) ? operation(id).answer : undefined;
  const requirement: unknown = (schema as { requirement?: unknown } | undefined)?.requirement;
  return typeof requirement === "string" ? requirement : undefined;
}
