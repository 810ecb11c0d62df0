import type { Requirement } from "./requirement.ts";

const shared = { group: "roles", level: "stated", capability: "roles" } as const;
const permission = { ...shared, place: "Resources: Permission" };
const role = { ...shared, place: "Resources: Role" };

export const rolesRequirements: readonly Requirement[] = [
  { id: "CORE-ROLE-01", ...permission, statement: "A permission has a string id." },
  { id: "CORE-ROLE-02", ...permission, statement: "A permission has a string name." },
  { id: "CORE-ROLE-03", ...permission, statement: "A permission has a string description." },
  {
    id: "CORE-ROLE-04",
    ...permission,
    statement: "The permissions offered include SYS_USER_RW and SYS_MAINTENANCE_RW.",
  },
  {
    id: "CORE-ROLE-05",
    ...permission,
    statement: "There may be permission ids beyond SYS_USER_RW and SYS_MAINTENANCE_RW.",
    untestable: "the interface does not show the complete list, so any further id is allowed",
  },
  { id: "CORE-ROLE-06", ...role, statement: "A role has an integer id." },
  { id: "CORE-ROLE-07", ...role, statement: "A role has a string name." },
  { id: "CORE-ROLE-08", ...role, statement: "A role has a string description." },
  { id: "CORE-ROLE-09", ...role, statement: "A role has an array of permission id strings." },
  { id: "CORE-ROLE-10", ...role, statement: "A role in an answer lists its users, each as {id, name}." },
  {
    id: "CORE-ROLE-11",
    ...role,
    statement: "The users of a role are exactly the users that carry the role, by id and name.",
  },
  {
    id: "CORE-ROLE-12",
    ...shared,
    place: "Endpoints 7, List permissions",
    statement: "List permissions answers the permissions under data.",
  },
  {
    id: "CORE-ROLE-13",
    ...shared,
    place: "Endpoints 7, List permissions",
    statement: "List permissions answers the number of its permissions in count.",
  },
  {
    id: "CORE-ROLE-14",
    ...shared,
    place: "Endpoints 7, List roles",
    statement: "List roles answers the roles under data.",
  },
  {
    id: "CORE-ROLE-15",
    ...shared,
    place: "Endpoints 7, List roles",
    statement: "List roles answers the number of its roles in count.",
  },
  {
    id: "CORE-ROLE-16",
    ...shared,
    place: "Endpoints 7, List roles",
    statement: "List roles shows every role once, as Get role by id shows it.",
  },
  {
    id: "CORE-ROLE-17",
    ...shared,
    place: "Endpoints 7, Create role",
    statement: "Create role answers the created role under data.",
  },
  {
    id: "CORE-ROLE-18",
    ...shared,
    place: "Endpoints 7, Create role",
    statement: "Create role stores the name and the description that were sent.",
  },
  {
    id: "CORE-ROLE-19",
    ...shared,
    place: "Endpoints 7, Create role",
    statement: "Create role stores the permissions that were sent, and no others.",
  },
  {
    id: "CORE-ROLE-20",
    ...shared,
    place: "Endpoints 7, Create role",
    statement: "Create role makes a new role with an id of its own and leaves the other roles as they are.",
  },
  {
    id: "CORE-ROLE-21",
    ...shared,
    place: "Endpoints 7, Create role",
    statement: "Create role takes a body without description.",
  },
  {
    id: "CORE-ROLE-22",
    ...shared,
    place: "Resources: Role; Endpoints 7, Create role",
    statement: "Create role requires a name.",
  },
  {
    id: "CORE-ROLE-23",
    ...shared,
    place: "Resources: Role; Endpoints 7, Create role",
    statement: "Create role requires permissions, an array of strings.",
  },
  {
    id: "CORE-ROLE-24",
    ...shared,
    place: "Endpoints 7, Get role by id",
    statement: "Get role by id answers the role under data.",
  },
  {
    id: "CORE-ROLE-25",
    ...shared,
    place: "Endpoints 7, Get role by id",
    statement: "Get role by id answers the role with the id asked for, and none for an id that no role has.",
  },
  {
    id: "CORE-ROLE-26",
    ...shared,
    place: "Endpoints 7, Update role by id",
    statement: "Update role by id answers the updated role under data.",
  },
  {
    id: "CORE-ROLE-27",
    ...shared,
    place: "Endpoints 7, Update role by id",
    statement: "Update role by id stores the name and the description that were sent, under the same id.",
  },
  {
    id: "CORE-ROLE-28",
    ...shared,
    place: "Endpoints 7, Update role by id",
    statement: "Update role by id stores the permissions that were sent, and no others.",
  },
  {
    id: "CORE-ROLE-29",
    ...shared,
    place: "Endpoints 7, Update role by id",
    statement: "Update role by id changes the role with the id and no other role.",
  },
  {
    id: "CORE-ROLE-30",
    ...shared,
    place: "Resources: Role; Endpoints 7, Update role by id",
    statement: "Update role by id requires a name.",
  },
  {
    id: "CORE-ROLE-31",
    ...shared,
    place: "Resources: Role; Endpoints 7, Update role by id",
    statement: "Update role by id requires permissions, an array of strings.",
  },
  {
    id: "CORE-ROLE-32",
    ...shared,
    place: "Endpoints 7, Update role by id",
    statement: "Update role by id takes the integer id of a role that exists.",
  },
  {
    id: "CORE-ROLE-33",
    ...shared,
    level: "published",
    place: "Published binding, wire facts: names",
    statement: "A role's name may hold + = , . @ _ - after a first letter or digit, and 64 characters.",
  },
  {
    id: "CORE-ROLE-34",
    ...shared,
    level: "declared",
    place: "Profile: permissions",
    statement: "Every permission that the profile declares is listed and can be given to a role.",
  },
];
