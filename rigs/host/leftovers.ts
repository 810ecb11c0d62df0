// A ledger of the folders, containers, networks and places of labgrid of a campaign: the next campaign removes or releases
// those of a killed one.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { releaseLeftPlace } from "../labgrid/heldPlace.ts";
import { processStart } from "./processStart.ts";

const Owner = {
  ownerPid: Type.Integer(),
  /** Start time of the owner as the kernel counts it, which distinguishes a reused pid from the owner. */
  ownerStart: Type.String(),
};
const Entry = Type.Union([
  Type.Object({ kind: Type.Literal("folder"), path: Type.String(), ...Owner }),
  Type.Object({
    kind: Type.Enum(["container", "network"]),
    name: Type.String({ pattern: "^rackproof-[0-9a-f]+$" }),
    ...Owner,
  }),
  Type.Object({
    kind: Type.Literal("place"),
    coordinator: Type.String(),
    place: Type.String(),
    holder: Type.String(),
    ...Owner,
  }),
]);
type Entry = Static<typeof Entry>;
const isEntry = checker(Entry);

const ledgerFolder = join(tmpdir(), "rackproof-ledger");

export interface Leftover {
  /** Removes the entry from the ledger: its object no longer exists. */
  settle(): Promise<void>;
}

/** A possible leftover: a folder of ours, an object of the container engine, or an acquired place of labgrid. */
export type LeftoverWish =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "container" | "network"; readonly name: string }
  | {
      readonly kind: "place";
      readonly coordinator: string;
      readonly place: string;
      readonly holder: string;
    };

/** Records an object of this process that must be removed, before or right after its creation. */
export async function recordLeftover(what: LeftoverWish): Promise<Leftover> {
  await mkdir(ledgerFolder, { recursive: true, mode: 0o700 });
  const file = join(ledgerFolder, `${randomUUID()}.json`);
  const entry: Entry = { ...what, ownerPid: process.pid, ownerStart: processStart(process.pid) };
  await writeFile(file, JSON.stringify(entry));
  return { settle: () => rm(file, { force: true }) };
}

/** Removes the leftovers of ended processes; answers the removed objects in words. */
export async function removeLeftovers(): Promise<string[]> {
  const files = await readdir(ledgerFolder).catch(() => []);
  const dead: { file: string; entry: Entry | undefined }[] = [];
  for (const name of files) {
    const file = join(ledgerFolder, name);
    const entry = await readEntry(file);
    if (entry === undefined || !isRunning(entry)) dead.push({ file, entry });
  }
  const removed: string[] = [];
  // A network can be removed only after its containers.
  for (const kind of ["place", "container", "network", "folder", undefined] as const) {
    for (const { file, entry } of dead.filter((one) => one.entry?.kind === kind)) {
      const what = entry === undefined ? undefined : await remove(entry);
      if (what === notYet) continue;
      if (what !== undefined) removed.push(what);
      await rm(file, { force: true });
    }
  }
  return removed;
}

/** It stays in the ledger, for the time when the coordinator answers again. */
const notYet = Symbol("not yet");

async function remove(entry: Entry): Promise<string | typeof notYet | undefined> {
  if (entry.kind === "place") {
    const outcome = await releaseLeftPlace(entry);
    if (outcome === "away") return notYet;
    return outcome === "released" ? `place ${entry.place} of labgrid ${entry.coordinator}` : undefined;
  }
  if (entry.kind === "folder") {
    // Only folders with our prefix are removed, whatever a ledger file contains.
    if (!entry.path.startsWith(join(tmpdir(), "rackproof-"))) return undefined;
    await rm(entry.path, { recursive: true, force: true });
    return `folder ${entry.path}`;
  }
  const { findEngine } = await import("./engine.ts");
  const engine = await findEngine();
  try {
    if (entry.kind === "container")
      await engine.container.getById(entry.name).remove({ force: true, v: true });
    else await engine.network.getById(entry.name).remove();
  } catch (thrown) {
    if ((thrown as { statusCode?: unknown }).statusCode === 404) return undefined;
    throw thrown;
  }
  return `${entry.kind} ${entry.name}`;
}

async function readEntry(file: string): Promise<Entry | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return isEntry(value).length === 0 ? (value as Entry) : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(entry: Entry): boolean {
  const start = processStart(entry.ownerPid);
  return start !== "" && start === entry.ownerStart;
}
