import type { Static, TSchema } from "typebox";
import type { operations, OperationId } from "../../interface/operations/index.ts";

type Definition<Id extends OperationId> = (typeof operations)[Id];
type Part<Id extends OperationId, Key extends string> =
  Definition<Id> extends { readonly [K in Key]: infer S extends TSchema } ? Static<S> : never;
type RequiredPart<Id extends OperationId, Key extends string> = [Part<Id, Key>] extends [never]
  ? { readonly [K in Key]?: never }
  : Record<string, never> extends Part<Id, Key>
    ? { readonly [K in Key]?: Part<Id, Key> }
    : { readonly [K in Key]: Part<Id, Key> };
type OptionalPart<Id extends OperationId, Key extends string> = [Part<Id, Key>] extends [never]
  ? { readonly [K in Key]?: never }
  : { readonly [K in Key]?: Part<Id, Key> };

/** A file in a form. */
export interface FormFile {
  readonly fileName: string;
  readonly content: Uint8Array;
}

interface Common {
  /** How long the harness waits for the answer; not a limit for the gateway. Default: the profile's patience. */
  readonly patienceMs?: number;
  /** True where the gateway may lock the name: 429 then rejects the sign-in, and is not waited for. */
  readonly isLockPossible?: boolean;
  /**
   * Which characters of path parameters are percent-encoded: all that may have a meaning (default), or only those that
   * no segment of a path may contain (RFC 3986, 3.3), so that `+` and `&` are sent as they are.
   */
  readonly escapes?: "all" | "needed";
}

/** Inputs that the interface allows for the operation. Give `json` or `form` where it has both. */
export type Inputs<Id extends OperationId> = Common &
  RequiredPart<Id, "path"> &
  RequiredPart<Id, "query"> &
  OptionalPart<Id, "headers"> &
  OptionalPart<Id, "json"> & {
    readonly form?: Definition<Id> extends { readonly form: infer S extends TSchema }
      ? FormOf<Static<S>>
      : never;
  };

type FormOf<F> = { readonly [K in keyof F]: NonNullable<F[K]> extends Uint8Array ? FormFile : F[K] };

/** Inputs that break the interface on purpose: nothing is checked, everything is sent unchanged. */
export interface InvalidInputs extends Common {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Serialised as JSON. */
  readonly json?: unknown;
  /** Sent byte by byte, with the content type given. */
  readonly raw?: { readonly contentType: string; readonly content: string | Uint8Array };
  readonly form?: Readonly<Record<string, string | number | boolean | FormFile>>;
  /** The path as it is sent in place of the declared one; without the query. */
  readonly spelled?: (path: string) => string;
}
