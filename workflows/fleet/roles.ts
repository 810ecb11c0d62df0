// What users of the database may: four roles of PostgreSQL, of which a login has one.
import Type from "typebox";
import type { FleetDatabase, Queries } from "./database.ts";

const [viewer, engineer, agent, admin] = [
  "rackproof_viewer",
  "rackproof_engineer",
  "rackproof_agent",
  "rackproof_admin",
] as const;
export const fleetRoles = [viewer, engineer, agent, admin] as const;

const changes = "INSERT, UPDATE, DELETE";
const tables = (schema: string): string => `ALL TABLES IN SCHEMA ${schema}`;

/** Safe to repeat; tables of a later release are granted by its `fleet init`. */
const grants = [
  `GRANT ${viewer} TO ${engineer}`,
  `GRANT ${viewer} TO ${agent}`,
  `GRANT ${engineer}, ${agent} TO ${admin}`,
  ...["rackproof", "rackproof_queue"].flatMap((schema) => [
    `GRANT USAGE ON SCHEMA ${schema} TO ${viewer}`,
    `GRANT SELECT ON ${tables(schema)} TO ${viewer}`,
    `REVOKE ${changes} ON ${tables(schema)} FROM ${viewer}`,
  ]),
  ...[engineer, agent].flatMap((role) => [
    `GRANT ${changes} ON ${tables("rackproof_queue")} TO ${role}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA rackproof_queue TO ${role}`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA rackproof TO ${role}`,
  ]),
  `GRANT ${changes} ON rackproof.claim TO ${engineer}`,
  `GRANT INSERT, UPDATE ON rackproof.night, rackproof.turn, rackproof.cause TO ${engineer}`,
  `GRANT UPDATE (expires_at) ON rackproof.hold TO ${engineer}`,
  `GRANT ${changes} ON ${tables("rackproof")} TO ${agent}, ${admin}`,
  `REVOKE ${changes} ON rackproof.limits, rackproof.version FROM ${agent}`,
].join(";\n");

const Rights = Type.Object({ missing: Type.Boolean(), may_create: Type.Boolean() });

/** Makes the roles and their rights; answers why the roles were not made, where this user may not. */
export function grantRoles(database: FleetDatabase): Promise<string | undefined> {
  return database.together(async (queries) => {
    // Roles are shared by all databases of a server.
    await queries.run("SELECT pg_advisory_xact_lock(hashtext('rackproof.roles'))");
    const [rights] = await queries.rows(
      Rights,
      `SELECT (SELECT count(*) FROM pg_roles WHERE rolname = ANY ($1)) < $2 AS missing,
         (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) AS may_create`,
      [[...fleetRoles], fleetRoles.length],
    );
    if (rights?.missing === true && !rights.may_create)
      return "this user may not create roles: everybody who has its password may do everything";
    for (const role of fleetRoles) await makeRole(queries, role);
    await queries.run(grants);
    return undefined;
  });
}

/** Two databases of one server may be set up at the same time. */
async function makeRole(queries: Queries, role: string): Promise<void> {
  await queries.run(
    `DO $$ BEGIN
       IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF;
     EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
     END $$`,
  );
}
