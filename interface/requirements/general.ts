import type { Requirement } from "./requirement.ts";

export const generalRequirements: readonly Requirement[] = [];
