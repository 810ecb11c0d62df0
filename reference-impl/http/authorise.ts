// The token of a request, and whether its permissions suffice.
import type { Call } from "./handler.ts";

const bearer = /^Bearer +(\S+) *$/i;

/** The sign-in token of a request: `Authorization: Bearer`, for tag operations also `mx-api-token`. */
export function tokenOf(headers: Call["headers"], isTagOperation: boolean): string | undefined {
  const own = headers["mx-api-token"];
  if (isTagOperation && typeof own === "string" && own !== "") return own;
  const { authorization } = headers;
  return typeof authorization === "string" ? bearer.exec(authorization)?.[1] : undefined;
}
