import type { CallId } from "../../interface/binding.ts";
import { isOperationId, operation } from "../../interface/operations/index.ts";

type Group = ReturnType<typeof operation>["group"];

/** How long after its answer a change may be shown, in milliseconds, by group of operations, where it was measured. */
export class ShownTimes {
  readonly #byGroup = new Map<Group, number>();

  /** The longest time of a group counts. */
  measured(group: Group, afterMs: number): void {
    this.#byGroup.set(group, Math.max(afterMs, this.#byGroup.get(group) ?? 0));
  }

  /** What is awaited so far, to compare with later. */
  text(): string {
    return JSON.stringify([...this.#byGroup].filter(([, afterMs]) => afterMs > 0));
  }

  get longestMs(): number {
    return Math.max(0, ...this.#byGroup.values());
  }

  /** A change by a group that was not measured is awaited as long as the latest other one. */
  afterMs(callId: CallId): number {
    const known = isOperationId(callId) ? this.#byGroup.get(operation(callId).group) : undefined;
    return known ?? this.longestMs;
  }
}
