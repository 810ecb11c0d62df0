// All cells that one case observed.
import type { OperationId } from "../interface/operations/index.ts";
import { observeActions, observeCallers } from "./actions.ts";
import { viewCase } from "./caseView.ts";
import { observeLists, observeStreams } from "./lists.ts";
import type { ObservedAnswer, ObservedProfile } from "./observed.ts";
import { observeMembers } from "./members.ts";
import { observeParameters } from "./parameters.ts";
import { typeCells } from "./shapes.ts";
import { type CaseTrace, decides } from "./trace.ts";

/** Cells that the exchanges and checks of the case show; `declared`: those that the case names itself. */
export async function observeCase(
  trace: CaseTrace,
  profile: Pick<ObservedProfile, "binding">,
  declared: readonly string[] = [],
): Promise<Set<string>> {
  const isDecided = trace.checks.some(decides);
  // A case without a decided check observed none, whatever it sent.
  if (!isDecided) return new Set();
  const view = await viewCase(trace, profile);
  const members = await observeMembers(view);
  const streams = observeStreams(view);
  return new Set([
    ...declared,
    ...members.cells,
    ...observeParameters(view, new Set([...members.effective, ...streams.opened])),
    ...observeLists(view),
    ...streams.cells,
    ...observeActions(view),
    ...observeCallers(view),
  ]);
}

/** Cells that the judgement of the answers' shapes shows. */
export function observeShapes(answers: readonly ObservedAnswer<OperationId>[]): Promise<Set<string>> {
  return typeCells(answers);
}
