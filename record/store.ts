// A run's folder: the record and the exchanges, written as a whole: a reader never reads half a file.
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checker } from "../interface/schema/validate.ts";
import { CampaignRecord } from "./campaign.ts";
import { digestsText } from "./digests.ts";
import type { Exchange } from "./exchange.ts";
import { unhurried } from "./unhurried.ts";

const check = checker(CampaignRecord);

/** Writes `campaign.json`, and `digests.json` of it and of the exchanges, which must exist. Throws when the record does not fit its schema, which is a fault of the harness. */
export async function writeCampaign(folder: string, record: CampaignRecord): Promise<void> {
  assertValid(record, "the record to be written");
  await writeWhole(join(folder, "campaign.json"), `${JSON.stringify(record, null, 1)}\n`);
  await writeWhole(join(folder, "digests.json"), await digestsText(folder));
}

/** Writes `judged.json`: the record with the new verdicts; the record of the run is unchanged. */
export async function writeJudged(folder: string, record: CampaignRecord): Promise<void> {
  assertValid(record, "the record to be written");
  await writeWhole(join(folder, "judged.json"), `${JSON.stringify(record, null, 1)}\n`);
}

/** Reads a run's `campaign.json`; throws an Error that names the problem of the file. */
export async function readCampaign(folder: string): Promise<CampaignRecord> {
  const file = join(folder, "campaign.json");
  const value: unknown = JSON.parse(await readFile(file, "utf8"));
  assertValid(value, file);
  return value as CampaignRecord;
}

function assertValid(value: unknown, what: string): void {
  const problem = check(value)[0];
  if (problem !== undefined) {
    throw new Error(
      `${what} is not a campaign record: ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  }
}

export function exchangesFile(folder: string, caseId: string): string {
  return join(folder, "exchanges", `${caseId.replaceAll("/", ".")}.json`);
}

/** Writes a case's exchanges as `mask` returns each; without it they must be masked already. */
export async function writeExchanges(
  folder: string,
  caseId: string,
  exchanges: readonly Exchange[],
  mask = (exchange: Exchange): Exchange => exchange,
): Promise<void> {
  const texts: string[] = [];
  for await (const exchange of unhurried(exchanges)) texts.push(JSON.stringify(mask(exchange), null, 1));
  await writeWhole(exchangesFile(folder, caseId), `[\n${texts.join(",\n")}\n]\n`);
}

/** A case's exchanges; none when there is no such file. */
export async function readExchanges(folder: string, caseId: string): Promise<Exchange[]> {
  const text = await readFile(exchangesFile(folder, caseId), "utf8").catch(() => "[]");
  return JSON.parse(text) as Exchange[];
}

export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.part`;
  await writeFile(part, text);
  await rename(part, file);
}
