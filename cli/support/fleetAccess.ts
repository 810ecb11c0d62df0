import { hostname, userInfo } from "node:os";
import type { Priority } from "../../workflows/fleet/priorities.ts";
import { databaseAddress } from "../../workflows/fleet/address.ts";
import { FleetDatabase } from "../../workflows/fleet/database.ts";
import { requireSchema } from "../../workflows/fleet/schema.ts";

export interface FleetOptions {
  /** URL of the database; default RACKPROOF_DATABASE. */
  readonly database?: string;
  readonly json?: boolean;
}

/** The database of the fleet with tables of this release; throws a UsageError otherwise. */
export async function openFleet(options: FleetOptions): Promise<FleetDatabase> {
  const database = await FleetDatabase.open(databaseAddress(options.database));
  try {
    await requireSchema(database);
    return database;
  } catch (thrown) {
    await database[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** Writes one JSON object, or the lines. */
export function answer({ json }: FleetOptions, value: unknown, lines: readonly string[]): void {
  process.stdout.write(
    json === true ? `${JSON.stringify(value)}\n` : lines.map((one) => `${one}\n`).join(""),
  );
}

/** Whoever has a gateway, as `who` shows it. */
export function ownerOf({ owner }: { readonly owner?: string }): string {
  return owner ?? `${userInfo().username}@${hostname()}`;
}

/** CI systems set CI. */
export function priorityOf({ priority }: { readonly priority?: Priority }): Priority {
  const ci = process.env["CI"] ?? "";
  return priority ?? (ci === "" || ci === "false" ? "person" : "ci");
}
