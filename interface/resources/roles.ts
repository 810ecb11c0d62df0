import Type, { type Static } from "typebox";

export const observedPermissionIds = ["SYS_USER_RW", "SYS_MAINTENANCE_RW"] as const;
export type ObservedPermissionId = (typeof observedPermissionIds)[number];

export const Permission = Type.Object({ id: Type.String(), name: Type.String(), description: Type.String() });
export type Permission = Static<typeof Permission>;

export const NamedReference = Type.Object({ id: Type.Integer(), name: Type.String() });
export type NamedReference = Static<typeof NamedReference>;

export const Role = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  permissions: Type.Array(Type.String()),
  users: Type.Array(NamedReference),
});
export type Role = Static<typeof Role>;
