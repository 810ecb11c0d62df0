// Pact for JavaScript, loaded only by the commands that need it: its core is native.
import { UsageError, messageOf } from "../../record/index.ts";
import type * as Pact from "@pact-foundation/pact";

export type PactLibrary = typeof Pact;
export type Matchers = PactLibrary["MatchersV3"];

/** Throws a UsageError on a platform for which the native core is not published. */
export async function loadPact(): Promise<PactLibrary> {
  // The native core reports its use to a web service unless this variable is set.
  process.env["PACT_DO_NOT_TRACK"] ??= "true";
  return await import("@pact-foundation/pact").catch((thrown: unknown) => {
    throw new UsageError(
      "CONTRACT_VERIFIER_MISSING",
      `the package @pact-foundation/pact cannot be loaded (${messageOf(thrown)}). ` +
        "Fix: npm install @pact-foundation/pact, or verify the files of contract/ with another Pact library",
    );
  });
}
