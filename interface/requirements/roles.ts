import type { Requirement } from "./requirement.ts";

const shared = { group: "roles", level: "stated", capability: "roles" } as const;
const permission = (field: string) => ({ ...shared, place: `Resources, Permission: ${field}` });
const role = (field: string) => ({ ...shared, place: `Resources, Role: ${field}` });
const listingPermissions = { ...shared, place: "Endpoints 7, List permissions" };
const listing = { ...shared, place: "Endpoints 7, List roles" };
const creating = { ...shared, place: "Endpoints 7, Create role" };
const getting = { ...shared, place: "Endpoints 7, Get role by id" };
const updating = { ...shared, place: "Endpoints 7, Update role by id" };

export const rolesRequirements: readonly Requirement[] = [
  { id: "CORE-ROLE-01", ...permission("id"), statement: "`id` of a permission is a string." },
  { id: "CORE-ROLE-02", ...permission("name"), statement: "`name` of a permission is a string." },
  {
    id: "CORE-ROLE-03",
    ...permission("description"),
    statement: "`description` of a permission is a string.",
  },
  {
    id: "CORE-ROLE-04",
    ...permission("observed ids"),
    statement: "`List permissions` contains `SYS_USER_RW` and `SYS_MAINTENANCE_RW`.",
  },
  {
    id: "CORE-ROLE-05",
    ...permission("complete list of ids"),
    statement: "`List permissions` may contain ids other than `SYS_USER_RW` and `SYS_MAINTENANCE_RW`.",
    untestable: "the interface does not show the complete list; any other id is allowed",
  },
  { id: "CORE-ROLE-06", ...role("id"), statement: "`id` of a role is an integer." },
  { id: "CORE-ROLE-07", ...role("name"), statement: "`name` of a role is a string." },
  { id: "CORE-ROLE-08", ...role("description"), statement: "`description` of a role is a string." },
  {
    id: "CORE-ROLE-09",
    ...role("permissions"),
    statement: "`permissions` of a role is an array of permission id strings.",
  },
  {
    id: "CORE-ROLE-10",
    ...role("users"),
    statement:
      "`users` of a role in a response is an array of objects with an integer `id` and a string `name`.",
  },
  {
    id: "CORE-ROLE-11",
    ...role("users"),
    statement: "`users` of a role contains exactly the users who have the role, by `id` and `name`.",
  },
  {
    id: "CORE-ROLE-12",
    ...listingPermissions,
    statement: "`List permissions` returns the permissions in `data`.",
  },
  {
    id: "CORE-ROLE-13",
    ...listingPermissions,
    statement: "`count` of `List permissions` is the number of permissions in `data`.",
  },
  { id: "CORE-ROLE-14", ...listing, statement: "`List roles` returns the roles in `data`." },
  { id: "CORE-ROLE-15", ...listing, statement: "`count` of `List roles` is the number of roles in `data`." },
  {
    id: "CORE-ROLE-16",
    ...listing,
    statement: "`List roles` returns every role once, with the values that `Get role by id` shows.",
  },
  { id: "CORE-ROLE-17", ...creating, statement: "`Create role` returns the created role in `data`." },
  { id: "CORE-ROLE-18", ...creating, statement: "`Create role` stores `name` and `description` as sent." },
  {
    id: "CORE-ROLE-19",
    ...creating,
    statement: "`Create role` stores exactly the `permissions` that are sent.",
  },
  {
    id: "CORE-ROLE-20",
    ...creating,
    statement: "`Create role` adds one role with a new `id` and changes no other role.",
  },
  { id: "CORE-ROLE-21", ...creating, statement: "`Create role` accepts a body without `description`." },
  {
    id: "CORE-ROLE-22",
    ...creating,
    place: "Endpoints 7, Create role; Resources, Role: name",
    statement: "The gateway rejects `Create role` without `name`.",
  },
  {
    id: "CORE-ROLE-23",
    ...creating,
    place: "Endpoints 7, Create role; Resources, Role: permissions",
    statement: "The gateway rejects `Create role` without an array of strings in `permissions`.",
  },
  { id: "CORE-ROLE-24", ...getting, statement: "`Get role by id` returns the role in `data`." },
  {
    id: "CORE-ROLE-25",
    ...getting,
    statement: "`Get role by id` returns the role with the requested `id` and rejects an unknown `id`.",
  },
  { id: "CORE-ROLE-26", ...updating, statement: "`Update role by id` returns the updated role in `data`." },
  {
    id: "CORE-ROLE-27",
    ...updating,
    statement: "`Update role by id` stores `name` and `description` as sent and does not change `id`.",
  },
  {
    id: "CORE-ROLE-28",
    ...updating,
    statement: "`Update role by id` stores exactly the `permissions` that are sent.",
  },
  { id: "CORE-ROLE-29", ...updating, statement: "`Update role by id` changes only the role with this `id`." },
  {
    id: "CORE-ROLE-30",
    ...updating,
    place: "Endpoints 7, Update role by id; Resources, Role: name",
    statement: "The gateway rejects `Update role by id` without `name`.",
  },
  {
    id: "CORE-ROLE-31",
    ...updating,
    place: "Endpoints 7, Update role by id; Resources, Role: permissions",
    statement: "The gateway rejects `Update role by id` without an array of strings in `permissions`.",
  },
  {
    id: "CORE-ROLE-32",
    ...updating,
    statement: "`Update role by id` accepts the integer `id` of an existing role and rejects any other.",
  },
  {
    id: "CORE-ROLE-33",
    ...shared,
    level: "published",
    place: "Published binding, wire facts: names",
    statement:
      "`name` of a role accepts `+ = , . @ _ -` after a first letter or digit, and up to 64 characters.",
  },
  {
    id: "CORE-ROLE-34",
    ...shared,
    level: "declared",
    declaredBy: "permissions",
    place: "Profile: permissions",
    statement: "Every permission that the profile declares is listed and can be assigned to a role.",
  },
];
