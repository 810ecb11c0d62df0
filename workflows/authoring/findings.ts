// The findings on a gateway by reading calls only.
import type { Authorisation } from "../../interface/authorisation.ts";
import type { ExtensionId } from "../../interface/binding.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";

/** The finding on one capability, and its reason. */
export interface CapabilityFinding {
  /** Undefined when the answers do not show it. */
  readonly offered: boolean | undefined;
  readonly why: string;
}

/** Header and prefix that carry a token. */
export interface TokenPlace {
  readonly header: string;
  readonly prefix: string;
}

export interface Findings {
  readonly url: string;
  readonly userName: string;
  readonly pathPrefix: string;
  /** The prefix of the tag service. */
  readonly tagPathPrefix: string;
  readonly token: TokenPlace;
  readonly tagToken: TokenPlace;
  /** The lifetime in the token; undefined when it has none. */
  readonly tokenLifetimeSec: number | undefined;
  readonly capabilities: ReadonlyMap<CapabilityId, CapabilityFinding>;
  /** Operations of served groups that the gateway reports as absent. */
  readonly unserved: readonly OperationId[];
  /** Operations that make changes, and whose method OPTIONS does not name. */
  readonly unnamed: readonly OperationId[];
  readonly extensions: readonly ExtensionId[];
  readonly permissions: readonly string[];
  readonly services: readonly string[];
  readonly apps: readonly string[];
  /** Reset modes that it supports. */
  readonly resetModes: readonly string[];
  readonly tagProviders: readonly string[];
  readonly liveTags:
    | { readonly provider: string; readonly source: string; readonly tags: readonly string[] }
    | undefined;
  /** What was learned by changes that were undone; absent without `--try`. */
  readonly tried?: Tried;
}

export interface Tried {
  /** Operations whose permission differs from the default. */
  readonly permissions: ReadonlyMap<OperationId, Authorisation>;
  /** Reading operations that no user of the trial may call. */
  readonly unknownPermissions: readonly OperationId[];
  /** Whether a stream of changes opens with the present value; absent when that could not be learned. */
  readonly streamOpensWithValue?: boolean;
  /** Whether a reset of one scope reboots the gateway. */
  readonly resetReboots: boolean | undefined;
  /** What could not be learned or undone. */
  readonly remarks: readonly string[];
}
