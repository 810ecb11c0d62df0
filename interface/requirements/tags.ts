import type { Requirement } from "./requirement.ts";

export const tagsRequirements: readonly Requirement[] = [];
