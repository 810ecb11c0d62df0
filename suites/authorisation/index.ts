import type { TestCase } from "../../harness/index.ts";
import { callerCases } from "./callers.ts";
import { credentialCases } from "./credentials.ts";
import { effectCases } from "./effects.ts";
import { permissionCases } from "./permissions.ts";
import { roleNameCases } from "./roleNames.ts";

/** "Authentication": who may call what, operation by operation. */
export const authorisationSuite: readonly TestCase[] = [
  ...callerCases,
  ...permissionCases,
  ...roleNameCases,
  ...credentialCases,
  ...effectCases,
];
