/** What a soak does, as a mix names it. */
export const actionIds = [
  "readings",
  "tag-reads",
  "tag-writes",
  "settings",
  "sign-ins",
  "users",
  "virtual-tags",
  "streams",
  "events",
  "exports",
  "uploads",
] as const;
export type ActionId = (typeof actionIds)[number];
