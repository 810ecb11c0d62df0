// Reads with OPTIONS which methods a gateway accepts, for operations that cannot be tried without a change.
import { type OperationId, operationIds } from "../../interface/operations/index.ts";
import type { GatewayConnection } from "../../harness/index.ts";

const askMs = 5000;

/** Whether the gateway reports each operation that makes changes; absent where it reports none. */
export async function askAllowed(
  connection: GatewayConnection,
  token: string,
): Promise<Map<OperationId, boolean>> {
  const { profile, transport, baseUrl } = connection;
  const allowedAt = new Map<string, ReadonlySet<string> | undefined>();
  const found = new Map<OperationId, boolean>();
  for (const id of operationIds) {
    const binding = profile.binding.get(id);
    if (binding === undefined || binding.method === "GET") continue;
    const path = binding.path.replaceAll(/\{\w+\}/g, "1");
    if (!allowedAt.has(path)) {
      const { status, headers } = await transport.send(
        {
          operation: "raw",
          session: "admin",
          method: "OPTIONS",
          origin: baseUrl,
          path,
          headers: { [profile.token.header]: profile.token.prefix + token },
          patienceMs: askMs,
        },
        0,
      );
      const says = (status >= 200 && status < 300) || status === 405 ? headers["allow"] : undefined;
      allowedAt.set(path, says === undefined ? undefined : methodsOf(says));
    }
    const allowed = allowedAt.get(path);
    if (allowed !== undefined) found.set(id, allowed.has(binding.method));
  }
  return found;
}

function methodsOf(header: string): ReadonlySet<string> {
  return new Set(header.split(",").map((method) => method.trim().toUpperCase()));
}
