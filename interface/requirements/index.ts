import { generalRequirements } from "./general.ts";
import { configurationRequirements } from "./configuration.ts";
import { httpserverRequirements } from "./httpserver.ts";
import { provisionRequirements } from "./provision.ts";
import { logRequirements } from "./log.ts";
import { rebootRequirements } from "./reboot.ts";
import { servicesRequirements } from "./services.ts";
import { rolesRequirements } from "./roles.ts";
import { usersRequirements } from "./users.ts";
import { authRequirements } from "./auth.ts";
import { declarationRequirements } from "./declaration.ts";
import { eventsRequirements } from "./events.ts";
import { appsRequirements } from "./apps.ts";
import { installationRequirements } from "./installations.ts";
import { upgradeRequirements } from "./upgrade.ts";
import { clockRequirements } from "./clock.ts";
import { lineRequirements } from "./line.ts";
import { powerRequirements } from "./power.ts";
import { fieldRequirements } from "./field.ts";
import { robustnessRequirements } from "./robustness.ts";
import { tagsRequirements } from "./tags.ts";
import type { Requirement } from "./requirement.ts";

/** Every requirement, in the order of the groups in the interface document. */
export const requirements: readonly Requirement[] = [
  ...generalRequirements,
  ...configurationRequirements,
  ...httpserverRequirements,
  ...provisionRequirements,
  ...logRequirements,
  ...rebootRequirements,
  ...servicesRequirements,
  ...rolesRequirements,
  ...usersRequirements,
  ...authRequirements,
  ...eventsRequirements,
  ...appsRequirements,
  ...upgradeRequirements,
  ...installationRequirements,
  ...tagsRequirements,
  ...fieldRequirements,
  ...powerRequirements,
  ...clockRequirements,
  ...lineRequirements,
  ...robustnessRequirements,
  ...declarationRequirements,
];
