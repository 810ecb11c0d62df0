// `rackproof fleet`: sets up the database of a fleet, shows its labs and gateways, and checks it.
import picocolors from "picocolors";
import { counted, oneLine } from "../reports/text/visibleText.ts";
import { databaseAddress } from "../workflows/fleet/address.ts";
import { FleetDatabase } from "../workflows/fleet/database.ts";
import { Dispatch } from "../workflows/fleet/dispatch.ts";
import { FleetHolds } from "../workflows/fleet/fleetHolds.ts";
import { runningNights } from "../workflows/fleet/fleetNights.ts";
import { labelText } from "../workflows/fleet/labels.ts";
import { type FleetGateway, type Lab, listGateways, listLabs } from "../workflows/fleet/register.ts";
import { fleetRoles, grantRoles } from "../workflows/fleet/roles.ts";
import { migrate, requireSchema, serverFacts } from "../workflows/fleet/schema.ts";
import { answer, type FleetOptions, openFleet } from "./support/fleetAccess.ts";
import { suiteVersion } from "./support/version.ts";
import { UsageError, messageOf } from "../record/index.ts";

/** Creates or updates the tables; returns 0. */
export async function fleetInit(options: FleetOptions): Promise<number> {
  await using database = await FleetDatabase.open(databaseAddress(options.database));
  const { before, now } = await migrate(database);
  await using _queues = await Dispatch.open(database, { mayMigrate: true });
  const noRoles = await grantRoles(database);
  const { shown } = database.address;
  const change = before === now ? `version ${now}, up to date` : `version ${now}, before ${before}`;
  const roles = noRoles === undefined ? fleetRoles : [];
  answer(options, { database: shown, before, now, roles }, [
    `${shown}: tables of ${change}`,
    `roles: ${noRoles ?? fleetRoles.join(", ")}`,
  ]);
  return 0;
}

/** Prints labs, gateways and running nights; returns 0. */
export async function fleetStatus(options: FleetOptions): Promise<number> {
  await using database = await openFleet(options);
  const labs = await listLabs(database);
  const gateways = await listGateways(database, {});
  const holds = await new FleetHolds(database).all();
  const nights = await runningNights(database);
  const shown = gateways.map((one) => ({
    gateway: one.id,
    lab: one.lab,
    labels: one.labels,
    state: stateOf(one),
    health: one.health,
    heldBy: holds.find(({ gateway }) => gateway === one.id)?.owner ?? null,
  }));
  const value = {
    database: database.address.shown,
    labs: labs.map((lab) => ({
      lab: lab.name,
      host: lab.host,
      rackproof: lab.suite_version,
      state: labState(lab),
      gateways: lab.gateways,
    })),
    gateways: shown,
    nights: nights.map(({ id, kind, started_by, waiting, ended }) => ({
      night: id,
      kind,
      startedBy: started_by,
      waiting,
      ended,
    })),
  };
  answer(options, value, [
    ...labs.map(
      (lab) => `lab ${lab.name} ${labState(lab)}, ${counted(lab.gateways, "gateway")} (${lab.host})`,
    ),
    ...shown.map(({ gateway, labels, state, health, heldBy }) =>
      oneLine(
        `${gateway}  ${labelText(labels)}  ${state}${heldBy === null ? "" : `, in use by ${heldBy}`}${health === null ? "" : `: ${health}`}`,
      ),
    ),
    ...nights.map(
      ({ id, kind, started_by, waiting, ended }) =>
        `${kind} ${id} by ${started_by}: ${ended} of ${counted(ended + waiting, "turn")} ended`,
    ),
    ...(labs.length === 0 ? ["no lab yet; rackproof agent enters one"] : []),
  ]);
  return 0;
}

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  readonly fix?: string;
}

/** Checks database and labs; returns 0 when all is well, 3 otherwise. */
export async function fleetDoctor(options: FleetOptions): Promise<number> {
  const findings = await examine(options);
  const isWell = findings.every(({ ok }) => ok);
  answer(
    options,
    { ok: isWell, findings },
    findings.map(({ what, ok, found, fix }) => {
      const sign = ok ? picocolors.green("works ") : picocolors.red("broken");
      return `${sign}  ${what}: ${oneLine(found)}${ok || fix === undefined ? "" : `. Fix: ${fix}`}`;
    }),
  );
  return isWell ? 0 : 3;
}

/** A step that fails ends the list: the later ones need it. */
async function examine({ database: option }: FleetOptions): Promise<Finding[]> {
  const address = databaseAddress(option);
  const findings: Finding[] = [];
  const check = async (what: string, action: () => Promise<string>): Promise<boolean> => {
    try {
      findings.push({ what, ok: true, found: await action() });
      return true;
    } catch (thrown) {
      const fix = thrown instanceof UsageError ? thrown.fix : undefined;
      findings.push({ what, ok: false, found: messageOf(thrown), ...(fix === undefined ? {} : { fix }) });
      return false;
    }
  };
  let opened: FleetDatabase | undefined;
  await check("database", async () => {
    opened = await FleetDatabase.open(address);
    const { version, encrypted } = await serverFacts(opened);
    return `${address.shown}, PostgreSQL ${version}, ${encrypted ? "TLS" : "no TLS"}`;
  });
  if (opened === undefined) return findings;
  await using database = opened;
  if (!(await check("tables", () => requireSchema(database).then(() => "of this release")))) return findings;
  await check("queues", async () => {
    await using _queues = await Dispatch.open(database);
    return "of this release";
  });
  for (const lab of await listLabs(database)) findings.push(labFinding(lab));
  for (const gateway of await listGateways(database, {}))
    if (gateway.state === "unusable")
      findings.push({ what: `gateway ${gateway.id}`, ok: false, found: gateway.health ?? "unusable" });
  return findings;
}

function labFinding(lab: Lab): Finding {
  const isOfOurRelease = lab.suite_version === suiteVersion;
  const found = `${labState(lab)}, rackproof ${lab.suite_version}, ${counted(lab.gateways, "gateway")}`;
  const fix = lab.alive
    ? `install rackproof ${suiteVersion} there`
    : `start rackproof agent --lab ${lab.name} on ${lab.host.split("/")[0] ?? lab.host}`;
  return { what: `lab ${lab.name}`, ok: lab.alive && isOfOurRelease, found, fix };
}

function labState({ state, alive, silent_ms }: Lab): string {
  if (state === "stopped") return "stopped";
  return alive ? "running" : `silent for ${Math.round(silent_ms / 1000)} s`;
}

function stateOf({ state, alive, lab_state }: FleetGateway): string {
  if (lab_state === "stopped") return "its lab is stopped";
  if (!alive) return "its lab is silent";
  return state === "listed" ? "available" : "unusable";
}
