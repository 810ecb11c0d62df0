import type { Requirement } from "./requirement.ts";

export const appsRequirements: readonly Requirement[] = [];
