// Uploaded configuration files under the names of their senders.
import type { GatewayAlterations } from "./gatewayAlterations.ts";
import { at as valueAt, put, text } from "./edits.ts";
import { changed } from "./operationAlterations.ts";

/** Uploaded files have the names that were sent; of several of one name the gateway stores the first or the last. */
export function namedBySender(at: GatewayAlterations, stored: "first" | "last"): void {
  const issued = new Map<string, string>();
  const named = <T extends { readonly kind: string }>(answer: T, name: string): T =>
    answer.kind === "json" && "body" in answer
      ? { ...answer, body: put(answer.body, "data.fileName", name) }
      : answer;
  at.around("uploadConfiguration", async (call, proceed) => {
    const answer = await proceed(call);
    const name = call.files[0]?.fileName ?? "";
    if (answer.kind === "json" && (stored === "last" || !issued.has(name)))
      issued.set(name, text(valueAt(answer.body, "data.fileName")));
    return named(answer, name);
  });
  at.around("applyConfiguration", async (call, proceed) => {
    const name = String(call.path["filename"]);
    const path = { ...call.path, filename: issued.get(name) ?? name };
    return named(await proceed(changed(call, { path })), name);
  });
}
