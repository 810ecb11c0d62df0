// Faults of members that a request should not have, and that are stored all the same.
import { text } from "../mechanism/edits.ts";
import { type Fault, faults } from "./fault.ts";
import { userViews } from "./users.ts";

export const foreignMemberFaults: readonly Fault[] = faults([
  [
    "own-record-takes-a-password",
    "CORE-USER-54",
    "subtle",
    "Update current user with `password` sets the password without the old one.",
    (at) => {
      const first = new Map<string, unknown>();
      const later = new Map<string, unknown>();
      at.body("addUser", (body) => {
        first.set(text(body["name"]), body["password"]);
        return body;
      });
      at.body("updateCurrentUser", (body, { caller }) => {
        if (typeof body["password"] === "string") later.set(caller?.name ?? "", body["password"]);
        return body;
      });
      at.body("signIn", (body) => {
        const name = text(body["name"]);
        if (!later.has(name)) return body;
        return { ...body, password: later.get(name) === body["password"] ? first.get(name) : "" };
      });
    },
  ],
  [
    "role-created-with-an-id-replaces-another",
    "CORE-ROLE-20",
    "subtle",
    "Create role with the `id` of a role updates that role.",
    (at) =>
      at.around("createRole", (call, proceed, ask) => {
        const id = text(call.body["id"]);
        return id === "" ? proceed(call) : ask("updateRole", { path: { id }, body: call.body });
      }),
  ],
  [
    "user-added-with-an-id-replaces-another",
    "CORE-USER-23",
    "subtle",
    "Add user with the `id` of a user updates that user.",
    (at) =>
      at.around("addUser", (call, proceed, ask) => {
        const { id, name: _name, password: _password, ...body } = call.body;
        return text(id) === "" ? proceed(call) : ask("updateUser", { path: { id: text(id) }, body });
      }),
  ],
  ...(
    [
      ["user-added-with-permissions-has-them", "CORE-USER-57", "permissions"],
      ["user-added-with-a-sign-in-time-shows-it", "CORE-USER-09", "loginAt"],
    ] as const
  ).map(
    ([id, requirement, member]) =>
      [
        id,
        requirement,
        "subtle",
        `Add user stores \`${member}\`.`,
        (at: Parameters<Fault["install"]>[0]) => {
          const stored = new Map<string, unknown>();
          at.body("addUser", (body) => {
            if (body[member] !== undefined) stored.set(text(body["name"]), body[member]);
            return body;
          });
          at.data(userViews, (user) => {
            const value = stored.get(text(user["name"]));
            return value === undefined ? user : { ...user, [member]: value };
          });
        },
      ] as const,
  ),
]);
