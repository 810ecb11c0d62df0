import { isEmbeddedKind } from "../../interface/vocabulary/gatewayKinds.ts";
import { type CampaignRecord, type RequirementRecord, testsNothingStated } from "../../record/index.ts";
import { failedDeclarations, isFolded, isOwnDeclaration } from "./findings.ts";
import { troubleLines, troubleTitle } from "./trouble.ts";
import { counted } from "./visibleText.ts";

export interface Headline {
  /** `Not conformant: 3 stated requirements failed`. */
  readonly title: string;
  /** Lines that qualify the title: what was tested, and what limits the verdict. */
  readonly reasons: readonly string[];
}

/** The verdict of a campaign in words. */
export function headline(record: CampaignRecord): Headline {
  const stated = record.requirements.filter((requirement) => requirement.level === "stated");
  const counts = countsOf(stated, unrunRequirements(record));
  const declared = failedDeclarations(record).length;
  const own = declared === 0 ? "" : `; ${declared} of its own declarations failed`;
  return { title: `${title(record, counts)}${own}`, reasons: reasons(record, counts) };
}

/** Requirements of which every case was left out because the run ended early. */
function unrunRequirements({ trouble, cases }: CampaignRecord): ReadonlySet<string> {
  if (trouble === undefined) return new Set();
  const ran = cases.filter((one) => !isFolded(one) && one.verdict !== "not-applicable");
  const tested = new Set(ran.flatMap(({ decided }) => decided.map(({ requirement }) => requirement)));
  return new Set(
    cases.flatMap(({ decided }) =>
      decided.map(({ requirement }) => requirement).filter((id) => !tested.has(id)),
    ),
  );
}

interface Counts {
  readonly all: number;
  readonly passed: number;
  readonly failed: number;
  /** Inconclusive, or stopped by an error of the harness or the rig. */
  readonly inconclusive: number;
  readonly notTested: number;
  readonly notApplicable: number;
  /** Not run because of a failure of the lab. */
  readonly notRun: number;
}

function countsOf(
  requirements: readonly RequirementRecord[],
  unrun: ReadonlySet<string> = new Set(),
): Counts {
  const count = (...verdicts: RequirementRecord["verdict"][]): number =>
    requirements.filter(({ id, verdict }) => verdicts.includes(verdict) && !unrun.has(id)).length;
  return {
    all: requirements.length,
    passed: count("pass"),
    failed: count("fail"),
    inconclusive: count("inconclusive", "error"),
    notTested: count("not-covered"),
    notApplicable: count("not-applicable"),
    notRun: requirements.filter(({ id }) => unrun.has(id)).length,
  };
}

function title(record: CampaignRecord, { failed, inconclusive }: Counts): string {
  switch (record.summary.verdict) {
    case "conformant":
      return "Conformant";
    case "non-conformant":
      return failed === 0
        ? "Not conformant"
        : `Not conformant: ${counted(failed, "stated requirement")} failed`;
    case "inconclusive":
      if (record.trouble !== undefined) return `No verdict: ${troubleTitle(record.trouble)}`;
      if (inconclusive > 0)
        return `Inconclusive: ${counted(inconclusive, "stated requirement")} without a verdict`;
      if (testsNothingStated(record)) return "Conformance not tested";
      return record.complete ? "Inconclusive" : "Inconclusive: the campaign was interrupted";
  }
}

function reasons(record: CampaignRecord, stated: Counts): string[] {
  const others = record.requirements.filter((one) => one.level !== "stated" && !isOwnDeclaration(one));
  const failedOthers = countsOf(others).failed;
  const advised = record.requirements.filter(({ verdict }) => verdict === "advice").length;
  const { error } = record.summary;
  const { trouble } = record;
  const early =
    record.summary.verdict === "inconclusive" || trouble === undefined
      ? []
      : [`The run ended early: ${troubleTitle(trouble)}`];
  if (trouble?.kind === "health-check") return troubleLines(trouble);
  const leftChanges = leftLines(record);
  return [
    ...(trouble === undefined ? [] : [...early, ...troubleLines(trouble)]),
    ...(record.complete || trouble !== undefined
      ? []
      : ["Campaign interrupted; the results until then are recorded"]),
    testedLine(stated),
    ...notServedLines(record),
    ...(error === 0
      ? []
      : [`${counted(error, "case")} ended in an error of the harness or the rig, not of the gateway`]),
    ...leftChanges,
    ...failedDeclarations(record).map(({ id, statement }) => `Own declaration failed: ${id}: ${statement}`),
    ...(failedOthers === 0
      ? []
      : [`${counted(failedOthers, "other requirement")} failed; these do not decide conformance`]),
    ...(advised === 0 ? [] : [`Advice on ${counted(advised, "requirement")}, which changes no verdict`]),
  ];
}

const shownOperations = 5;

/** A verdict says nothing about operations of the interface that the profile leaves out. */
function notServedLines({ profile: { notServed = [] } }: CampaignRecord): string[] {
  if (notServed.length === 0) return [];
  const more = notServed.length - shownOperations;
  const names = [...notServed.slice(0, shownOperations), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return [`Declared as not served: ${counted(notServed.length, "operation")} of the interface: ${names}`];
}

const shownChanges = 5;

/** What the run could not restore: a setting, its value before and now. Of a gateway that ended with the run, only the number. */
function leftLines({ left = [], gateway }: Pick<CampaignRecord, "left" | "gateway">): string[] {
  if (left.length === 0) return [];
  if (isEmbeddedKind(gateway.kind))
    return [
      `Nothing is left changed: the gateway ended with the run; ${counted(left.length, "part")} of its state differed then (campaign.json)`,
    ];
  const byPart = [...Map.groupBy(left, ({ what }) => what)];
  const more = byPart.length - shownChanges;
  return [
    ...byPart.slice(0, shownChanges).map(([what, changes]) => {
      const cases = changes.map((change) => change.case).join(", ");
      const why = changes.at(-1)?.why;
      const reason = why === undefined ? "" : `; ${why}`;
      return `Left changed: ${what}: before ${changes[0]?.from}, now ${changes.at(-1)?.to} (${cases}${reason})`;
    }),
    ...(more > 0
      ? [`Left changed: ${counted(more, "more part")} of the gateway's state (campaign.json)`]
      : []),
  ];
}

/** `528 of 549 stated requirements tested, all passed; 21 not tested (reasons below)`. */
function testedLine(counts: Counts): string {
  const { all, passed, failed, inconclusive, notTested, notApplicable, notRun } = counts;
  const tested = passed + failed + inconclusive;
  const outcomes = [
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
  ];
  const outcome = tested === passed ? ", all passed" : `: ${outcomes.join(", ")}`;
  const rest = [
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    ...(notTested > 0 ? [`${notTested} not tested (reasons below)`] : []),
    ...(notApplicable > 0 ? [`${notApplicable} not applicable`] : []),
  ];
  const head =
    tested === 0
      ? "No stated requirement tested"
      : `${tested} of ${counted(all, "stated requirement")} tested${outcome}`;
  return [head, ...(rest.length === 0 ? [] : [rest.join(", ")])].join("; ");
}
