// The effect of an accepted request on the model of the gateway.
import type { Behaviour } from "../../interface/behaviour/behaviour.ts";
import { isThingKind, thingKinds } from "../../interface/behaviour/index.ts";
import { stringifyJson } from "../../record/index.ts";
import { canonical, type Vocabulary } from "./canonical.ts";
import { thingName } from "./observation.ts";
import { inputFor, type Subject } from "./subject.ts";
import type { World } from "./world.ts";

/** Applies a request that the gateway accepted at step `at`. */
export function applyEffects(
  known: Behaviour,
  subjects: readonly Subject[],
  world: World,
  words: Vocabulary,
  at: number,
): void {
  if (known.does === "show" || known.does === "list") return;
  for (const { kind, label, inputs } of subjects) {
    if (known.does === "remove") {
      world.removed(kind, label, known.gone);
      continue;
    }
    if (known.does === "create") world.created(kind, label);
    const name = thingName(kind, label);
    for (const [field, requirement] of Object.entries(known.stores ?? {})) {
      const value = inputFor(known, inputs, field);
      const byDefault = known.defaults?.[field];
      if (value !== undefined) {
        world.expect(name, field, canonical(kind, field, value, words), requirement, at);
      } else if (byDefault !== undefined) {
        world.expect(name, field, stringifyJson(byDefault[0]), byDefault[1], at);
      } else if (known.keepsOmitted !== true) {
        world.unsettle(name, field);
      }
    }
    expectDefaults(known, name, inputs, world, at);
    for (const [field, [value, requirement]] of Object.entries(known.sets ?? {}))
      world.expect(name, field, stringifyJson(value), requirement, at);
    for (const place of [...(known.unsettles ?? []), ...(known.unsettlesBySubject?.[label] ?? [])])
      unsettle(place, name, world);
  }
  for (const kind of known.keepsEverything === true ? thingKinds : [known.kind])
    world.wrote(kind, at, known.keeps);
}

/** An omitted input has the value of a setting. */
function expectDefaults(
  known: Behaviour,
  name: string,
  inputs: Subject["inputs"],
  world: World,
  at: number,
): void {
  for (const [field, source] of Object.entries(known.defaultsFrom ?? {})) {
    if (inputFor(known, inputs, field) !== undefined) continue;
    const setting = world.fact(source.kind, source.field);
    if (setting !== undefined && !setting.isOpen)
      world.expect(name, field, setting.text, source.requirement, at);
  }
}

function unsettle(place: string, name: string, world: World): void {
  const elsewhere = /^(\w+):(\w*)\.(.+)$/.exec(place);
  if (elsewhere === null) return world.unsettle(name, place);
  const [, kind = "", label = "", field = ""] = elsewhere;
  if (isThingKind(kind)) world.unsettle(thingName(kind, label), field);
}
