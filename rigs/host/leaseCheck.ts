/** Whether the lease of a run is still valid. Power, console and field devices check it before they act. */
export interface LeaseCheck {
  /** Throws an Error that names the action and the present holder when this run has lost the lease. */
  check(act: string): void;
  /** Aborted when the lease was lost. */
  readonly lost: AbortSignal;
}
