// Roles that are removed while a user has them.
import type { CaseContext } from "../../harness/index.ts";
import { createRole, needsAnother, permissionsFor, removeLater } from "../users/accounts.ts";
import { trySignIn } from "../users/passwords.ts";

const left = ["CORE-USER-57", "CORE-AUTH-35"] as const;

/** Removes a role that a user has: neither that user nor a later role has anything of it. */
export async function verifyRemovedRole(context: CaseContext): Promise<void> {
  const { gateway, profile, scratch, verify } = context;
  const { admin } = gateway;
  const notRemoved = (reason: string): void => {
    for (const id of left) verify(id).notApplicable("permissions of a removed role", reason);
  };
  if (!profile.extensions.has("deleteRole")) return notRemoved("the profile does not declare deleteRole");
  const enough = permissionsFor(profile, "createRole");
  const user = await scratch.user({ permissions: enough.length > 0 ? enough : profile.permissions });
  const removal = await admin.callExtension("deleteRole", { path: { id: user.roleId } });
  // Whether a role that a user has may be removed is not stated.
  if (!removal.accepted) return notRemoved("the gateway does not remove a role that a user has");
  const json = {
    name: scratch.name("role"),
    description: "after a removal",
    permissions: [...user.permissions],
  };
  const next = await createRole(context, json);
  if (next.accepted) {
    const again = await admin.call("getRole", { path: { id: next.data().id } });
    for (const answer of [next, again])
      verify("CORE-ROLE-11").equal(
        answer.data().users,
        [],
        `\`users\` of a role created after the removal of another one, in the answer of ${answer.operation}`,
        answer,
      );
  }
  const reading = await admin.call("getUser", { path: { id: user.id } });
  const list = await admin.call("listUsers");
  const listed = list.data().find(({ id }) => id === user.id);
  // Whether the user continues to show a role that is no more is not stated.
  if (reading.data().roles.length > 0 || (listed?.roles.length ?? 0) > 0)
    return notRemoved("the user continues to show the role");
  for (const [seen, evidence] of [
    [reading.data(), reading],
    ...(listed === undefined ? [] : [[listed, list] as const]),
  ] as const)
    // A user may have further ones that everybody has.
    verify("CORE-USER-57").equal(
      profile.permissions.filter((one) => seen.permissions.includes(one)),
      [],
      `known permissions of a user whose only role was removed, in the answer of ${evidence.operation}`,
      evidence,
    );
  const signedIn = await trySignIn(context, user.name, user.password);
  const reason = "the user cannot sign in, or anyone may create a role";
  if (!signedIn.accepted || !needsAnother(profile, "createRole", []))
    return verify("CORE-AUTH-35").notApplicable("permissions of a removed role", reason);
  const session = gateway.withToken(signedIn.data().token, user.name);
  const attempt = await session.call("createRole", { json: { ...json, name: scratch.name("role") } });
  removeLater(context, attempt, "deleteRole", "role");
  verify("CORE-AUTH-35").refused(attempt);
}
