// Faults of required members that are given as null.
import { badInput } from "../../reference-impl/base/refusal.ts";
import { type Fault, faults } from "./fault.ts";

const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** The operation takes null as another value, and rejects every other wrong one. */
const takesNull =
  (
    id: "createRole" | "updateRole",
    member: string,
    { instead, isRight }: { readonly instead: unknown; readonly isRight: (value: unknown) => boolean },
  ): Fault["install"] =>
  (at) => {
    at.lenient(id, "json", member);
    at.body(id, (body) => {
      if (body[member] === null) return { ...body, [member]: instead };
      if (!isRight(body[member])) throw badInput(`${member}: expected another type`);
      return body;
    });
  };
const asText = { instead: "null", isRight: isText } as const;
const asNone = { instead: [], isRight: isTexts } as const;

export const nullMemberFaults: readonly Fault[] = faults([
  [
    "new-role-is-named-null",
    "CORE-ROLE-22",
    "subtle",
    "`name` null of a new role is taken as the text null.",
    takesNull("createRole", "name", asText),
  ],
  [
    "null-permissions-of-a-new-role-are-none",
    "CORE-ROLE-23",
    "subtle",
    "`permissions` null of a new role is taken as an empty list.",
    takesNull("createRole", "permissions", asNone),
  ],
  [
    "updated-role-is-named-null",
    "CORE-ROLE-30",
    "subtle",
    "`name` null in an update of a role is taken as the text null.",
    takesNull("updateRole", "name", asText),
  ],
  [
    "null-permissions-empty-the-role",
    "CORE-ROLE-31",
    "subtle",
    "`permissions` null in an update of a role removes all of its permissions.",
    takesNull("updateRole", "permissions", asNone),
  ],
]);
