import Type, { type Static } from "typebox";
import { field, Nullable, Timestamp } from "../schema/schema.ts";
import { NamedReference } from "./roles.ts";

/** `loginAt` of a user who never signed in. */
export const neverLoggedIn = "0001-01-01T00:00:00Z";
export const minPasswordLength = 6;

const signedInFields = {
  id: field("CORE-USER-01", Type.Integer()),
  name: field("CORE-USER-02", Type.String()),
  email: field("CORE-USER-03", Nullable(Type.String())),
  isActive: field("CORE-USER-04", Type.Boolean()),
  expiredAfter: field("CORE-USER-05", Nullable(Timestamp)),
  changedPasswordAt: field("CORE-USER-06", Nullable(Timestamp)),
  loginAt: field("CORE-USER-08", Timestamp),
  permissions: field("CORE-USER-10", Type.Array(Type.String())),
  roles: field("CORE-USER-11", Type.Array(NamedReference)),
};
const createdAt = field("CORE-USER-07", Timestamp);

/** The user in the response of `Sign in`: a user without `createdAt`. */
export const SignedInUser = Type.Object(signedInFields);
export const User = Type.Object({ ...signedInFields, createdAt });
export type User = Static<typeof User>;

/** The user in the current-user view. */
export const CurrentUser = Type.Object({
  ...signedInFields,
  createdAt,
  remindToChangePassword: field("CORE-USER-12", Type.Any()),
});
export type CurrentUser = Static<typeof CurrentUser>;
