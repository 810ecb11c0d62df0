// The token of a request, and whether its permissions suffice.
import type { RequiredPermission } from "../../interface/authorisation.ts";
import type { Call, Caller } from "./handler.ts";

const bearer = /^Bearer +(\S+) *$/i;

/** The sign-in token of a request: `Authorization: Bearer`, for tag operations also `mx-api-token`. */
export function tokenOf(headers: Call["headers"], isTagOperation: boolean): string | undefined {
  const own = headers["mx-api-token"];
  if (isTagOperation && typeof own === "string" && own !== "") return own;
  const { authorization } = headers;
  return typeof authorization === "string" ? bearer.exec(authorization)?.[1] : undefined;
}

/** Whether a signed-in caller has the required permission, or one of them. */
export function hasPermission(caller: Caller, permission: RequiredPermission): boolean {
  if (permission === "none" || permission === "signed-in") return true;
  return [permission].flat().some((one) => caller.permissions.has(one));
}
