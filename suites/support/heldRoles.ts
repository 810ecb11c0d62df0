// A user with two roles, as the user and both roles show it.
import type { CaseContext } from "../../harness/index.ts";
import { idsOf } from "../users/accounts.ts";

/** Creates them; a user may be limited to one role. */
export async function heldRoles({ gateway: { admin }, profile, scratch }: CaseContext) {
  const user = await scratch.user({ permissions: profile.permissions });
  const other = await scratch.role(profile.permissions.slice(0, 1));
  const path = { id: user.id };
  await admin.call("updateUser", { path, json: { roles: [user.roleId, other.id] } });
  return {
    what: "roles of a user, and that user among `users` of both",
    async read(): Promise<unknown> {
      const listed = (await admin.call("listUsers")).data().find(({ id }) => id === user.id);
      if (listed === undefined) return "absent";
      const { roles } = (await admin.call("getUser", { path })).data();
      const all = (await admin.call("listRoles")).data();
      const users: unknown[] = [];
      for (const id of [user.roleId, other.id]) {
        const one = (await admin.call("getRole", { path: { id } })).data();
        for (const role of [one, all.find((seen) => seen.id === id)])
          users.push(role?.users.filter((holder) => holder.id === user.id).map(({ name }) => name));
      }
      return { roles: idsOf(roles), listed: idsOf(listed.roles), users };
    },
  };
}
