// What a gateway tells about itself when it is asked politely: only reading calls, nothing is changed.
import type { ExtensionId } from "../../interface/binding.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";

/** What was found of one capability, and how. */
export interface CapabilityFinding {
  /** Undefined when the answers do not tell. */
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
  /** What the token itself says; undefined when it says nothing. */
  readonly tokenLifetimeSec: number | undefined;
  readonly capabilities: ReadonlyMap<CapabilityId, CapabilityFinding>;
  /** Operations of served groups that the gateway says it has not. */
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
