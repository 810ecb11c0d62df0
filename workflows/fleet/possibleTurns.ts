// The turns that could show the cause of a failure in this fleet, and those that the night itself has shown already.
import type { CausePart, CauseTurn } from "../../record/index.ts";
import { planCases } from "../nightly/plan.ts";
import type { Subject } from "./causeSubjects.ts";
import { hasFailed } from "./causeTables.ts";
import { type FleetNightOptions, whyNotTonight } from "./fleetNight.ts";
import type { Conditions, TurnRow } from "./fleetNights.ts";
import type { FleetGateway } from "./register.ts";

export interface PossibleTurn {
  readonly changed: readonly CausePart[];
  readonly gateway: FleetGateway;
  readonly conditions: Conditions;
}

const typeOf = ({ labels }: FleetGateway): string | undefined => labels["model"];

/** Other gateways of the type. */
function others({ gateway }: Subject, gateways: readonly FleetGateway[]): FleetGateway[] {
  const type = typeOf(gateway);
  return gateways.filter((one) => type !== undefined && typeOf(one) === type && one.id !== gateway.id);
}

/** What differs on another gateway. */
function partsOf({ gateway, firmware }: Subject, other: FleetGateway, otherFirmware?: string): CausePart[] {
  const isOther = other.id !== gateway.id;
  return [
    ...(firmware !== undefined && otherFirmware !== undefined && firmware !== otherFirmware
      ? (["firmware"] as const)
      : []),
    ...(isOther ? (["unit"] as const) : []),
    ...(isOther && other.rig !== gateway.rig ? (["rig"] as const) : []),
  ];
}

/** Results of the same night on other gateways of the type. */
export function knownTurns(
  subject: Subject,
  gateways: readonly FleetGateway[],
  turns: readonly TurnRow[],
  suite: string,
): CauseTurn[] {
  return others(subject, gateways).flatMap((gateway): CauseTurn[] => {
    const conclusions = turns.find((turn) => turn.gateway === gateway.id)?.conclusions;
    const counts = Object.fromEntries(
      subject.cases.flatMap((id) => {
        const outcome = conclusions?.cases[id]?.outcome;
        const [failed, passed] = [
          hasFailed(outcome) || outcome === "flaky",
          outcome === "pass" || outcome === "flaky",
        ];
        return failed || passed ? [[id, { failed: Number(failed), passed: Number(passed) }] as const] : [];
      }),
    );
    if (Object.keys(counts).length === 0) return [];
    const firmware = conclusions?.firmware;
    return [
      {
        changed: partsOf(subject, gateway, firmware),
        gateway: gateway.id,
        suite,
        isExtra: false,
        counts,
        ...(firmware === undefined ? {} : { firmware }),
      },
    ];
  });
}

/** Each combination of changes once: the same again, the last good firmware and suite, other gateways of the type. */
export function possibleTurns(
  options: FleetNightOptions,
  subject: Subject,
  gateways: readonly FleetGateway[],
): PossibleTurn[] {
  const { gateway, goodFirmware, goodSuite, firmware } = subject;
  const canInstall = gateway.installs && goodFirmware !== undefined && firmware !== undefined;
  const canJudge = goodSuite !== undefined && gateway.suites.includes(goodSuite);
  const turns: PossibleTurn[] = [
    { changed: [], gateway, conditions: {} },
    ...(canJudge ? [{ changed: ["suite"] as const, gateway, conditions: { suite: goodSuite } }] : []),
    ...(canInstall
      ? [
          {
            changed: ["firmware"] as const,
            gateway,
            conditions: { firmware: { install: goodFirmware, restore: firmware } },
          },
        ]
      : []),
    ...others(subject, gateways)
      .filter((other) => isUsable(other, options, subject))
      .map((other) => ({ changed: partsOf(subject, other), gateway: other, conditions: {} })),
  ];
  return [...new Map(turns.toReversed().map((turn) => [turn.changed.join(), turn])).values()].toReversed();
}

function isUsable(
  gateway: FleetGateway,
  { suite, suiteVersion }: FleetNightOptions,
  { run }: Subject,
): boolean {
  if (whyNotTonight(gateway, suiteVersion) !== undefined) return false;
  const { equipment, capabilities } = gateway;
  const declared = capabilities === null ? undefined : new Set(capabilities);
  return planCases(suite, run.join(","), new Set(equipment), declared).expected.length === run.length;
}

/** What a turn has changed in fact, by the firmware that its run reports. */
export function changedIn(
  subject: Subject,
  { gateway, conditions }: PossibleTurn,
  firmware?: string,
): CausePart[] {
  const parts = partsOf(subject, gateway, firmware);
  return conditions.suite === undefined ? parts : [...parts, "suite"];
}
