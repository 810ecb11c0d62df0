// Checks the wire to an OPC UA server with its own client.
import type { WireCheck } from "../field/device.ts";
import type { FieldPoint } from "../field/point.ts";
import { withOpcuaSession } from "./session.ts";

/** Opens a session and reads every node of the points. */
export async function checkOpcua(
  endpoint: string,
  points: readonly FieldPoint[],
  security?: "none" | "Basic256Sha256",
): Promise<WireCheck[]> {
  try {
    return await withOpcuaSession(
      { endpoint, ...(security === undefined ? {} : { security }) },
      async (session) => {
        const nodes = points.flatMap(({ at }) => (at.kind === "opcua" ? [at.nodeId] : []));
        const read = await session.read(nodes.map((nodeId) => ({ nodeId })));
        const bad = nodes.filter((_, index) => read[index]?.statusCode.isBad() === true);
        return [
          {
            wire: endpoint,
            ok: bad.length === 0,
            detail:
              bad.length === 0
                ? `${nodes.length} nodes read`
                : `${bad.slice(0, 5).join(", ")} cannot be read. Fix: check the node ids of the rack file`,
          },
        ];
      },
    );
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return [
      {
        wire: endpoint,
        ok: false,
        detail: `no session: ${why}. Fix: check that the server is on and its security as declared`,
      },
    ];
  }
}
