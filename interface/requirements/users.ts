import type { Requirement } from "./requirement.ts";

const shared = { group: "users", level: "stated", capability: "users" } as const;
const user = { ...shared, place: "Resources: User" };
const list = { ...shared, place: "Endpoints 8, List users" };
const add = { ...shared, place: "Endpoints 8, Add user" };
const get = { ...shared, place: "Endpoints 8, Get user by id" };
const update = { ...shared, place: "Endpoints 8, Update user by ID" };
const password = { ...shared, place: "Endpoints 8, Update user password by ID" };
const current = { ...shared, place: "Endpoints 8, Get current user" };
const updateCurrent = { ...shared, place: "Endpoints 8, Update current user" };
const ownPassword = { ...shared, place: "Endpoints 8, Update current user password" };

export const usersRequirements: readonly Requirement[] = [
  { id: "CORE-USER-01", ...user, statement: "A user has an integer id." },
  { id: "CORE-USER-02", ...user, statement: "A user has a string name." },
  { id: "CORE-USER-03", ...user, statement: "A user's email is a string or null." },
  { id: "CORE-USER-04", ...user, statement: "A user has a boolean isActive." },
  { id: "CORE-USER-05", ...user, statement: "A user's expiredAfter is a date-time or null." },
  { id: "CORE-USER-06", ...user, statement: "A user's changedPasswordAt is a timestamp or null." },
  { id: "CORE-USER-07", ...user, statement: "A user has a timestamp createdAt." },
  { id: "CORE-USER-08", ...user, statement: "A user has a timestamp loginAt." },
  {
    id: "CORE-USER-09",
    ...user,
    statement: "loginAt is 0001-01-01T00:00:00Z while the user has never logged in, and not after a login.",
  },
  { id: "CORE-USER-10", ...user, statement: "A user has an array of permission strings." },
  { id: "CORE-USER-11", ...user, statement: "A user lists its roles, each as {id, name}." },
  {
    id: "CORE-USER-12",
    ...user,
    statement: "remindToChangePassword is part of the current-user view, null or a value.",
  },
  {
    id: "CORE-USER-13",
    ...user,
    statement: "remindToChangePassword is part of no view of a user but the current-user view.",
  },
  { id: "CORE-USER-14", ...list, statement: "List users answers the users under data." },
  { id: "CORE-USER-15", ...list, statement: "List users answers the number of its users in count." },
  {
    id: "CORE-USER-16",
    ...list,
    statement: "List users shows every user once, as Get user by id shows it.",
  },
  { id: "CORE-USER-17", ...add, statement: "Add user answers the added user under data." },
  { id: "CORE-USER-18", ...add, statement: "Add user stores the name and the email that were sent." },
  { id: "CORE-USER-19", ...add, statement: "Add user takes a body without email." },
  { id: "CORE-USER-20", ...add, statement: "Add user stores isActive, true or false, as it was sent." },
  { id: "CORE-USER-21", ...add, statement: "Add user stores the date-time of expiredAfter that was sent." },
  {
    id: "CORE-USER-22",
    ...add,
    statement: "Add user gives the user the roles that were sent, and no others.",
  },
  {
    id: "CORE-USER-23",
    ...add,
    statement: "Add user makes a new user with an id of its own and leaves the other users as they are.",
  },
  { id: "CORE-USER-24", ...add, statement: "Add user requires a name." },
  { id: "CORE-USER-25", ...add, statement: "Add user requires a password." },
  { id: "CORE-USER-26", ...add, statement: "Add user requires isActive, a boolean." },
  { id: "CORE-USER-27", ...add, statement: "Add user requires expiredAfter, a date-time." },
  { id: "CORE-USER-28", ...add, statement: "Add user requires roles, an array." },
  {
    id: "CORE-USER-29",
    ...add,
    place: "Limits: User password on add",
    statement: "Add user refuses a password of fewer than 6 characters.",
  },
  {
    id: "CORE-USER-30",
    ...add,
    place: "Limits: User password on add",
    statement: "Add user takes a password of 6 characters and of more.",
  },
  {
    id: "CORE-USER-31",
    ...add,
    statement: "Roles are declared as an array of integers, and sampled as objects of the form {id}.",
    untestable: "the document has both forms; the profile declares which one the gateway takes",
  },
  { id: "CORE-USER-32", ...get, statement: "Get user by id answers the user under data." },
  {
    id: "CORE-USER-33",
    ...get,
    statement: "Get user by id answers the user with the id asked for, and none for an id that no user has.",
  },
  { id: "CORE-USER-34", ...update, statement: "Update user by ID answers the updated user under data." },
  { id: "CORE-USER-35", ...update, statement: "Update user by ID stores the email that was sent." },
  {
    id: "CORE-USER-36",
    ...update,
    statement: "Update user by ID stores the date-time of expiredAfter that was sent.",
  },
  { id: "CORE-USER-37", ...update, statement: "Update user by ID stores isActive as it was sent." },
  {
    id: "CORE-USER-38",
    ...update,
    statement: "Update user by ID gives the user the roles that were sent, and no others.",
  },
  {
    id: "CORE-USER-39",
    ...update,
    statement: "Update user by ID changes the user with the id and no other user.",
  },
  {
    id: "CORE-USER-40",
    ...update,
    statement: "Update user by ID takes the integer id of a user that exists.",
  },
  {
    id: "CORE-USER-41",
    ...update,
    statement: "Update user by ID takes a body with any of its fields alone.",
  },
  {
    id: "CORE-USER-42",
    ...password,
    statement: "Update user password by ID answers the user whose password it is under data.",
  },
  {
    id: "CORE-USER-43",
    ...password,
    statement:
      "After Update user password by ID the user signs in with newPassword and not with the old one.",
  },
  {
    id: "CORE-USER-44",
    ...password,
    statement: "Update user password by ID changes the password of the user with the id and of no other.",
  },
  {
    id: "CORE-USER-45",
    ...password,
    place: "Endpoints 8, Update user password by ID; Authentication 5",
    statement: "A user with the admin role changes a user's password without oldPassword.",
  },
  {
    id: "CORE-USER-46",
    ...password,
    place: "Endpoints 8, Update user password by ID; Authentication 5",
    statement: "Update user password by ID takes the right oldPassword from a user without the admin role.",
  },
  {
    id: "CORE-USER-47",
    ...current,
    statement: "Get current user answers the user under data, with remindToChangePassword.",
  },
  { id: "CORE-USER-48", ...current, statement: "Get current user answers the user who signed in." },
  {
    id: "CORE-USER-49",
    ...updateCurrent,
    statement: "Update current user answers the updated user under data.",
  },
  {
    id: "CORE-USER-50",
    ...updateCurrent,
    statement: "Update current user stores the email, expiredAfter, isActive and roles that were sent.",
  },
  {
    id: "CORE-USER-51",
    ...updateCurrent,
    statement: "Update current user changes the user who signed in and no other user.",
  },
  {
    id: "CORE-USER-52",
    ...ownPassword,
    statement: "Update current user password answers the user who signed in under data.",
  },
  {
    id: "CORE-USER-53",
    ...ownPassword,
    statement:
      "After Update current user password the user signs in with newPassword and not with the old one.",
  },
  {
    id: "CORE-USER-54",
    ...ownPassword,
    place: "Endpoints 8, Update current user password; Authentication 5",
    statement: "A user without the admin role who changes the own password must give the right oldPassword.",
  },
  {
    id: "CORE-USER-55",
    ...ownPassword,
    place: "Endpoints 8, Update current user password; Authentication 5",
    statement: "A user with the admin role changes the own password without oldPassword.",
  },
  {
    id: "CORE-USER-56",
    ...user,
    statement: "changedPasswordAt is a timestamp, not null, once the user has changed the password.",
  },
  {
    id: "CORE-USER-57",
    ...shared,
    place: "Authentication 2",
    statement: "A user's permissions are those of the user's roles, and change with the roles.",
  },
  {
    id: "CORE-USER-58",
    ...ownPassword,
    level: "published",
    place: "Published binding: updateCurrentUserPassword",
    statement: "A wrong oldPassword is refused with 401.",
  },
];
