// Effects of operations on the things that a gateway stores: the data for a model of its state.
import type { ExtensionId } from "../binding.ts";
import type { OperationId } from "../operations/index.ts";
import { accountBehaviours, accountThings } from "./accounts.ts";
import type { Behaviour, Thing, ThingKind } from "./behaviour.ts";
import { eventBehaviours, eventThings, tagBehaviours, tagThings } from "./eventsAndTags.ts";
import { systemBehaviours, systemThings } from "./system.ts";

const things: Readonly<Record<ThingKind, Thing>> = {
  ...accountThings,
  ...systemThings,
  ...eventThings,
  ...tagThings,
};

export const thingKinds = Object.keys(things) as ThingKind[];

const behaviours: Readonly<Partial<Record<OperationId | ExtensionId, Behaviour>>> = {
  ...accountBehaviours,
  ...systemBehaviours,
  ...eventBehaviours,
  ...tagBehaviours,
};

export function thing(kind: ThingKind): Thing {
  return things[kind];
}

/** Effect of the operation; undefined where none is described. */
export function behaviour(operation: OperationId | ExtensionId): Behaviour | undefined {
  return behaviours[operation];
}

export function isThingKind(text: string): text is ThingKind {
  return Object.hasOwn(things, text);
}

/** Whether the value is one of the names in the table. */
export function isOneOf<T extends object>(table: T, value: unknown): value is keyof T {
  return typeof value === "string" && Object.hasOwn(table, value);
}
