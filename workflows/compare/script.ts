// A finding for people, and as a sequence to replay.
import Type, { type Static } from "typebox";
import { requirements } from "../../interface/requirements/index.ts";
import { checker } from "../../interface/schema/validate.ts";
import { UsageError, parseJson, stringifyJson } from "../../record/index.ts";
import type { Finding } from "./search.ts";
import { asReference, operationOf, Step } from "./step.ts";

const format = "rackproof/replay@1";

const ReplayFile = Type.Object({
  format: Type.Literal(format),
  seed: Type.Integer(),
  shows: Type.String(),
  steps: Type.Array(Step, { minItems: 1 }),
});
export type ReplayFile = Static<typeof ReplayFile>;

/** The sequence of a finding as a file for `--replay`. */
export function replayText(finding: Finding): string {
  const document: ReplayFile = {
    format,
    seed: finding.seed,
    shows: headline(finding),
    steps: [...finding.steps],
  };
  const lines = document.steps.map((step) => `    ${stringifyJson(step)}`);
  const { steps: _steps, ...head } = document;
  const text = stringifyJson(head);
  return `${text.slice(0, -1)},"steps":[\n${lines.join(",\n")}\n]}\n`;
}

/** Reads a replay file; throws a UsageError that names its mistake. */
export function parseReplay(text: string, origin: string): ReplayFile {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new UsageError("REPLAY_SYNTAX", `replay ${origin}: expected JSON as compare writes it`);
  }
  const problem = checker(ReplayFile)(value)[0];
  if (problem !== undefined) {
    throw new UsageError(
      "REPLAY_FIELD",
      `replay ${origin}: ${problem.pointer || "/"}: expected ${problem.expected}, found ${problem.found}`,
    );
  }
  const replay = value as ReplayFile;
  for (const [index, step] of replay.steps.entries()) {
    if (operationOf(step) === undefined) {
      throw new UsageError(
        "REPLAY_OPERATION",
        `replay ${origin}: /steps/${index}/operation: ${step.operation} is not an operation`,
      );
    }
  }
  return replay;
}

/** One line: the difference and the deviating gateway. */
export function headline({ difference }: Finding): string {
  const { breaks, thing, field } = difference;
  const place = `${thing}, ${field}`;
  if (breaks.length === 0) return `${place}: A and B differ; the interface states no rule`;
  return breaks
    .map(({ side, requirement, level }) => `${place}: ${side} violates ${requirement} (${level})`)
    .join("; ");
}

const lastShown = 5;

/** The whole finding: statement of the requirement, the steps, the value of each gateway. */
export function describe(finding: Finding): string[] {
  const { difference, steps, isRepeatable, seed, sequences } = finding;
  const { a, b, breaks } = difference;
  return [
    headline(finding),
    ...breaks.map(({ requirement }) => `  ${requirement}: ${statementOf(requirement)}`),
    ...(isRepeatable ? [] : ["  Not reproduced by the steps of this sequence alone; the last of them:"]),
    ...steps
      .map((step, index) => `  ${String(index + 1).padStart(2)}. ${stepText(step)}`)
      .slice(isRepeatable ? 0 : -lastShown),
    ...breaks.map(({ side, expected, found }) => `      ${side}: expected ${expected}, found ${found}`),
    ...(breaks.length === 0 ? [`      A: ${a ?? "no value"}`, `      B: ${b ?? "no value"}`] : []),
    `  seed ${seed}, found in ${sequences} ${sequences === 1 ? "sequence" : "sequences"}`,
  ];
}

function statementOf(id: string): string {
  return requirements.find((one) => one.id === id)?.statement ?? "";
}

/** `user1 := addUser {...}`. */
function stepText(step: Step): string {
  const { operation, as, by, refusedBy, ...inputs } = step;
  const parts = Object.entries(inputs)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${name === "json" ? "" : `${name} `}${shown(part)}`);
  return [
    as === undefined ? "" : `${as} := `,
    operation,
    parts.length === 0 ? "" : ` ${parts.join(" ")}`,
    by === undefined ? "" : ` by ${by}`,
    refusedBy === undefined ? "" : ` (must be rejected: ${refusedBy})`,
  ].join("");
}

const longestText = 60;

function shown(value: unknown): string {
  const reference = asReference(value);
  if (reference !== undefined) return Object.values(reference).join("");
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, inner]) => `${name}: ${shown(inner)}`);
    return `{${members.join(", ")}}`;
  }
  const text = stringifyJson(value);
  return text.length > longestText ? `${text.slice(0, longestText)}... (${text.length} characters)` : text;
}
