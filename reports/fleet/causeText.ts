// The cause of a new failure in words: the verdict, and what each turn has shown.
import { type Cause, type CauseCase, type CauseTurn, causeVerdicts } from "../../record/index.ts";
import { counted, oneLine } from "../text/visibleText.ts";

const most = 3;

/** The verdict of each case, the same ones together; an unknown one with what is most probable. */
export function verdictWords({ cases }: Pick<Cause, "cases">): string {
  const groups = causeVerdicts.flatMap((verdict) => {
    const alike = cases.filter((one) => one.verdict === verdict);
    const [first] = alike;
    if (first === undefined) return [];
    const odds =
      verdict === "unknown" ? `, most probable ${oddsWords(first)}` : ` (${percent(first.odds[verdict])})`;
    const whom = alike.length === cases.length ? "" : ` for ${counted(alike.length, "case")}`;
    return [`${verdict}${whom}${odds}`];
  });
  return groups.join("; ");
}

/** An unknown lasting cause is named in full: `unknown` is also the word for a missing verdict. */
const named = (cause: string): string => (cause === "unknown" ? "a cause that no turn changes" : cause);

function oddsWords({ odds }: CauseCase): string {
  return Object.entries(odds)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .filter(([, probability]) => probability >= 0.05)
    .map(([cause, probability]) => `${named(cause)} ${percent(probability)}`)
    .join(", ");
}

function percent(probability = 0): string {
  return probability > 0.999 ? "over 99.9 %" : `${(probability * 100).toFixed(probability > 0.9 ? 1 : 0)} %`;
}

/** What was changed. */
export function changeWords({ changed, isExtra, firmware, suite }: CauseTurn): string {
  const words: Readonly<Record<CauseTurn["changed"][number], string>> = {
    firmware: `firmware ${oneLine(firmware ?? "not reported")}`,
    suite: `rackproof ${oneLine(suite)}`,
    unit: "another gateway",
    rig: "another rig",
  };
  const text = changed.map((part) => words[part]).join(", ") || "the same again";
  return isExtra ? text : `${text} (same night)`;
}

/** How often the cases failed. */
export function countWords({ counts, note, brokenWire }: CauseTurn): string {
  const all = Object.entries(counts);
  const text =
    all.length === 0
      ? "no result"
      : all.length <= most
        ? all
            .map(
              ([id, { failed, passed }]) =>
                `${all.length === 1 ? "" : `${oneLine(id)}: `}failed ${failed} of ${failed + passed}`,
            )
            .join("; ")
        : `${counted(all.length, "case")}: failed ${all.reduce((sum, [, one]) => sum + one.failed, 0)} of ${all.reduce((sum, [, one]) => sum + one.failed + one.passed, 0)}`;
  return [
    text,
    ...(brokenWire === undefined ? [] : [`wire failed: ${oneLine(brokenWire)}`]),
    ...(note === undefined ? [] : [oneLine(note)]),
  ].join("; ");
}

/** One line for a message: the verdict and the table. */
export function causeLine(cause: Cause): string {
  const turns = cause.turns.map(
    (turn) => `${changeWords(turn)} on ${oneLine(turn.gateway)}: ${countWords(turn)}`,
  );
  return `cause: ${verdictWords(cause)}${turns.length === 0 ? "" : ` [${turns.join(" | ")}]`}${cause.note === undefined ? "" : `; ${oneLine(cause.note)}`}`;
}
