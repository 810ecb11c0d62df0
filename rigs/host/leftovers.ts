// A ledger of what a campaign put into the world, so that the next one can remove what a killed one left behind.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import { processStart } from "./processStart.ts";

const Owner = {
  ownerPid: Type.Integer(),
  /** Start time of the owner as the kernel counts it, so that a reused pid is not taken for the owner. */
  ownerStart: Type.String(),
};
const Entry = Type.Union([
  Type.Object({ kind: Type.Literal("folder"), path: Type.String(), ...Owner }),
  Type.Object({
    kind: Type.Enum(["container", "network"]),
    name: Type.String({ pattern: "^rackproof-[0-9a-f]+$" }),
    ...Owner,
  }),
]);
type Entry = Static<typeof Entry>;
const isEntry = checker(Entry);

const ledgerFolder = join(tmpdir(), "rackproof-ledger");

export interface Leftover {
  /** Takes the entry out of the ledger: what it names is gone. */
  settle(): Promise<void>;
}

/** What may be left behind: a folder of ours, or something of the container engine's. */
export type LeftoverWish =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "container" | "network"; readonly name: string };

/** Notes something of this process's that must be removed, before or right after it comes into being. */
export async function recordLeftover(what: LeftoverWish): Promise<Leftover> {
  await mkdir(ledgerFolder, { recursive: true, mode: 0o700 });
  const file = join(ledgerFolder, `${randomUUID()}.json`);
  const entry: Entry = { ...what, ownerPid: process.pid, ownerStart: processStart(process.pid) };
  await writeFile(file, JSON.stringify(entry));
  return { settle: () => rm(file, { force: true }) };
}

/** Removes what processes that are no more have left; answers what was removed, in words. */
export async function removeLeftovers(): Promise<string[]> {
  const files = await readdir(ledgerFolder).catch(() => []);
  const dead: { file: string; entry: Entry | undefined }[] = [];
  for (const name of files) {
    const file = join(ledgerFolder, name);
    const entry = await readEntry(file);
    if (entry === undefined || !isRunning(entry)) dead.push({ file, entry });
  }
  const removed: string[] = [];
  // A network can go only after the containers in it.
  for (const kind of ["container", "network", "folder", undefined] as const) {
    for (const { file, entry } of dead.filter((one) => one.entry?.kind === kind)) {
      const what = entry === undefined ? undefined : await remove(entry);
      if (what !== undefined) removed.push(what);
      await rm(file, { force: true });
    }
  }
  return removed;
}

async function remove(entry: Entry): Promise<string | undefined> {
  if (entry.kind === "folder") {
    // Only folders of our own making are ever removed, whatever a ledger file may say.
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
