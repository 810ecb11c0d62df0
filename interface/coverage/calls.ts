// Cells of callers: every operation by everyone who may or may not call it.
import { defaultAuthorisation } from "../authorisation.ts";
import { operation, operationIds, type OperationId } from "../operations/index.ts";
import { type Cell, cell, notObservable, notStated } from "./cell.ts";

/** Callers, with the requirements whose checks tell that a request was made by one of them. */
export const callers = {
  anonymous: ["CORE-AUTH-18"],
  "without-permission": ["CORE-AUTH-23"],
  "only-permission": ["CORE-AUTH-24"],
  administrator: [],
  "unknown-token": ["CORE-AUTH-19"],
  "altered-token": ["CORE-AUTH-20"],
  "websocket-token": ["CORE-AUTH-14"],
  "inactive-user": ["CORE-AUTH-29"],
  "expired-user": ["CORE-AUTH-30"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Caller = keyof typeof callers;
export const callerNames = Object.keys(callers) as Caller[];

/** Rules that the interface states once: one operation with each token shows them. */
const anyOperation: readonly Caller[] = ["inactive-user", "expired-user"];

export const callCells: readonly Cell[] = [
  ...operationIds.flatMap((id) =>
    callerNames.filter((name) => !anyOperation.includes(name)).map((name) => callCell(id, name)),
  ),
  ...anyOperation.map((name) =>
    cell({
      kind: "call",
      subject: "any",
      aspect: `caller:${name}`,
      group: "auth",
      operations: ["signIn"],
      place: "Authentication",
    }),
  ),
];

function callCell(id: OperationId, caller: Caller): Cell {
  return cell({
    kind: "call",
    subject: id,
    aspect: `caller:${caller}`,
    group: operation(id).group,
    operations: [id],
    place: "Authentication 2",
    ...reason(id, caller),
  });
}

function reason(id: OperationId, caller: Caller): object {
  const permission = defaultAuthorisation[id];
  if (caller === "administrator" && (id === "updateCurrentUser" || id === "updateCurrentUserPassword"))
    return notObservable("a change of the administrator's own record could end the access of the run");
  if (id === "signIn" && caller !== "anonymous")
    return notStated("a sign-in needs no token; the interface does not say what a token with it means");
  if (permission === "signed-in" && (caller === "without-permission" || caller === "only-permission"))
    return notStated("no permission is tied to the operation by default");
  return {};
}
