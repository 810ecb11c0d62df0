// An operation as an attack target: a harmless call, and what may replace each of its parts.
import type { OperationDefinition } from "../../../interface/operations/operation.ts";
import type { OperationId } from "../../../interface/operations/index.ts";

/**
 * How freely a member or parameter may be replaced. `free`: by anything, because the effect is limited to resources of
 * the case. `nonsense`: only by text that cannot be mistaken for a value. `fixed`: always sent unchanged.
 */
export type Freedom = "free" | "nonsense" | "fixed";

export interface HostileTarget {
  readonly operation: OperationId;
  readonly definition: OperationDefinition;
  readonly method: string;
  /** Path with its prefix, `{name}` for path parameters. */
  readonly template: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** JSON body of the harmless call; absent where the operation takes none. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** Text fields of the harmless form; absent where the operation takes none. */
  readonly form?: Readonly<Record<string, string>>;
  /** Members and query parameters that are not `free`. */
  readonly freedom: Readonly<Record<string, Freedom>>;
  /** Header and prefix that carry the token; undefined where no sign-in is needed. */
  readonly token: { readonly header: string; readonly prefix: string } | undefined;
}

/** A part of the state that can be read through the interface, and mostly restored. */
export interface StatePart {
  readonly name: string;
  /** The current state; undefined when unreadable. */
  readonly read: () => Promise<unknown>;
  readonly restore?: (reading: unknown) => Promise<unknown>;
  /** Operations whose purpose is to set it. */
  readonly setBy: readonly OperationId[];
  /** Operations that may change it when they are accepted. */
  readonly movedBy: ReadonlySet<OperationId>;
}

/** An operation under attack, with the follow-up of accepted requests. */
export interface AttackTarget extends HostileTarget {
  /** The caller's current token. */
  readonly callerToken: () => string;
  /** Called after a 401 to a request with the right token: signs in again or replaces the caller. */
  readonly renewCaller: () => Promise<void>;
  /** The state that the operation sets, which a rejected request must not change. */
  readonly sets?: StatePart;
  /** Called with each accepted answer, to remove created resources. */
  readonly takeBack?: (body: unknown) => Promise<void>;
}

export function freedomOf(target: HostileTarget, name: string): Freedom {
  return target.freedom[name] ?? "free";
}

/** Names of the parts that may be replaced, by at least nonsense. */
export function replaceable(target: HostileTarget, names: readonly string[]): string[] {
  return names.filter((name) => freedomOf(target, name) !== "fixed");
}
