// Compares the verdicts of a stored run with those of its replay, and finds the reason of each change.
import type {
  CampaignRecord,
  CaseRecord,
  CheckRecord,
  Flip,
  FlipReason,
  PreviewRun,
} from "../../record/index.ts";
import type { Replayed } from "./replayRun.ts";

/** `isWanted`: whether changes of the requirement are reported. */
export function previewOf(
  folder: string,
  stored: CampaignRecord,
  { record, replayed, notReplayable }: Replayed,
  isWanted: (requirement: string) => boolean,
): PreviewRun {
  const before = new Map(stored.cases.map((one) => [one.id, one]));
  const after = new Map(record.cases.map((one) => [one.id, one]));
  const known = new Set(stored.requirements.map(({ id }) => id));
  const flips = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) =>
    flipsOf(id, before.get(id), after.get(id), known),
  );
  return {
    folder,
    gateway: `${stored.gateway.name} ${stored.gateway.version}`,
    suite: stored.suite.version,
    replayed,
    notReplayable: notReplayable.length,
    flips: flips.filter(({ requirement }) => isWanted(requirement)),
  };
}

function flipsOf(
  id: string,
  before: CaseRecord | undefined,
  after: CaseRecord | undefined,
  known: ReadonlySet<string>,
): Flip[] {
  const was = verdictsOf(before);
  const is = verdictsOf(after);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((requirement) => {
    const [old, now] = [was.get(requirement), is.get(requirement)];
    if (old === now) return [];
    const why = reasonOf(requirement, before, after, known);
    return {
      case: id,
      requirement,
      ...(old === undefined ? {} : { was: old }),
      ...(now === undefined ? {} : { is: now }),
      ...why,
    };
  });
}

function verdictsOf(one: CaseRecord | undefined): Map<string, string> {
  return new Map(one?.decided.map(({ requirement, verdict }) => [requirement, verdict]));
}

function reasonOf(
  requirement: string,
  before: CaseRecord | undefined,
  after: CaseRecord | undefined,
  known: ReadonlySet<string>,
): { readonly reason: FlipReason; readonly detail: string } {
  if (after?.decided.some((one) => one.requirement === requirement) !== true)
    return { reason: "removed", detail: "the present suite does not decide it in this case" };
  if (after.reasonCode === "not-replayable") return { reason: "not-replayable", detail: after.reason ?? "" };
  if (!known.has(requirement))
    return { reason: "new-requirement", detail: "not known to the suite of the run" };
  if (before === undefined) return { reason: "new-case", detail: "not known to the suite of the run" };
  const own = (one: CaseRecord): CheckRecord[] =>
    one.checks.filter((check) => check.requirement === requirement);
  const deciding = own(after).find(({ verdict }) => verdict !== "pass") ?? own(after)[0];
  if (deciding === undefined) return { reason: "changed-check", detail: after.reason ?? "no check is made" };
  const limits = changedLimits(deciding.what, before, after);
  if (limits !== undefined) return { reason: "changed-limit", detail: limits };
  const detail = `${deciding.what}: expected ${deciding.expected}, observed ${deciding.observed}`;
  const isNew = !own(before).some(({ what }) => what === deciding.what);
  return { reason: isNew ? "new-check" : "changed-check", detail };
}

function changedLimits(name: string, before: CaseRecord, after: CaseRecord): string | undefined {
  const limitsOf = ({ measurements }: CaseRecord): string | undefined => {
    const found = measurements.find((one) => one.name === name);
    if (found === undefined) return undefined;
    const { limitLow, limitHigh, unit } = found;
    return `${limitLow ?? "no lower limit"} to ${limitHigh ?? "no upper limit"} ${unit}`;
  };
  const [was, is] = [limitsOf(before), limitsOf(after)];
  return was === undefined || is === undefined || was === is
    ? undefined
    : `${name}: limits ${was}, now ${is}`;
}
