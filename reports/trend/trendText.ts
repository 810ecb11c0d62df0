// Words of the nights, for the terminal and for the page.
import type { Change, Outcome, TurnOutcome } from "../../record/index.ts";
import { verdictWords } from "../text/verdictWords.ts";
import { clip, counted, oneLine } from "../text/visibleText.ts";

/** Sign and word of each outcome; the sign carries the meaning where colour is missing. */
export const outcomeWords: Readonly<Record<Outcome, { sign: string; word: string }>> = {
  ...verdictWords,
  flaky: { sign: "~", word: "flaky" },
  "not-concluded": { sign: "…", word: "not concluded" },
};

export const turnWords: Readonly<Record<TurnOutcome, { sign: string; word: string }>> = {
  conformant: { sign: "✓", word: "conformant" },
  "non-conformant": { sign: "✕", word: "not conformant" },
  inconclusive: { sign: "?", word: "undecided" },
  incomplete: { sign: "…", word: "not finished" },
  "set-aside": { sign: "!", word: "set aside" },
  waiting: { sign: "…", word: "never run" },
};

export const changeWords: Readonly<Record<Change["kind"], string>> = {
  "set-aside": "set aside",
  "newly-failing": "newly failing",
  "not-concluded": "not concluded",
  slower: "slower",
  "newly-undecided": "newly undecided",
  "newly-flaky": "newly flaky",
  "no-longer-run": "no longer run",
  surroundings: "changed around it",
  back: "back",
  fixed: "fixed",
  "decided-again": "decided again",
  "steady-again": "steady again",
  "newly-run": "newly run",
};

/** Changes that are no good news. */
export const isWorse = (kind: Change["kind"]): boolean =>
  ["set-aside", "newly-failing", "not-concluded", "slower", "newly-undecided", "newly-flaky"].includes(kind);

const mostSubjects = 3;
const longestText = 200;

/** The cases of a change in words: the first few, and how many more. */
function subjectsText({ subjects }: Change): string {
  if (subjects.length <= mostSubjects) return subjects.join(", ");
  return `${subjects.slice(0, mostSubjects).join(", ")} and ${subjects.length - mostSubjects} more`;
}

/** What changed, a line each, for a terminal. */
export function changeLines(changes: readonly Change[], isFirstNight: boolean): string[] {
  if (changes.length === 0 && !isFirstNight) return ["nothing changed since the night before"];
  return [
    isFirstNight
      ? "this is the first night: there is nothing to compare with"
      : `${counted(changes.length, "change")} since the night before:`,
    ...changes.map((change) => {
      const subjects = subjectsText(change);
      const about = subjects === "" ? change.gateway : `${change.gateway}, ${subjects}`;
      return `  ${changeWords[change.kind]}: ${oneLine(about)}: ${clip(oneLine(change.text), longestText)}`;
    }),
  ];
}

/** How a gateway came off, for a terminal. */
export function turnLine(turn: {
  readonly gateway: string;
  readonly outcome: TurnOutcome;
  readonly reason?: string;
  readonly cases: ReadonlyMap<string, { readonly outcome: Outcome }>;
}): string {
  const { sign, word } = turnWords[turn.outcome];
  const counts = Object.keys(outcomeWords).flatMap((outcome) => {
    const count = [...turn.cases.values()].filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${outcome.replace("-", " ")}`];
  });
  const why = turn.reason === undefined ? "" : `: ${clip(oneLine(turn.reason), longestText)}`;
  return `${sign} ${oneLine(turn.gateway)} ${word} (${counts.join(", ")})${why}`;
}
