// The verdicts of a result as one line of letters, a place for each requirement that the fleet has ever tested: years of
// nights are read at once.
import Type from "typebox";
import { codeOf, notTested, type Outcome, outcomes } from "../../record/index.ts";
import type { Queries } from "./database.ts";
import type { TurnName } from "./dispatch.ts";

const letters: Readonly<Record<Outcome, string>> = {
  pass: "p",
  flaky: "y",
  fail: "f",
  error: "e",
  inconclusive: "i",
  "not-applicable": "n",
  "not-concluded": "o",
  quarantined: "q",
};
const notTestedLetter = "-";
const letterOfCode = [notTestedLetter, ...outcomes.map((outcome) => letters[outcome])];
const codeOfLetter = new Map(letterOfCode.map((letter, code) => [letter.charCodeAt(0), code]));
const [zero, nine] = [0x30, 0x39];

/** Each letter is followed by the length of its run, unless that is 1: `p412f1` is written `p412f`. */
export function encodeVerdicts(codes: Uint8Array): string {
  let line = "";
  for (let begin = 0, end; begin < codes.length; begin = end) {
    const code = codes[begin];
    for (end = begin + 1; end < codes.length && codes[end] === code;) end++;
    // Places after the last letter were not tested.
    if (end === codes.length && code === notTested) break;
    line += `${letterOfCode[code ?? notTested] ?? notTestedLetter}${end - begin === 1 ? "" : end - begin}`;
  }
  return line;
}

/** Fills the codes, which are all `notTested`; throws an Error for a line with other characters. */
export function decodeVerdicts(line: string, codes: Uint8Array): void {
  let place = 0;
  for (let index = 0; index < line.length;) {
    const code = codeOfLetter.get(line.charCodeAt(index));
    if (code === undefined) throw new Error(`verdicts of the fleet: unknown letter in ${line.slice(0, 40)}`);
    let run = 0;
    for (index++; index < line.length; index++) {
      const digit = line.charCodeAt(index);
      if (digit < zero || digit > nine) break;
      run = run * 10 + digit - zero;
    }
    const end = place + (run === 0 ? 1 : run);
    codes.fill(code, place, end);
    place = end;
  }
}

/** Outcomes whose reason the page shows beside the requirement; others have the reason of their turn. */
const explained: ReadonlySet<Outcome> = new Set<Outcome>([
  "flaky",
  "fail",
  "error",
  "inconclusive",
  "quarantined",
]);
const longestReason = 500;

const RequirementRow = Type.Object({ number: Type.Integer(), id: Type.String() });

export interface Verdicts {
  readonly requirements: Readonly<Record<string, { readonly outcome: Outcome; readonly reason?: string }>>;
  readonly firmware?: string;
}

/** Stores the verdicts of a result beside its turn; the last ones count. */
export async function recordVerdicts(
  queries: Queries,
  { night, gateway }: TurnName,
  { requirements, firmware }: Verdicts,
): Promise<void> {
  const ids = Object.keys(requirements).toSorted();
  if (ids.length === 0) return;
  await queries.run(
    `INSERT INTO rackproof.requirement (id)
     SELECT id FROM unnest($1::text[]) AS given (id)
     WHERE NOT EXISTS (SELECT 1 FROM rackproof.requirement AS known WHERE known.id = given.id)
     ORDER BY id COLLATE "C" ON CONFLICT DO NOTHING`,
    [ids],
  );
  const numbers = await readRequirements(queries);
  const codes = new Uint8Array(numbers.length);
  for (const [index, id] of numbers.entries()) {
    const found = id === undefined ? undefined : requirements[id];
    if (found !== undefined) codes[index] = codeOf(found.outcome);
  }
  await queries.run(
    `INSERT INTO rackproof.verdicts VALUES ($1, $2, $3, $4)
     ON CONFLICT (night, gateway) DO UPDATE SET line = excluded.line, firmware = excluded.firmware`,
    [night, gateway, encodeVerdicts(codes), firmware ?? null],
  );
  const reasons = Object.entries(requirements).flatMap(([id, { outcome, reason }]) =>
    reason !== undefined && explained.has(outcome) ? [[id, reason.slice(0, longestReason)] as const] : [],
  );
  await queries.run("DELETE FROM rackproof.verdict_reasons WHERE night = $1 AND gateway = $2", [
    night,
    gateway,
  ]);
  if (reasons.length > 0)
    await queries.run("INSERT INTO rackproof.verdict_reasons VALUES ($1, $2, $3)", [
      night,
      gateway,
      JSON.stringify(Object.fromEntries(reasons)),
    ]);
}

/** All requirements that the fleet has tested, in the order of the places; a number that was never given is undefined. */
export async function readRequirements(queries: Queries): Promise<(string | undefined)[]> {
  const rows = await queries.rows(
    RequirementRow,
    "SELECT number, id FROM rackproof.requirement ORDER BY number",
  );
  const places: (string | undefined)[] = Array.from({ length: rows.at(-1)?.number ?? 0 });
  for (const { number, id } of rows) places[number - 1] = id;
  return places;
}
