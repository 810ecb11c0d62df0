import type { Requirement } from "./requirement.ts";

/** What a profile says of its gateway, held against the gateway before anything else is judged. */
export const declarationRequirements: readonly Requirement[] = [
  {
    id: "CORE-PROFILE-01",
    group: "general",
    level: "declared",
    place: "Profile: capabilities",
    statement: "Every group of operations that the profile declares is served.",
  },
  {
    id: "CORE-PROFILE-02",
    group: "general",
    level: "declared",
    place: "Profile: capabilities",
    statement: "No group of operations is served that the profile says the gateway has not.",
  },
];
