// Judges an answer as a whole: acceptance of the request, the stated shape, the count of a list.
import type { Behaviour } from "../../interface/behaviour/behaviour.ts";
import type { Answer } from "../../harness/index.ts";
import type { Expectation } from "./expectation.ts";
import type { Judged } from "./world.ts";

const answerThing = "answer";

/** `accepted`, `rejected`, `failed` (5xx) or `none`: the interface leaves the exact status to the gateway. */
function outcomeOf(answer: Answer): string {
  if (answer.status === 0) return "none";
  if (answer.accepted) return "accepted";
  return answer.status < 500 ? "rejected" : "failed";
}

export function judgeAnswer(
  answer: Answer,
  known: Behaviour | undefined,
  expectation: Expectation,
): Judged[] {
  return [
    judgeStatus(answer, known, expectation),
    ...(answer.accepted ? [...judgeShape(answer, known), ...judgeCount(answer, known)] : []),
  ];
}

function judgeStatus(answer: Answer, known: Behaviour | undefined, expectation: Expectation): Judged {
  const { must, requirement, status } = expectation;
  const outcome = outcomeOf(answer);
  const kind = known?.kind ?? "section";
  if (must === "open")
    return { thing: answerThing, kind, field: "outcome", text: outcome, standing: "unknown" };
  const text = status === undefined ? outcome : `${outcome} ${answer.status}`;
  const expected = status === undefined ? must : `${must} ${status}`;
  const base = { thing: answerThing, kind, field: "outcome", text };
  return text === expected
    ? { ...base, standing: "expected" }
    : { ...base, standing: "contrary", expected, ...(requirement === undefined ? {} : { requirement }) };
}

function isJson(answer: Answer): boolean {
  return /json/i.test(answer.headers["content-type"] ?? "json");
}

function judgeShape(answer: Answer, known: Behaviour | undefined): Judged[] {
  const isFile = answer.operation === "exportConfiguration" && !isJson(answer);
  if (isFile) return [];
  return answer.problems().map(({ pointer, expected, found, requirement }): Judged => ({
    thing: answerThing,
    kind: known?.kind ?? "section",
    field: `shape of ${pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*")}`,
    text: found,
    standing: "contrary",
    expected,
    ...(requirement === undefined ? {} : { requirement }),
  }));
}

function judgeCount(answer: Answer, known: Behaviour | undefined): Judged[] {
  if (known === undefined || !isJson(answer)) return [];
  const body = answer.json as { count?: unknown; data?: unknown } | undefined;
  if (typeof body?.count !== "number" || !Array.isArray(body.data)) return [];
  const base = {
    thing: answerThing,
    kind: known.kind,
    field: "count less items",
    text: String(body.count - body.data.length),
  };
  if (body.count === body.data.length) return [{ ...base, standing: "expected" }];
  return [{ ...base, standing: "contrary", expected: "0", requirement: known.counted ?? "CORE-GENERAL-02" }];
}
