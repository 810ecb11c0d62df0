import Type, { type Static } from "typebox";
import { Nullable, Timestamp } from "../schema.ts";
import { NamedReference } from "./roles.ts";

/** `loginAt` of a user who never signed in. */
export const neverLoggedIn = "0001-01-01T00:00:00Z";
export const minPasswordLength = 6;

const signedInFields = {
  id: Type.Integer(),
  name: Type.String(),
  email: Nullable(Type.String()),
  isActive: Type.Boolean(),
  expiredAfter: Nullable(Timestamp),
  changedPasswordAt: Nullable(Timestamp),
  loginAt: Timestamp,
  permissions: Type.Array(Type.String()),
  roles: Type.Array(NamedReference),
};

/** The user that sign-in answers with: a user without `createdAt`. */
export const SignedInUser = Type.Object(signedInFields);
export const User = Type.Object({ ...signedInFields, createdAt: Timestamp });
export type User = Static<typeof User>;

/** The user as only the current-user view shows it. */
export const CurrentUser = Type.Object({
  ...signedInFields,
  createdAt: Timestamp,
  remindToChangePassword: Type.Any(),
});
export type CurrentUser = Static<typeof CurrentUser>;
