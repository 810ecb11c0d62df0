/** One code of the registry. */
export interface ErrorEntry {
  /** What the code means, as one sentence. */
  readonly means: string;
  /** What to do, in the imperative; printed after "Fix:". */
  readonly remedy: string;
}
