// A copy of a run without the bodies that the profile marks: its log still verifies, the rest is made readable.
import { cp, mkdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fitsPattern } from "../../harness/index.ts";
import {
  type CampaignRecord,
  type CaseRecord,
  type Exchange,
  exchangesFile,
  logFile,
  readExchanges,
  redactedFile,
  type RedactionFile,
  redactLog,
  sha256,
  writeExchanges,
  writeWhole,
} from "../../record/index.ts";

export interface Redaction {
  readonly record: CampaignRecord;
  readonly exchanges: ReadonlyMap<string, readonly Exchange[]>;
  /** Numbers of contents of the log, exchanges and cases that were redacted. */
  readonly counts: { readonly contents: number; readonly exchanges: number; readonly cases: number };
}

const gone = "redacted";

/** Writes the copy into `target`. `patterns`: operations; `*` marks everything that the run received. */
export async function redactRun(
  folder: string,
  target: string,
  record: CampaignRecord,
  patterns: readonly string[],
): Promise<Redaction> {
  const isMarked = (operation: string): boolean => patterns.some((one) => fitsPattern(operation, one));
  const isAll = patterns.includes("*");
  await mkdir(target, { recursive: true });
  const contents = await redactLog(join(folder, logFile), join(target, logFile), (entry) =>
    entry.kind === "exchange" ? isMarked(entry.operation) : isAll,
  );
  const files: Record<string, string> = {
    "campaign.json": sha256(await readFile(join(folder, "campaign.json"))),
  };
  const exchanges = new Map<string, Exchange[]>();
  /** Numbers of the marked exchanges by case. */
  const marked = new Map<string, Set<number>>();
  // Files without a marked exchange stay byte for byte: the log states their digests.
  await cp(join(folder, "exchanges"), join(target, "exchanges"), { recursive: true });
  for (const { id } of record.cases) {
    const all = await readExchanges(folder, id);
    const some = all.filter(({ operation }) => isMarked(operation));
    exchanges.set(
      id,
      all.map((one) => (some.includes(one) ? withoutBodies(one) : one)),
    );
    if (some.length === 0) continue;
    marked.set(id, new Set(some.map(({ number }) => number)));
    const file = exchangesFile(folder, id);
    files[relative(folder, file)] = sha256(await readFile(file));
    await writeExchanges(target, id, exchanges.get(id) ?? []);
  }
  const cases = record.cases.map((one) => withoutValues(one, marked));
  const shown = { ...record, cases };
  await writeWhole(join(target, "campaign.json"), `${JSON.stringify(shown, null, 1)}\n`);
  const file: RedactionFile = { format: "rackproof/redaction@1", operations: [...patterns], files };
  await writeWhole(join(target, redactedFile), `${JSON.stringify(file, null, 1)}\n`);
  return {
    record: shown,
    exchanges,
    counts: {
      contents,
      exchanges: [...marked.values()].reduce((sum, numbers) => sum + numbers.size, 0),
      cases: cases.filter((one, index) => one !== record.cases[index]).length,
    },
  };
}

/** The exchange with digests in place of its bodies. */
function withoutBodies(exchange: Exchange): Exchange {
  const { request, answer } = exchange;
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: digestText(request.body) },
    ...(answer === undefined ? {} : { answer: { ...answer, body: digestText(answer.body) } }),
  };
}

function digestText(body: string): string {
  return body === "" ? "" : `${gone}, SHA-256 ${sha256(body)}`;
}

/** The case without the values that may come from marked exchanges: those of its own, and of others that checks name. */
function withoutValues(one: CaseRecord, marked: ReadonlyMap<string, ReadonlySet<number>>): CaseRecord {
  const isOwn = marked.has(one.id);
  const isHidden = ({ exchange, exchangeCase }: CaseRecord["checks"][number]): boolean =>
    isOwn ||
    (exchange !== undefined &&
      exchangeCase !== undefined &&
      marked.get(exchangeCase)?.has(exchange) === true);
  if (!one.checks.some(isHidden) && !isOwn) return one;
  const { curl: _curl, ...facts } = one;
  return {
    ...facts,
    ...(one.reason === undefined ? {} : { reason: gone }),
    notes: [],
    checks: one.checks.map((check) => {
      if (!isHidden(check)) return check;
      const { transcript: _transcript, ...shown } = check;
      return { ...shown, expected: gone, observed: gone };
    }),
  };
}
