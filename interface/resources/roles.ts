import Type, { type Static } from "typebox";
import { field } from "../schema/schema.ts";

export const observedPermissionIds = ["SYS_USER_RW", "SYS_MAINTENANCE_RW"] as const;
export type ObservedPermissionId = (typeof observedPermissionIds)[number];

export const Permission = Type.Object({
  id: field("CORE-ROLE-01", Type.String()),
  name: field("CORE-ROLE-02", Type.String()),
  description: field("CORE-ROLE-03", Type.String()),
});
export type Permission = Static<typeof Permission>;

export const NamedReference = Type.Object({ id: Type.Integer(), name: Type.String() });
export type NamedReference = Static<typeof NamedReference>;

export const Role = Type.Object({
  id: field("CORE-ROLE-06", Type.Integer()),
  name: field("CORE-ROLE-07", Type.String()),
  description: field("CORE-ROLE-08", Type.String()),
  permissions: field("CORE-ROLE-09", Type.Array(Type.String())),
  users: field("CORE-ROLE-10", Type.Array(NamedReference)),
});
export type Role = Static<typeof Role>;
