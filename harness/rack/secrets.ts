// Secrets that the switches of a gateway need: a rack file names their environment variables, never the secrets.
import { UsageError } from "../../record/index.ts";
import type { RemoteRackGateway } from "./rackFile.ts";

/** Throws a UsageError that names the missing variables. */
export function checkSecrets(
  { name, power, reset }: Pick<RemoteRackGateway, "name" | "power" | "reset">,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const missing = [...new Set([power, reset].flatMap(secretsOf))].filter(
    (variable) => (environment[variable] ?? "") === "",
  );
  if (missing.length > 0)
    throw new UsageError(
      "RACK_SECRET",
      `rack: no secret for the power switch of ${name}`,
      `set the environment variable ${missing.join(" and ")}`,
    );
}

/** Values of all members whose name ends in Environment. */
function secretsOf(settings: object | undefined): string[] {
  return Object.entries(settings ?? {}).flatMap(([member, value]: [string, unknown]) => {
    if (typeof value === "object" && value !== null) return secretsOf(value);
    return member.endsWith("Environment") && typeof value === "string" ? [value] : [];
  });
}
