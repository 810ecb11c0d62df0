import type { Requirement } from "./requirement.ts";

export const servicesRequirements: readonly Requirement[] = [];
