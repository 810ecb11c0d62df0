import type { Requirement } from "./requirement.ts";

export const usersRequirements: readonly Requirement[] = [];
