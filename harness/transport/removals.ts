// Which roles, users and jobs a case removed itself. A gateway may give the id to another at once, which may be that of
// another case: what was removed is not removed again.
import type { CallId, ExtensionId } from "../../interface/binding.ts";
import type { Answer } from "./answer.ts";

const removedBy: Partial<Record<CallId, ExtensionId>> = {
  createRole: "deleteRole",
  addUser: "deleteUser",
  createUpgradeJob: "deleteUpgradeJob",
};

export class Removals {
  readonly #removed = new Set<string>();

  has(extension: ExtensionId, id: unknown): boolean {
    return this.#removed.has(keyOf(extension, id));
  }

  /** Takes an accepted answer to the call; `id` is the one in the path, where there is one. */
  take(callId: CallId, id: unknown, answer: Answer): void {
    if (!answer.accepted) return;
    const extension = removedBy[callId];
    if (extension !== undefined) this.#removed.delete(keyOf(extension, createdId(answer)));
    else if (id !== undefined && Object.values(removedBy).some((one) => one === callId))
      this.#removed.add(keyOf(callId, id));
  }
}

function keyOf(extension: CallId, id: unknown): string {
  return `${extension} ${String(id)}`;
}

function createdId(answer: Answer): unknown {
  const body = answer.peek();
  const data = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
  return typeof data === "object" && data !== null && "id" in data ? data.id : undefined;
}
