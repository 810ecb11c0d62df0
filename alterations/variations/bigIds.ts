// Ids of users beyond 2^53, which no double holds.
import { type CallId, changed } from "../mechanism/operationAlterations.ts";
import { type Fields, fields, items } from "../mechanism/edits.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";

const shift = 2n ** 53n + 1n;
const users: readonly CallId[] = [
  "listUsers",
  "addUser",
  "getUser",
  "updateUser",
  "getCurrentUser",
  "updateCurrentUser",
  "updateUserPassword",
  "updateCurrentUserPassword",
];
const roles: readonly CallId[] = ["listRoles", "getRole", "createRole", "updateRole"];
const named = ["getUser", "updateUser", "updateUserPassword"] as const;

export function bigUserIds(at: GatewayAlterations): void {
  at.lenient(named, "path", "id");
  at.around([...named, "deleteUser"], (call, proceed) => {
    const given = String(call.path["id"]);
    // The gateway's own ids are nobody's: 0 is never given.
    const own = /^\d+$/.test(given) && BigInt(given) > shift ? BigInt(given) - shift : 0n;
    return proceed(changed(call, { path: { ...call.path, id: String(own) } }));
  });
  at.data(users, shifted);
  at.data(roles, (role) => ({ ...role, users: items(role["users"]).map((user) => shifted(fields(user))) }));
  at.data("signIn", (data) => ({ ...data, user: shifted(fields(data["user"])) }));
}

function shifted(user: Fields): Fields {
  return typeof user["id"] === "number" ? { ...user, id: BigInt(user["id"]) + shift } : user;
}
