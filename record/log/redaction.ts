// `redacted.json` of a redacted run: which files were redacted, and whether they still agree with the signed log.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { checker } from "../../interface/schema/validate.ts";
import type { CampaignRecord } from "../campaign.ts";
import type { VerifiedLog } from "./verify.ts";
import { readCampaign } from "../store.ts";
import { worst } from "../verdict.ts";

export const redactedFile = "redacted.json";

const RedactionFile = Type.Object(
  {
    format: Type.Literal("rackproof/redaction@1"),
    /** Patterns of the operations whose bodies were removed. */
    operations: Type.Array(Type.String()),
    /** SHA-256 of the files before the redaction. */
    files: Type.Record(Type.String(), Type.String({ pattern: "^[0-9a-f]{64}$" })),
  },
  { additionalProperties: false },
);
export type RedactionFile = Static<typeof RedactionFile>;

export interface RedactionResult {
  /** Names of the redacted files. */
  readonly files: readonly string[];
  /** Differences from the signed log, a sentence each. */
  readonly problems: readonly string[];
}

/** Compares a redacted run with its log; undefined when the run was not redacted. */
export async function readRedaction(
  folder: string,
  { header, lines, end }: Pick<VerifiedLog, "header" | "lines" | "end">,
): Promise<RedactionResult | undefined> {
  const text = await readFile(join(folder, redactedFile), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const file = parse(text);
  if (file === undefined)
    return { files: [], problems: [`${redactedFile} is not in the format of a redaction`] };
  const names = Object.keys(file.files);
  const problems = names
    .filter((name) => end?.files[name] !== file.files[name])
    .map((name) => `${name}: ${redactedFile} names another digest than the log`);
  if (!names.includes("campaign.json")) return { files: names, problems };
  const record = await readCampaign(folder).catch(() => undefined);
  if (record === undefined) return { files: names, problems: [...problems, "campaign.json is no record"] };
  return {
    files: names,
    problems: [
      ...problems,
      ...differences(record, header),
      ...otherVerdicts(record, lines),
      ...contradictions(record),
    ],
  };
}

/** Members of the record that the log's header states too. */
function differences(record: CampaignRecord, header: VerifiedLog["header"]): string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["level", record.level, header.level],
    ["seed", record.seed, header.seed],
    ["selection", record.selection, header.selection],
    ["suite", record.suite.version, header.suite.version],
    ["profile", record.profile.sha256, header.profile.sha256],
  ];
  return pairs
    .filter(([, found, stated]) => found !== stated)
    .map(
      ([name, found, stated]) => `campaign.json: ${name} is ${String(found)}, in the log ${String(stated)}`,
    );
}

/** Cases whose verdict differs from the one that the run signed. */
function otherVerdicts(record: CampaignRecord, lines: VerifiedLog["lines"]): string[] {
  const signed = new Map(
    lines.flatMap(({ entry }) => (entry.kind === "case-end" ? [[entry.case, entry.verdict] as const] : [])),
  );
  return record.cases.flatMap(({ id, verdict }) => {
    const stated = signed.get(id);
    return stated === undefined || stated === verdict
      ? []
      : [`campaign.json: ${id} is ${verdict}, in the log ${stated}`];
  });
}

/** Requirements whose verdict does not follow from the cases, and failed cases that decide no failure. */
function contradictions({ requirements, cases }: CampaignRecord): string[] {
  const decisions = Map.groupBy(
    cases.flatMap(({ decided }) => decided),
    ({ requirement }) => requirement,
  );
  const wrong = requirements.filter(({ id, verdict }) => {
    const found = worst((decisions.get(id) ?? []).map((one) => one.verdict)) ?? "not-covered";
    return found !== verdict;
  });
  const silent = cases.filter(
    ({ verdict, decided }) => verdict === "fail" && !decided.some((one) => one.verdict === "fail"),
  );
  return [
    ...wrong.map(({ id, verdict }) => `campaign.json: ${id} is ${verdict}, its cases decide otherwise`),
    ...silent.map(({ id }) => `campaign.json: ${id} failed, and decides no failure`),
  ];
}

function parse(text: string): RedactionFile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return checker(RedactionFile)(value).length === 0 ? (value as RedactionFile) : undefined;
  } catch {
    return undefined;
  }
}
