// All mistakes in the text of a profile with their lines, and declarations that are incomplete.
import {
  type Profile,
  ProfileDocument,
  inspectDocument,
  parseProfile,
  mistakesOf,
} from "../../harness/index.ts";
import { isServiceId } from "../../interface/resources/services.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";

export interface ProfileMistakes {
  /** One line each, `file:line: what`; empty for a profile that can be used. */
  readonly mistakes: readonly string[];
  /** Remarks on a profile that can be used: cases that will be inconclusive or not applicable. */
  readonly remarks: readonly string[];
}

/** Checks the text without a gateway and without a password. */
export function checkProfile(text: string, origin: string): ProfileMistakes {
  const { value, mistakes, lineOf } = inspectDocument("profile", text, ProfileDocument);
  // What the schema cannot find is found as well where its place is valid.
  const canLookUp = mistakes.every(
    ({ pointer }) => pointer !== undefined && !/^(\/(binding|listenerPorts|upgrade).*)?$/.test(pointer),
  );
  const further = canLookUp ? mistakesOf(value as ProfileDocument) : [];
  const all = [...mistakes, ...further.map(({ pointer, message }) => ({ line: lineOf(pointer), message }))];
  const at = (line: number, message: string): string => `${origin}:${line}: ${message}`;
  if (all.length > 0) {
    const inOrder = all.toSorted((a, b) => a.line - b.line);
    return { mistakes: inOrder.map(({ line, message }) => at(line, message)), remarks: [] };
  }
  const profile = parseProfile(text, origin, { environment: {}, isOnlyRead: true });
  return {
    mistakes: [],
    remarks: [...halves(profile), ...strangeServices(value as ProfileDocument)].map(({ pointer, message }) =>
      at(lineOf(pointer), message),
    ),
  };
}

/** Declarations that need another one. */
function halves(profile: Profile): { pointer: string; message: string }[] {
  const found: { pointer: string; message: string }[] = [];
  const need = (id: CapabilityId, isThere: boolean, what: string): void => {
    if (profile.capabilities.has(id) && !isThere) {
      found.push({ pointer: `/capabilities/${id}`, message: `${id} is declared, but ${what}` });
    }
  };
  need("websocket", profile.websocket !== undefined, "websocket.path is missing");
  need("sign-in-lock", profile.signInLock !== undefined, "signInLock is missing");
  need("app-operations", profile.apps !== undefined, "apps.operable names no app");
  need("services", profile.switchableServices.length > 0, "switchableServices is empty");
  need("tag-stream", profile.liveTags !== undefined, "liveTags is missing");
  if (profile.gateway.version === "") {
    found.push({ pointer: "/gateway", message: "gateway.version is empty; a certificate needs it" });
  }
  if (profile.serialNumber === undefined) {
    found.push({
      pointer: "/serialNumber",
      message: "serialNumber is not declared; the default password of exports is not tested",
    });
  }
  return found;
}

/** Services that the interface does not name: whether a gateway takes them is open. */
function strangeServices({
  switchableServices = [],
}: ProfileDocument): { pointer: string; message: string }[] {
  const strange = switchableServices.filter((id) => !isServiceId(id));
  return strange.map((id) => ({
    pointer: "/switchableServices",
    message: `${id} is no service of the interface; the suite does not switch it`,
  }));
}
