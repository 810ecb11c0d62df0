// The result of replaying stored runs under another suite: which verdicts change, and why.

/**
 * `changed-limit`: a measurement has other limits; `new-check`: a check that the run did not make decides; `changed-check`:
 * a check decides otherwise on the same observations.
 */
const flipReasons = [
  "new-requirement",
  "new-case",
  "not-replayable",
  "changed-limit",
  "new-check",
  "changed-check",
  "removed",
] as const;
export type FlipReason = (typeof flipReasons)[number];

/** One verdict that changes. */
export interface Flip {
  readonly case: string;
  readonly requirement: string;
  /** Absent where the run did not decide it. */
  readonly was?: string;
  /** Absent where the present suite does not decide it. */
  readonly is?: string;
  readonly reason: FlipReason;
  /** The check, the limits or the missing request. */
  readonly detail: string;
}

export interface PreviewRun {
  readonly folder: string;
  readonly gateway: string;
  readonly suite: string;
  readonly replayed: number;
  readonly notReplayable: number;
  readonly flips: readonly Flip[];
}

export interface Preview {
  readonly format: "rackproof/preview@1";
  /** Version of the suite under which the runs were replayed. */
  readonly suite: string;
  /** The frozen requirement set to which the flips are restricted. */
  readonly set?: string;
  readonly runs: readonly PreviewRun[];
}
