// Which classes of parameters a case sent in requests whose outcome it checked.
import { cellId } from "../interface/coverage/cell.ts";
import {
  boundariesOf,
  combinable,
  isFreeText,
  isUnicode,
  listedValues,
  type Parameter,
  parametersOf,
  parameterSubject,
} from "../interface/coverage/parameters.ts";
import { pairsOf } from "../interface/coverage/lists.ts";
import { operation as operationOf, type OperationId } from "../interface/operations/index.ts";
import { requirements } from "../interface/requirements/index.ts";
import type { Call, CaseView } from "./caseView.ts";
import { memberOf } from "./caseView.ts";
import { isInteger } from "../record/index.ts";

const known = new Map<OperationId, readonly Parameter[]>();
/** Groups of the requirements that demand a rejection. */
const rejections: ReadonlyMap<string, string> = new Map(
  requirements
    .filter(({ statement }) => /reject|accepts only/.test(statement))
    .map(({ id, group }) => [id, group]),
);

export function observeParameters({ calls, sight }: CaseView, effective: ReadonlySet<number>): Set<string> {
  const found = new Set<string>();
  for (const call of calls) {
    const isChecked = sight.judged.has(call.number) || effective.has(call.number);
    if (!isChecked) continue;
    for (const parameter of parametersFor(call.operation))
      for (const aspect of aspectsOf(call, parameter, sight.requirementsOf.get(call.number)))
        found.add(cellId("param", parameterSubject(parameter), aspect));
    if (!call.isAccepted) continue;
    for (const [first, second] of pairsOf(combinable(call.operation)))
      if (call.sent.has(first.leaf.path) && call.sent.has(second.leaf.path))
        found.add(cellId("param", `${call.operation}.${first.leaf.path}+${second.leaf.path}`, "together"));
  }
  return found;
}

function parametersFor(id: OperationId): readonly Parameter[] {
  const parameters = known.get(id) ?? parametersOf(id);
  known.set(id, parameters);
  return parameters;
}

function aspectsOf(call: Call, parameter: Parameter, judgedBy: ReadonlySet<string> = new Set()): string[] {
  const { sent, isAccepted, operation } = call;
  const { leaf } = parameter;
  const values = sent.values(leaf.path);
  // The rejection of a caller is no rejection of the values in the call.
  const { group } = operationOf(operation);
  const isRejectionTested = [...judgedBy].some((id) => rejections.get(id) === group);
  if (values.length === 0) {
    if (!leaf.isRequired) return isAccepted ? ["absent"] : [];
    return isRejectionTested ? ["missing"] : [];
  }
  const limits = boundariesOf(operation, leaf.path);
  const beyond = limits.filter((one) => one.isBeyond === true && values.some((value) => one.holds(value)));
  const fits = values.every((value) => isOfType(parameter, value, call));
  if (beyond.length > 0) return isRejectionTested ? beyond.map(({ aspect }) => aspect) : [];
  if (!fits) return isRejectionTested ? ["wrong-type"] : [];
  if (!isAccepted) return isRejectionTested && parameter.parts.includes("path") ? ["unknown"] : [];
  const listed = listedValues(leaf);
  return [
    ...(listed.length === 0 ? ["value"] : words(call, leaf.path).map((value) => `value:${value}`)),
    ...limits.filter(({ holds }) => values.some(holds)).map(({ aspect }) => aspect),
    ...(isFreeText(operation, leaf.path) && values.some(isUnicode) ? ["beyond-ascii"] : []),
  ];
}

function words({ sent }: Call, path: string): string[] {
  return sent.words(path);
}

/** Whether a sent value has the type of the parameter. */
function isOfType({ leaf, parts }: Parameter, value: unknown, { sent }: Call): boolean {
  const { schema } = leaf;
  const listed = listedValues(leaf);
  const isText = !parts.includes("json") || sent.json === undefined;
  if (schema["type"] === "array" && !isText && !Array.isArray(at(sent.json, leaf.path))) return false;
  if (Array.isArray(value)) return schema["type"] === "array" || leaf.isInArray;
  if (listed.length > 0)
    return isText
      ? String(value)
          .split(",")
          .every((word) => listed.includes(word))
      : listed.includes(String(value)) && (schema["type"] !== "boolean" || typeof value === "boolean");
  switch (schema["type"]) {
    case "integer":
      return isText ? /^-?\d+$/.test(String(value)) : isInteger(value);
    case "string":
      return typeof value === "string";
    default:
      return true;
  }
}

function at(json: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => memberOf(value, name), json);
}
