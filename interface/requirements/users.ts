import type { Requirement } from "./requirement.ts";

const shared = { group: "users", level: "stated", capability: "users" } as const;
const user = (field: string) => ({ ...shared, place: `Resources, User: ${field}` });
const list = { ...shared, place: "Endpoints 8, List users" };
const add = { ...shared, place: "Endpoints 8, Add user" };
const passwordLimit = { ...shared, place: "Limits: User password on add" };
const get = { ...shared, place: "Endpoints 8, Get user by id" };
const update = { ...shared, place: "Endpoints 8, Update user by ID" };
const password = { ...shared, place: "Endpoints 8, Update user password by ID" };
const current = { ...shared, place: "Endpoints 8, Get current user" };
const updateCurrent = { ...shared, place: "Endpoints 8, Update current user" };
const ownPassword = { ...shared, place: "Endpoints 8, Update current user password" };

export const usersRequirements: readonly Requirement[] = [
  { id: "CORE-USER-01", ...user("id"), statement: "`id` of a user is an integer." },
  { id: "CORE-USER-02", ...user("name"), statement: "`name` of a user is a string." },
  { id: "CORE-USER-03", ...user("email"), statement: "`email` of a user is a string or null." },
  { id: "CORE-USER-04", ...user("isActive"), statement: "`isActive` of a user is a boolean." },
  {
    id: "CORE-USER-05",
    ...user("expiredAfter"),
    statement: "`expiredAfter` of a user is a date-time or null.",
  },
  {
    id: "CORE-USER-06",
    ...user("changedPasswordAt"),
    statement: "`changedPasswordAt` of a user is a timestamp or null.",
  },
  { id: "CORE-USER-07", ...user("createdAt"), statement: "`createdAt` of a user is a timestamp." },
  { id: "CORE-USER-08", ...user("loginAt"), statement: "`loginAt` of a user is a timestamp." },
  {
    id: "CORE-USER-09",
    ...user("loginAt"),
    statement:
      "`loginAt` of a user is `0001-01-01T00:00:00Z` until the first sign-in, and another time afterwards.",
  },
  {
    id: "CORE-USER-10",
    ...user("permissions"),
    statement: "`permissions` of a user is an array of strings.",
  },
  {
    id: "CORE-USER-11",
    ...user("roles"),
    statement: "`roles` of a user is an array of objects with an integer `id` and a string `name`.",
  },
  {
    id: "CORE-USER-12",
    ...user("remindToChangePassword"),
    statement: "The current-user view contains `remindToChangePassword`, null or a value.",
  },
  {
    id: "CORE-USER-13",
    ...user("remindToChangePassword"),
    statement: "Views of a user other than the current-user view do not contain `remindToChangePassword`.",
  },
  { id: "CORE-USER-14", ...list, statement: "`List users` returns the users in `data`." },
  { id: "CORE-USER-15", ...list, statement: "`count` of `List users` is the number of users in `data`." },
  {
    id: "CORE-USER-16",
    ...list,
    statement: "`List users` returns every user once, with the values that `Get user by id` shows.",
  },
  { id: "CORE-USER-17", ...add, statement: "`Add user` returns the added user in `data`." },
  { id: "CORE-USER-18", ...add, statement: "`Add user` stores `name` and `email` as sent." },
  { id: "CORE-USER-19", ...add, statement: "`Add user` accepts a body without `email`." },
  { id: "CORE-USER-60", ...add, statement: "`Add user` sets the `password` with which the user signs in." },
  { id: "CORE-USER-20", ...add, statement: "`Add user` stores `isActive` as sent, true or false." },
  { id: "CORE-USER-21", ...add, statement: "`Add user` stores the date-time in `expiredAfter` as sent." },
  { id: "CORE-USER-22", ...add, statement: "`Add user` assigns exactly the `roles` that are sent." },
  {
    id: "CORE-USER-23",
    ...add,
    statement: "`Add user` adds one user with a new `id` and changes no other user.",
  },
  { id: "CORE-USER-24", ...add, statement: "The gateway rejects `Add user` without `name`." },
  { id: "CORE-USER-25", ...add, statement: "The gateway rejects `Add user` without `password`." },
  {
    id: "CORE-USER-26",
    ...add,
    statement: "The gateway rejects `Add user` without a boolean in `isActive`.",
  },
  {
    id: "CORE-USER-27",
    ...add,
    statement: "The gateway rejects `Add user` without a date-time in `expiredAfter`.",
  },
  { id: "CORE-USER-28", ...add, statement: "The gateway rejects `Add user` without an array in `roles`." },
  {
    id: "CORE-USER-29",
    ...passwordLimit,
    statement: "The gateway rejects `Add user` with a `password` of fewer than 6 characters.",
  },
  {
    id: "CORE-USER-30",
    ...passwordLimit,
    statement: "`Add user` accepts a `password` of 6 or more characters.",
  },
  {
    id: "CORE-USER-31",
    ...add,
    statement: "`roles` of `Add user` is an array of integers or of objects of the form `{id}`.",
    untestable: "the interface shows both forms; the profile declares which of them the gateway accepts",
  },
  { id: "CORE-USER-32", ...get, statement: "`Get user by id` returns the user in `data`." },
  {
    id: "CORE-USER-33",
    ...get,
    statement: "`Get user by id` returns the user with the requested `id` and rejects an unknown `id`.",
  },
  { id: "CORE-USER-34", ...update, statement: "`Update user by ID` returns the updated user in `data`." },
  { id: "CORE-USER-35", ...update, statement: "`Update user by ID` stores `email` as sent." },
  {
    id: "CORE-USER-36",
    ...update,
    statement: "`Update user by ID` stores the date-time in `expiredAfter` as sent.",
  },
  { id: "CORE-USER-37", ...update, statement: "`Update user by ID` stores `isActive` as sent." },
  {
    id: "CORE-USER-38",
    ...update,
    statement: "`Update user by ID` assigns exactly the `roles` that are sent.",
  },
  { id: "CORE-USER-39", ...update, statement: "`Update user by ID` changes only the user with this `id`." },
  {
    id: "CORE-USER-40",
    ...update,
    statement: "`Update user by ID` accepts the integer `id` of an existing user and rejects any other.",
  },
  {
    id: "CORE-USER-41",
    ...update,
    statement: "`Update user by ID` accepts a body with any single one of its fields.",
  },
  {
    id: "CORE-USER-42",
    ...password,
    statement: "`Update user password by ID` returns the user with this `id` in `data`.",
  },
  {
    id: "CORE-USER-43",
    ...password,
    statement:
      "`Update user password by ID` replaces the password of the user by `newPassword` for `Sign in`.",
  },
  {
    id: "CORE-USER-44",
    ...password,
    statement: "`Update user password by ID` changes only the password of the user with this `id`.",
  },
  {
    id: "CORE-USER-45",
    ...password,
    place: "Endpoints 8, Update user password by ID; Authentication 5",
    statement:
      "`Update user password by ID` accepts a body without `oldPassword` from a user with the admin role.",
  },
  {
    id: "CORE-USER-46",
    ...password,
    place: "Endpoints 8, Update user password by ID; Authentication 5",
    statement:
      "`Update user password by ID` accepts the correct `oldPassword` from a user without the admin role.",
  },
  {
    id: "CORE-USER-47",
    ...current,
    statement: "`Get current user` returns the user in `data`, with `remindToChangePassword`.",
  },
  { id: "CORE-USER-48", ...current, statement: "`Get current user` returns the user who signed in." },
  {
    id: "CORE-USER-49",
    ...updateCurrent,
    statement: "`Update current user` returns the updated user in `data`.",
  },
  {
    id: "CORE-USER-50",
    ...updateCurrent,
    statement: "`Update current user` stores `email`, `expiredAfter`, `isActive` and `roles` as sent.",
  },
  {
    id: "CORE-USER-51",
    ...updateCurrent,
    statement: "`Update current user` changes only the user who signed in.",
  },
  {
    id: "CORE-USER-52",
    ...ownPassword,
    statement: "`Update current user password` returns the user who signed in, in `data`.",
  },
  {
    id: "CORE-USER-53",
    ...ownPassword,
    statement:
      "`Update current user password` replaces the password of the user by `newPassword` for `Sign in`.",
  },
  {
    id: "CORE-USER-54",
    ...ownPassword,
    place: "Endpoints 8, Update current user password; Authentication 5",
    statement:
      "`Update current user password` requires the correct `oldPassword` from a user without the admin role.",
  },
  {
    id: "CORE-USER-55",
    ...ownPassword,
    place: "Endpoints 8, Update current user password; Authentication 5",
    statement:
      "`Update current user password` accepts a body without `oldPassword` from a user with the admin role.",
  },
  {
    id: "CORE-USER-56",
    ...user("changedPasswordAt"),
    statement: "`changedPasswordAt` of a user is a timestamp after a change of the password.",
  },
  {
    id: "CORE-USER-57",
    ...shared,
    place: "Authentication 2",
    statement: "`permissions` of a user holds exactly the permissions of the user's current roles.",
  },
  {
    id: "CORE-USER-59",
    ...password,
    place: "Endpoints 8, Update user password by ID; Authentication 5",
    statement:
      "The gateway rejects `Update user password by ID` without the correct `oldPassword` from a user without the admin role.",
  },
  {
    id: "CORE-USER-58",
    ...ownPassword,
    level: "published",
    declaredBy: "capabilities.published-errors",
    place: "Published binding, updateCurrentUserPassword",
    statement: "The gateway rejects a wrong `oldPassword` with 401.",
  },
  {
    id: "CORE-USER-61",
    ...ownPassword,
    statement: "`Update current user password` changes only the password of the user who signed in.",
  },
];
