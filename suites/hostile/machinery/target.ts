// An operation as something to attack: a call that does no harm, and what of it may be replaced by what.
import type { OperationDefinition } from "../../../interface/operations/operation.ts";
import type { OperationId } from "../../../interface/operations/index.ts";

/**
 * How freely a member or parameter may be replaced. `free`: by anything, for whatever a gateway makes of it stays with
 * the case's own things. `nonsense`: only by what nobody can take for a value. `fixed`: it is always sent as it is.
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
  /** Header and prefix that carry the token; undefined where nobody needs to sign in. */
  readonly token: { readonly header: string; readonly prefix: string } | undefined;
}

/** A part of the state that can be read through the interface, and mostly put back. */
export interface StatePart {
  readonly name: string;
  /** What must stay as it is; undefined when it cannot be read. */
  readonly read: () => Promise<unknown>;
  readonly restore?: (reading: unknown) => Promise<unknown>;
  /** Operations that are there to set it. */
  readonly setBy: readonly OperationId[];
  /** Operations that may change it when they are accepted. */
  readonly movedBy: ReadonlySet<OperationId>;
}

/** An operation under attack, and what the case does about what comes of it. */
export interface AttackTarget extends HostileTarget {
  /** The caller's token as it is now. */
  readonly callerToken: () => string;
  /** Called when a request that carried the right token was answered 401: somebody else may be the caller then. */
  readonly renewCaller: () => Promise<void>;
  /** What the operation sets: it must stay as it is when a request is refused. */
  readonly sets?: StatePart;
  /** Called with each accepted answer, to take back what was made. */
  readonly takeBack?: (body: unknown) => Promise<void>;
}

export function freedomOf(target: HostileTarget, name: string): Freedom {
  return target.freedom[name] ?? "free";
}

/** Names of the parts that may be replaced, by at least nonsense. */
export function replaceable(target: HostileTarget, names: readonly string[]): string[] {
  return names.filter((name) => freedomOf(target, name) !== "fixed");
}
