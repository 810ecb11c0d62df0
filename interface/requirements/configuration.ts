import type { Requirement } from "./requirement.ts";

export const configurationRequirements: readonly Requirement[] = [];
