// Faults of words that are found by a part of them, or by what they begin with.
import { resetModes, resetScopes } from "../../interface/resources/reboot.ts";
import { serviceIds } from "../../interface/resources/services.ts";
import { badInput } from "../../reference-impl/base/refusal.ts";
import { type Fault, faults } from "./fault.ts";
import { changed } from "../mechanism/operationAlterations.ts";

type Match = (known: string, given: string) => boolean;

const isBeginning: Match = (known, given) => known.startsWith(given);
const beginsWith: Match = (known, given) => given.startsWith(known);

export const similarWordFaults: readonly Fault[] = faults([
  [
    "scope-is-found-by-its-beginning",
    "CORE-REBOOT-26",
    "subtle",
    "A text that a scope begins with resets that scope.",
    findsScopes(isBeginning),
  ],
  [
    "scope-with-more-letters-is-taken",
    "CORE-REBOOT-26",
    "subtle",
    "A text that begins with a scope resets that scope.",
    findsScopes(beginsWith),
  ],
  [
    "mode-is-found-by-its-beginning",
    "CORE-REBOOT-27",
    "subtle",
    "A text that a mode begins with is that mode.",
    findsModes(isBeginning),
  ],
  [
    "mode-with-more-letters-is-taken",
    "CORE-REBOOT-27",
    "subtle",
    "A text that begins with a mode is that mode.",
    findsModes(beginsWith),
  ],
  [
    "beginning-of-a-service-id-enables-it",
    "CORE-SERVICE-18",
    "subtle",
    "A text that the id of a service begins with enables that service.",
    findsService("enableService"),
  ],
  [
    "beginning-of-a-service-id-disables-it",
    "CORE-SERVICE-19",
    "subtle",
    "A text that the id of a service begins with disables that service.",
    findsService("disableService"),
  ],
]);

/** The known word that the given one is taken for; an exact one first. */
function taken(known: readonly string[], given: unknown, match: Match): unknown {
  const word = String(given);
  return known.find((one) => one === word) ?? known.find((one) => match(one, word)) ?? given;
}

function findsScopes(match: Match): Fault["install"] {
  return (at) => {
    at.lenient("resetToDefault", "query", "scopes");
    at.around("resetToDefault", (call, proceed) => {
      const scopes = [call.query["scopes"] ?? []].flat().map((scope) => taken(resetScopes, scope, match));
      for (const scope of scopes) assertKnown(resetScopes, scope);
      return proceed(changed(call, { query: { ...call.query, scopes } }));
    });
  };
}

function findsModes(match: Match): Fault["install"] {
  return (at) => {
    at.lenient("resetToDefault", "query", "mode");
    at.around("resetToDefault", (call, proceed) => {
      const mode = taken(resetModes, call.query["mode"] ?? "system", match);
      assertKnown(resetModes, mode);
      return proceed(changed(call, { query: { ...call.query, mode } }));
    });
  };
}

function findsService(operation: "enableService" | "disableService"): Fault["install"] {
  return (at) => {
    at.lenient(operation, "path", "id");
    at.around(operation, (call, proceed) => {
      const id = String(taken(serviceIds, call.path["id"], isBeginning));
      return proceed(changed(call, { path: { id } }));
    });
  };
}

function assertKnown(known: readonly string[], word: unknown): void {
  if (!known.some((one) => one === word)) throw badInput(`${String(word)}: expected ${known.join(", ")}`);
}
