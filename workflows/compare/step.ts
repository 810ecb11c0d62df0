// One step of a sequence for two gateways: an operation with inputs in which things made earlier are named by label. The
// same step fits both gateways, and a sequence remains valid when other steps are removed.
import Type, { type Static } from "typebox";
import { type CallId, isExtensionId } from "../../interface/binding.ts";
import { isOperationId } from "../../interface/operations/index.ts";

const Inputs = Type.Optional(Type.Record(Type.String(), Type.Any()));

export const Step = Type.Object(
  {
    operation: Type.String({ description: "operation of Core 2.3.0, or of the published extension" }),
    as: Type.Optional(Type.String({ description: "label of what the step makes" })),
    by: Type.Optional(
      Type.String({ description: "label of the sign-in that calls; absent: the administrator" }),
    ),
    path: Inputs,
    query: Inputs,
    headers: Inputs,
    json: Inputs,
    form: Inputs,
    refusedBy: Type.Optional(
      Type.String({ description: "requirement by which the request must be rejected" }),
    ),
  },
  { additionalProperties: false },
);
export type Step = Static<typeof Step>;

/** A placeholder in inputs for a value that differs between the gateways. */
export type Reference =
  /** The id that the gateway gave to the thing with this label. */
  | { readonly $id: string }
  /** A text that belongs to this play alone, and is the same on both gateways. */
  | { readonly $name: string }
  /** A member of the gateway's profile. */
  | { readonly $profile: "tagProvider" | "tagSource" }
  /** The file that the gateway answered to the step with this label. */
  | { readonly $file: string };

const inputParts = ["path", "query", "headers", "json", "form"] as const;

/** The step's operation; undefined when it is none. */
export function operationOf(step: Step): CallId | undefined {
  return isOperationId(step.operation) || isExtensionId(step.operation) ? step.operation : undefined;
}

export function asReference(value: unknown): Reference | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const [name, ...others] = Object.keys(value);
  return others.length === 0 && name?.startsWith("$") === true ? (value as Reference) : undefined;
}

/** Labels that must have been made before the step can be sent. */
export function labelsNeeded(step: Step): Set<string> {
  const needed = new Set<string>(step.by === undefined ? [] : [step.by]);
  const visit = (value: unknown): void => {
    const reference = asReference(value);
    if (reference === undefined) {
      if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
    } else if ("$id" in reference) needed.add(reference.$id);
    else if ("$file" in reference) needed.add(reference.$file);
  };
  for (const part of inputParts) visit(step[part]);
  return needed;
}

/** The step's inputs with every reference replaced; undefined when one of them has no value. */
export function resolveInputs(
  step: Step,
  lookUp: (reference: Reference) => unknown,
): Record<(typeof inputParts)[number], Record<string, unknown> | undefined> | undefined {
  let isWhole = true;
  const replace = (value: unknown): unknown => {
    const reference = asReference(value);
    if (reference !== undefined) {
      const found = lookUp(reference);
      isWhole &&= found !== undefined;
      return found;
    }
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replace(inner)]));
  };
  const part = (value: Record<string, unknown> | undefined): Record<string, unknown> | undefined =>
    value === undefined ? undefined : (replace(value) as Record<string, unknown>);
  const resolved = {
    path: part(step.path),
    query: part(step.query),
    headers: part(step.headers),
    json: part(step.json),
    form: part(step.form),
  };
  return isWhole ? resolved : undefined;
}
