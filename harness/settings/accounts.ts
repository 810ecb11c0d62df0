import { scratchPrefix } from "../suite/scratchPrefix.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import { listedDataOf, type Members } from "./setting.ts";

/** Users and roles that the suite did not make, without what changes with sign-ins and assignments. */
export async function readAccounts({ admin }: GatewayUnderTest): Promise<Members | undefined> {
  const users = await admin.call("listUsers");
  const roles = await admin.call("listRoles");
  return {
    users: users.accepted ? others(listedDataOf(users), "loginAt") : undefined,
    roles: roles.accepted ? others(listedDataOf(roles), "users") : undefined,
  };
}

function others(data: unknown, omitted: string): unknown {
  if (!Array.isArray(data)) return undefined;
  return data
    .map((entry: unknown) => new Map<string, unknown>(Object.entries(entry ?? {})))
    .filter((entry) => !String(entry.get("name")).startsWith(scratchPrefix))
    .map((entry) => Object.fromEntries([...entry].filter(([member]) => member !== omitted)));
}
