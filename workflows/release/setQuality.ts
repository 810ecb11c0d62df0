// The quality of a frozen set, measured by a self-test and a campaign of its cases; `tools/measureSet.ts` writes it.
import { readFileSync } from "node:fs";
import { requirements } from "../../interface/requirements/index.ts";
import { checker } from "../../interface/schema/validate.ts";
import {
  type CampaignRecord,
  type SelfTestRecord,
  type SetQuality,
  SetQualityFile,
} from "../../record/index.ts";
import { frozenFile, type FrozenSet } from "./requirementSet.ts";

const check = checker(SetQualityFile);

/** The file of a set's quality. */
export function setQualityFile(name: string): URL {
  return frozenFile(`${name}.quality`);
}

/** The quality of the set; undefined when none was measured for this content of the set. */
export function readSetQuality({ set, sha256 }: FrozenSet): SetQuality | undefined {
  let text: string;
  try {
    text = readFileSync(setQualityFile(set.name), "utf8");
  } catch {
    return undefined;
  }
  const value: unknown = JSON.parse(text);
  const problem = check(value)[0];
  if (problem !== undefined)
    throw new Error(`quality of set ${set.name}: ${problem.pointer} ${problem.found}`);
  const file = value as SetQualityFile;
  return file.setSha256 === sha256 ? file.summary : undefined;
}

/** Counts what the cases of the set detect and observe. `campaign`: a run of these cases on the reference gateway. */
export function measureSet(
  { set, sha256 }: FrozenSet,
  selfTest: SelfTestRecord,
  campaign: CampaignRecord,
): SetQualityFile {
  const { coverage } = campaign;
  if (coverage === undefined) throw new Error("the campaign has no coverage");
  const ids = new Set(set.requirements.map(({ id }) => id));
  const cases = new Set(set.requirements.flatMap((one) => one.cases));
  const groupOf = new Map<string, string>(requirements.map(({ id, group }) => [id, group]));
  const matrix = selfTest.results
    .filter(({ requirement }) => ids.has(requirement))
    .map(({ fault, requirement, outcome, noticedBy, failed }) => ({
      fault,
      requirement,
      outcome,
      case:
        noticedBy !== undefined && cases.has(noticedBy) && failed.some((id) => ids.has(id)) ? noticedBy : "",
    }));
  const byGroup = [...Map.groupBy(matrix, ({ requirement }) => groupOf.get(requirement) ?? "others")].map(
    ([id, rows]) => ({
      id,
      injected: rows.length,
      detected: rows.filter((row) => row.case !== "").length,
    }),
  );
  const undetected = matrix.filter((row) => row.case === "").map(({ fault }) => fault);
  return {
    format: "rackproof/set-quality@1",
    set: set.name,
    setSha256: sha256,
    summary: {
      suite: selfTest.suite,
      level: selfTest.level,
      measuredAt: selfTest.endedAt,
      injected: matrix.length,
      detected: matrix.length - undetected.length,
      byGroup,
      undetected,
      beyond: selfTest.results.length - matrix.length,
      coverage: { all: coverage.all, observed: coverage.observed, byGroup: coverage.byGroup },
    },
    matrix,
  };
}
