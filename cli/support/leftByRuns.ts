// What the last run over each gateway of a lab changed and could not restore.
import { glob, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CampaignRecord, readCampaign } from "../../record/index.ts";

/** A run whose gateway still differs, as far as its record shows. */
export interface LeftByRun {
  readonly folder: string;
  readonly gateway: string;
  readonly left: NonNullable<CampaignRecord["left"]>;
}

const mostRuns = 50;
const patterns = ["runs/*/campaign.json", "nights/*/*/attempt-*/campaign.json"];

/** The newest run over each gateway at a URL below `folder` counts; embedded gateways end with their run. */
export async function leftByRuns(folder: string): Promise<LeftByRun[]> {
  const files: string[] = [];
  for await (const file of glob(patterns, { cwd: folder })) files.push(file);
  const dated = await Promise.all(
    files.map(async (file) => ({ file, writtenMs: (await stat(join(folder, file))).mtimeMs })),
  );
  const newest = dated.toSorted((a, b) => b.writtenMs - a.writtenMs).slice(0, mostRuns);
  const found = new Map<string, LeftByRun>();
  for (const { file } of newest) {
    const run = dirname(file);
    const record = await readCampaign(join(folder, run)).catch(() => undefined);
    if (record?.gateway.kind !== "remote" || found.has(record.gateway.baseUrl)) continue;
    // A run that found no gateway shows nothing about its state.
    if (record.trouble?.kind === "health-check") continue;
    const { name, baseUrl } = record.gateway;
    found.set(baseUrl, { folder: run, gateway: `${name} at ${baseUrl}`, left: record.left ?? [] });
  }
  return [...found.values()].filter(({ left }) => left.length > 0);
}
