// What the observation of cells needs to know of an answer, a stream and a profile.
import type { CallId } from "../interface/binding.ts";
import type { CapabilityId } from "../interface/vocabulary/capabilities.ts";

/** An answer, and whether anybody read its body: a check can only see what was read. */
export interface ObservedAnswer<Id extends CallId = CallId> {
  readonly operation: Id;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the gateway accepted the request: 2xx. */
  readonly accepted: boolean;
  readonly isRead: boolean;
  /** Number of bytes of the body. */
  readonly length: number;
  /** The body as JSON without counting as a reader; undefined for another body. */
  peek(): unknown;
}

/** A stream at the end of its case. */
export interface StreamState {
  readonly count: number;
  readonly ended: boolean;
}

/** What a profile declares of operations and services. */
export interface ObservedProfile {
  readonly binding: ReadonlyMap<string, { readonly path: string; readonly served: boolean }>;
  readonly capabilities: ReadonlySet<CapabilityId>;
  readonly switchableServices: readonly string[];
}
