import { scratchPrefix } from "../suite/scratchPrefix.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import type { Answer } from "../transport/answer.ts";
import { listedDataOf, type Members, objectOf } from "./setting.ts";

/** Facts that follow from other accounts, from sign-ins, or from the moment of creation. */
const omitted: ReadonlySet<string> = new Set(["id", "createdAt", "loginAt", "users"]);

/** Users and roles that the suite did not make, each by its name. */
export async function readAccounts({ admin }: GatewayUnderTest): Promise<Members | undefined> {
  const users = await admin.call("listUsers");
  const roles = await admin.call("listRoles");
  if (!users.accepted && !roles.accepted) return undefined;
  return { ...byName("user", users), ...byName("role", roles) };
}

function byName(kind: string, list: Answer): Members {
  const data = list.accepted ? listedDataOf(list) : undefined;
  return Object.fromEntries(
    (Array.isArray(data) ? data : [])
      .map((entry: unknown) => objectOf(entry) ?? {})
      .filter(({ name }) => !String(name).startsWith(scratchPrefix))
      .map((entry) => [`${kind} ${String(entry["name"])}`, factsOf(entry)]),
  );
}

function factsOf(entry: Members): Members {
  const kept = Object.entries(entry).filter(([member]) => !omitted.has(member));
  return Object.fromEntries(kept.map(([name, value]) => [name, namesOf(value)]));
}

/** The entries of a list, whose order is not stated; roles by their names, because a reset may give them other ids. */
function namesOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown) => String(objectOf(entry)?.["name"] ?? entry)).toSorted();
}
