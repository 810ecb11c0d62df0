import type { RunningGateway } from "../../rigs/index.ts";
import type { RigInventory } from "../../record/index.ts";

/** The equipment around the gateway, for the record. */
export function inventoryOf(gateway: RunningGateway): RigInventory {
  const { power, network, storage, clock, time, field, consoleChunks, console } = gateway;
  const has: readonly (readonly [string, boolean])[] = [
    ["power", power !== undefined],
    ["reset", power?.reset !== undefined],
    ["network", network !== undefined],
    ["storage", storage !== undefined],
    ["clock", clock !== undefined],
    ["time-server", time !== undefined],
    ["console", consoleChunks !== undefined || console.length > 0],
  ];
  return {
    controls: has.flatMap(([name, isThere]) => (isThere ? [name] : [])),
    devices: (field?.devices ?? []).map(({ name, kind, isSimulated, address, points }) => {
      const pollsMs = points.map(({ pollIntervalMs }) => pollIntervalMs);
      return {
        name,
        kind,
        simulated: isSimulated,
        address,
        points: points.length,
        ...(pollsMs.length === 0
          ? {}
          : { pollIntervalsMs: [Math.min(...pollsMs), Math.max(...pollsMs)] satisfies [number, number] }),
      };
    }),
    missing: [...(field?.missing ?? [])],
  };
}
