// What `fleet page --json` prints: nights, gateways, and what they did not pass with its causes.
import { causesOf, type FindingGroup, type FleetHistory } from "../../record/index.ts";

export function fleetFacts(history: FleetHistory, groups: readonly FindingGroup[]): object {
  const { madeAt, nights, units } = history;
  return {
    madeAt,
    nights: nights.map(({ id, startedAt, state }) => ({ night: id, startedAt, state })),
    gateways: units.map(({ name, lastResultAt = null, staleHours }) => ({
      gateway: name,
      lastResultAt,
      stale: staleHours !== undefined || lastResultAt === null,
    })),
    findings: groups.map((group) => ({
      outcome: group.outcome,
      new: group.isNew,
      requirements: group.requirements,
      gateways: group.units.map(({ name }) => name),
      since: nights[group.since]?.startedAt,
      lastGood: group.lastGood === undefined ? null : nights[group.lastGood]?.startedAt,
      reason: group.reason ?? null,
      causes: causesOf(history, group.since, group.units, group.requirements),
    })),
  };
}
