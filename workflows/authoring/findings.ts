// The findings on a gateway by reading calls only.
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
  readonly token: TokenPlace;
  readonly tagToken: TokenPlace;
  /** The lifetime in the token; undefined when it has none. */
  readonly tokenLifetimeSec: number | undefined;
  readonly capabilities: ReadonlyMap<CapabilityId, CapabilityFinding>;
  /** Operations of served groups that the gateway reports as absent. */
  readonly unserved: readonly OperationId[];
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
}
