import {
  codeOf,
  type FleetHistory,
  type FleetTurn,
  type FleetUnit,
  type Trend,
  type TrendGateway,
} from "../../record/index.ts";

/** The nights of one rack in the form of a fleet's, for what both have in common. */
export function fleetOfTrend({ nights, gateways }: Trend): FleetHistory {
  const requirements = [...new Set(gateways.flatMap((one) => [...one.requirements.keys()]))].toSorted();
  return {
    madeAt: nights.at(-1)?.startedAt ?? "",
    requirements,
    nights,
    labs: [],
    units: gateways.map((gateway) => unitOf(gateway, requirements)),
    staleAfterHours: 0,
  };
}

function unitOf(
  { name, turns, requirements: rows }: TrendGateway,
  requirements: readonly string[],
): FleetUnit {
  const results = turns.map((turn, night) => {
    if (turn === undefined || turn.outcome === "set-aside" || turn.outcome === "waiting") return undefined;
    return Uint8Array.from(requirements, (id) => {
      const cell = rows.get(id)?.[night];
      return cell === undefined ? 0 : codeOf(cell.outcome);
    });
  });
  const night = results.findLastIndex((codes) => codes !== undefined);
  const evidence = turns[night]?.folder;
  const reasons = [...rows].flatMap(([id, row]) => {
    const reason = row[night]?.reason;
    return reason === undefined ? [] : [[id, reason] as const];
  });
  return {
    name,
    lab: "",
    labels: {},
    turns: turns.map((turn): FleetTurn | undefined =>
      turn === undefined
        ? undefined
        : {
            outcome: turn.outcome,
            ...(turn.reason === undefined ? {} : { reason: turn.reason }),
            ...(turn.firmware === undefined ? {} : { firmware: turn.firmware }),
          },
    ),
    results,
    ...(night < 0
      ? {}
      : { last: { night, reasons: new Map(reasons), ...(evidence === undefined ? {} : { evidence }) } }),
  };
}
