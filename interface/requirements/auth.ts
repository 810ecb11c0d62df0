import type { Requirement } from "./requirement.ts";

export const authRequirements: readonly Requirement[] = [];
