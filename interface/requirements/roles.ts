import type { Requirement } from "./requirement.ts";

export const rolesRequirements: readonly Requirement[] = [];
