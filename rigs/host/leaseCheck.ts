/** Whether a run still holds the gateway that it works on. Power, console and field devices ask before they act. */
export interface LeaseCheck {
  /** Throws an Error that names the act and who holds the gateway now, when this run holds it no longer. */
  check(act: string): void;
  /** Aborted when the hold is found to be lost. */
  readonly lost: AbortSignal;
}
