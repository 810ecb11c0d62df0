import type { CallId } from "../../interface/binding.ts";
import { isOperationId, operation, type OperationId } from "../../interface/operations/index.ts";

type Group = ReturnType<typeof operation>["group"];

/** How long after its answer a change may be shown, in milliseconds, by operation or group, where it was measured. */
export class ShownTimes {
  readonly #measured = new Map<OperationId | Group, number>();

  /** The longest time counts. */
  measured(changed: OperationId | Group, afterMs: number): void {
    this.#measured.set(changed, Math.max(afterMs, this.#measured.get(changed) ?? 0));
  }

  /** What is awaited so far, to compare with later. */
  text(): string {
    return JSON.stringify([...this.#measured].filter(([, afterMs]) => afterMs > 0));
  }

  get longestMs(): number {
    return Math.max(0, ...this.#measured.values());
  }

  /** A change that was not measured is awaited as long as the latest other one. */
  afterMs(callId: CallId): number {
    if (!isOperationId(callId)) return this.longestMs;
    return this.#measured.get(callId) ?? this.#measured.get(operation(callId).group) ?? this.longestMs;
  }
}
