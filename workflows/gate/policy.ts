// The policy of a gate: what counts against a release.
import Type, { type Static } from "typebox";
import {
  type ExpectedFailure,
  ExpectedFailureEntry,
  type KnownCase,
  resolveEntries,
} from "../expectedFailures/expectedFailures.ts";
import { checkDocument, fitsPattern, readDocument } from "../../harness/index.ts";

const Strict = { additionalProperties: false };
const Percent = Type.Number({ minimum: 0 });
const Text = Type.String({ minLength: 1 });

const GatePolicyDocument = Type.Object(
  {
    /** `new`: only failures that are not in the baseline; `all`: every failure of a stated requirement. */
    failures: Type.Optional(Type.Enum(["new", "all"])),
    /** Probability that any measurement of an unchanged gateway is reported as worse. */
    alpha: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 0.5 })),
    /** Smaller changes are not reported. */
    thresholdPercent: Type.Optional(Percent),
    /** Cliff's delta below which a difference is not reported. */
    minEffect: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    /** Whether too few repetitions of a measurement make the gate inconclusive. */
    tooFewRepetitions: Type.Optional(Type.Enum(["say", "undecided"])),
    /** The first entry that fits a measurement counts; `*` matches any characters. */
    measurements: Type.Optional(
      Type.Array(
        Type.Object(
          {
            case: Type.Optional(Text),
            name: Type.Optional(Text),
            worse: Type.Optional(Type.Enum(["higher", "lower", "away", "ignore"])),
            thresholdPercent: Type.Optional(Percent),
          },
          Strict,
        ),
      ),
    ),
    expectedFailures: Type.Optional(Type.Array(ExpectedFailureEntry)),
  },
  Strict,
);
type GatePolicyDocument = Static<typeof GatePolicyDocument>;

export interface GatePolicy {
  readonly failures: "new" | "all";
  readonly alpha: number;
  readonly thresholdPercent: number;
  readonly minEffect: number;
  readonly tooFewRepetitions: "say" | "undecided";
  readonly measurements: NonNullable<GatePolicyDocument["measurements"]>;
  readonly expectedFailures: readonly ExpectedFailure[];
}

/** Reads a policy file; throws a UsageError with line and field. */
export async function readGatePolicy(file: string, cases: readonly KnownCase[]): Promise<GatePolicy> {
  const text = await readDocument("gate-policy", file);
  const { value, fail } = checkDocument("gate-policy", text, file, GatePolicyDocument);
  const { expectedFailures = [], ...rest } = value;
  return withDefaults(rest, resolveEntries(expectedFailures, cases, "/expectedFailures", fail));
}

/** The policy with its defaults. */
export function withDefaults(
  document: Omit<GatePolicyDocument, "expectedFailures">,
  expectedFailures: readonly ExpectedFailure[] = [],
): GatePolicy {
  return {
    failures: document.failures ?? "new",
    alpha: document.alpha ?? 0.01,
    thresholdPercent: document.thresholdPercent ?? 10,
    minEffect: document.minEffect ?? 0.33,
    tooFewRepetitions: document.tooFewRepetitions ?? "say",
    measurements: document.measurements ?? [],
    expectedFailures,
  };
}

/** The entry of the policy for one measurement; undefined when none fits. */
export function ruleFor(
  policy: GatePolicy,
  caseId: string,
  name: string,
): GatePolicy["measurements"][number] | undefined {
  return policy.measurements.find(
    (rule) => fitsPattern(caseId, rule.case ?? "*") && fitsPattern(name, rule.name ?? "*"),
  );
}
