// Hostile requests for one operation, derived from its schema. One part is replaced at a time, which makes the cause of
// a wrong answer evident.
import fc from "fast-check";
import { assemble } from "./assemble.ts";
import { certainChanges, type Changes, formChanges, jsonChanges } from "./bodies.ts";
import type { HostileKind, HostileRequest } from "./request.ts";
import type { HostileTarget } from "./target.ts";
import { headerChanges, methodChanges, pathChanges, queryChanges } from "./wires.ts";

/** Requests of every kind that applies to the operation, about equally many of each. */
export function hostileRequests(target: HostileTarget): fc.Arbitrary<HostileRequest> {
  const kinds = Object.entries(changesOf(target)) as [HostileKind, Changes][];
  return fc.oneof(...kinds.map(([kind, changes]) => changes.map((change) => assemble(target, kind, change))));
}

/** Requests that are sent with every seed. */
export function certainRequests(target: HostileTarget): HostileRequest[] {
  if (target.json === undefined) return [];
  return certainChanges(target).map((change) => assemble(target, "odd-text", change));
}

function changesOf(target: HostileTarget): Partial<Record<HostileKind, Changes>> {
  const form = formChanges(target);
  const json = jsonChanges(target);
  return {
    ...form,
    ...json,
    "path-trick": pathChanges(target),
    "odd-query": queryChanges(target),
    "header-game": headerChanges(target),
    "odd-method": methodChanges,
  };
}
