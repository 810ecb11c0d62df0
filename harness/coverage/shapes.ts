// Members of answers whose type was judged.
import { cellId } from "../../interface/coverage/cell.ts";
import { valueLeaves } from "../../interface/coverage/leaves.ts";
import { answerLeaves } from "../../interface/coverage/members.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { Answer } from "../transport/answer.ts";

const membersOf = new Map<OperationId, ReadonlyMap<string, boolean>>();

/** Cells of the types of the members that the answers show; null shows no type, except where any value may stand. */
export function typeCells(answers: readonly Answer<OperationId>[]): Set<string> {
  const found = new Set<string>();
  for (const answer of answers) {
    if (!/json/i.test(answer.headers["content-type"] ?? "json")) continue;
    const members = membersFor(answer.operation);
    for (const { path, value } of valueLeaves(answer.peek())) {
      const member = nearest(members, path);
      if (member === undefined || (value === null && members.get(member) !== true)) continue;
      found.add(cellId("member", `${answer.operation}.${member}`, "type"));
    }
  }
  return found;
}

/** The member of the schema that a value stands in: the value itself, or the member that holds it. */
function nearest(members: ReadonlyMap<string, boolean>, path: string): string | undefined {
  for (let name = path; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("."))))
    if (members.has(name)) return name;
  return undefined;
}

/** Members of the operation's answer, and whether null is a value of theirs like any other. */
function membersFor(id: OperationId): ReadonlyMap<string, boolean> {
  const known = membersOf.get(id);
  if (known !== undefined) return known;
  const fresh = new Map(
    answerLeaves(id).map(({ path, schema, isNullable }) => [
      path,
      schema["type"] === undefined || (isNullable && schema["type"] === "object"),
    ]),
  );
  membersOf.set(id, fresh);
  return fresh;
}
