import type { Requirement } from "./requirement.ts";

export const httpserverRequirements: readonly Requirement[] = [];
