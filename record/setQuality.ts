// What a frozen requirement set can detect: injected faults of the reference gateway, and observed cells of the interface.
import Type, { type Static } from "typebox";
import { CoverageCounts } from "./coverage.ts";

const Strict = { additionalProperties: false };
const Count = Type.Integer({ minimum: 0 });

/** The summary that a certificate contains. */
export const SetQuality = Type.Object(
  {
    /** Release and level that were measured. */
    suite: Type.String(),
    level: Type.String(),
    measuredAt: Type.String(),
    /** Faults that violate a requirement of the set, and those that a case of the set detected. */
    injected: Count,
    detected: Count,
    byGroup: Type.Array(Type.Object({ id: Type.String(), injected: Count, detected: Count }, Strict)),
    /** Ids of the faults that no case of the set detected. */
    undetected: Type.Array(Type.String()),
    /** Injected faults that violate requirements which the set does not contain. */
    beyond: Count,
    /** Cells that the cases of the set observed on the reference gateway. */
    coverage: Type.Object(CoverageCounts.properties, Strict),
  },
  Strict,
);
export type SetQuality = Static<typeof SetQuality>;

/** The file beside a frozen set. */
export const SetQualityFile = Type.Object(
  {
    format: Type.Literal("rackproof/set-quality@1"),
    set: Type.String(),
    setSha256: Type.String(),
    summary: SetQuality,
    /** Fault, violated requirement, outcome of the self-test, and the case of the set that detected it or "". */
    matrix: Type.Array(
      Type.Object(
        { fault: Type.String(), requirement: Type.String(), outcome: Type.String(), case: Type.String() },
        Strict,
      ),
    ),
  },
  Strict,
);
export type SetQualityFile = Static<typeof SetQualityFile>;
