import type { Requirement } from "./requirement.ts";

export const eventsRequirements: readonly Requirement[] = [];
