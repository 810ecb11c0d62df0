// Words for the nights, on the terminal and on the page.
import type { Change, Outcome, TurnOutcome } from "../../record/index.ts";
import { verdictWords } from "../text/verdictWords.ts";
import { clip, counted, oneLine } from "../text/visibleText.ts";

/** Sign and word of each result; the sign distinguishes results without colour. */
export const outcomeWords: Readonly<Record<Outcome, { sign: string; word: string }>> = {
  ...verdictWords,
  flaky: { sign: "~", word: "flaky" },
  "not-concluded": { sign: "…", word: "not completed" },
  quarantined: { sign: "Q", word: "quarantined" },
};

export const turnWords: Readonly<Record<TurnOutcome, { sign: string; word: string }>> = {
  conformant: { sign: "✓", word: "conformant" },
  "non-conformant": { sign: "✕", word: "not conformant" },
  inconclusive: { sign: "?", word: "inconclusive" },
  incomplete: { sign: "…", word: "incomplete" },
  "set-aside": { sign: "!", word: "quarantined" },
  waiting: { sign: "…", word: "not run" },
};

export const changeWords: Readonly<Record<Change["kind"], string>> = {
  "set-aside": "quarantined",
  "newly-failing": "newly failing",
  "not-concluded": "not completed",
  slower: "slower",
  "newly-undecided": "newly inconclusive",
  "newly-flaky": "newly flaky",
  "no-longer-run": "no longer run",
  surroundings: "environment changed",
  back: "available again",
  fixed: "fixed",
  "decided-again": "conclusive again",
  "steady-again": "stable again",
  "newly-run": "newly run",
};

/** Whether the change is a regression. */
export const isWorse = (kind: Change["kind"]): boolean =>
  ["set-aside", "newly-failing", "not-concluded", "slower", "newly-undecided", "newly-flaky"].includes(kind);

const mostSubjects = 3;
const longestText = 200;

/** The first cases of a change, and how many more. */
function subjectsText({ subjects }: Change): string {
  if (subjects.length <= mostSubjects) return subjects.join(", ");
  return `${subjects.slice(0, mostSubjects).join(", ")} and ${subjects.length - mostSubjects} more`;
}

/** One line for each change, for a terminal. */
export function changeLines(changes: readonly Change[], isFirstNight: boolean): string[] {
  if (changes.length === 0 && !isFirstNight) return ["no changes since the previous night"];
  return [
    isFirstNight
      ? "first night: no previous night to compare with"
      : `${counted(changes.length, "change")} since the previous night:`,
    ...changes.map((change) => {
      const subjects = subjectsText(change);
      const about = subjects === "" ? change.gateway : `${change.gateway}, ${subjects}`;
      return `  ${changeWords[change.kind]}: ${oneLine(about)}: ${clip(oneLine(change.text), longestText)}`;
    }),
  ];
}

/** The result of a gateway, for a terminal. */
export function turnLine(turn: {
  readonly gateway: string;
  readonly outcome: TurnOutcome;
  readonly reason?: string;
  readonly cases: ReadonlyMap<string, { readonly outcome: Outcome }>;
}): string {
  const { sign, word } = turnWords[turn.outcome];
  const counts = Object.entries(outcomeWords).flatMap(([outcome, words]) => {
    const count = [...turn.cases.values()].filter((one) => one.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${words.word}`];
  });
  const why = turn.reason === undefined ? "" : `: ${clip(oneLine(turn.reason), longestText)}`;
  return `${sign} ${oneLine(turn.gateway)} ${word} (${counts.join(", ")})${why}`;
}
