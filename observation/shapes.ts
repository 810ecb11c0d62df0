// Members of answers whose type was judged.
import { cellId } from "../interface/coverage/cell.ts";
import { valueLeaves } from "../interface/coverage/leaves.ts";
import { answerLeaves } from "../interface/coverage/members.ts";
import type { OperationId } from "../interface/operations/index.ts";
import { unhurried } from "../record/index.ts";
import type { ObservedAnswer } from "./observed.ts";

const membersOf = new Map<OperationId, ReadonlySet<string>>();

/** Cells of the types of the members that the answers show; a value other than null has a cell of its own. */
export async function typeCells(answers: readonly ObservedAnswer<OperationId>[]): Promise<Set<string>> {
  const found = new Set<string>();
  // Lists show the same members thousands of times.
  const taken = new Map<OperationId, Map<string, boolean>>();
  for await (const answer of unhurried(answers)) {
    if (!/json/i.test(answer.headers["content-type"] ?? "json")) continue;
    const { operation } = answer;
    const members = membersFor(operation);
    const before = taken.get(operation) ?? new Map<string, boolean>();
    taken.set(operation, before);
    for (const { path, value } of valueLeaves(answer.peek())) {
      const isNull = value === null;
      if (before.get(path) === true || (isNull && before.has(path))) continue;
      before.set(path, !isNull);
      const member = nearest(members, path);
      if (member === undefined) continue;
      found.add(cellId("member", `${operation}.${member}`, "type"));
      if (!isNull) found.add(cellId("member", `${operation}.${member}`, "type:not-null"));
    }
  }
  return found;
}

/** The member of the schema that a value stands in: the value itself, or the member that holds it. */
function nearest(members: ReadonlySet<string>, path: string): string | undefined {
  for (let name = path; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf("."))))
    if (members.has(name)) return name;
  return undefined;
}

function membersFor(id: OperationId): ReadonlySet<string> {
  const known = membersOf.get(id);
  if (known !== undefined) return known;
  const fresh = new Set(answerLeaves(id).map(({ path }) => path));
  membersOf.set(id, fresh);
  return fresh;
}
