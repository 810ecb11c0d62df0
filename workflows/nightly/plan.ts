// The cases of a night, fixed before the first run: no crash can shorten the list.
import { type Profile, type RackGateway, type TestCase, select } from "../../harness/index.ts";
import type { Equipment } from "../../interface/vocabulary/equipment.ts";

export interface GatewayPlan {
  readonly gateway: RackGateway;
  /** Cases that must reach their end. */
  readonly expected: readonly TestCase[];
  /** Excluded cases, with the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
}

export type CasePlan = Omit<GatewayPlan, "gateway">;

/** Without a profile, which could not be read, every selected case is expected. Throws UsageError for a word that selects no case. */
export function planGateway(
  suite: readonly TestCase[],
  selection: string,
  gateway: RackGateway,
  profile: Profile | undefined,
): GatewayPlan {
  return { gateway, ...planCases(suite, selection, equipmentOf(gateway), profile?.capabilities) };
}

/** The same for a gateway that is described by its equipment and its declared capabilities. */
export function planCases(
  suite: readonly TestCase[],
  selection: string,
  equipment: ReadonlySet<string>,
  capabilities: ReadonlySet<string> | undefined,
): CasePlan {
  const selected = new Set(select(suite, selection));
  const leftOut = new Map<string, string>();
  for (const one of suite) {
    const reason = selected.has(one)
      ? whyNot(one, equipment, capabilities)
      : `not selected by --select ${selection}`;
    if (reason !== undefined) leftOut.set(one.id, reason);
  }
  return { expected: suite.filter(({ id }) => !leftOut.has(id)), leftOut };
}

function whyNot(
  { capabilities = [], equipment: needed = [] }: TestCase,
  equipment: ReadonlySet<string>,
  declared: ReadonlySet<string> | undefined,
): string | undefined {
  const lacking = needed.filter((part) => !equipment.has(part));
  if (lacking.length > 0) return `the rig of this gateway has no ${lacking.join(", ").replaceAll("-", " ")}`;
  const missing = declared === undefined ? [] : capabilities.filter((id) => !declared.has(id));
  return missing.length > 0 ? `the profile does not declare ${missing.join(", ")}` : undefined;
}

const embeddedEquipment: Readonly<Record<string, readonly Equipment[]>> = {
  process: ["power"],
  container: ["power", "network"],
  qemu: ["power", "network", "reset-button", "storage", "clock"],
};

export function equipmentOf(gateway: RackGateway): ReadonlySet<Equipment> {
  if (gateway.kind !== "remote") {
    const line: readonly Equipment[] = gateway.line === undefined ? [] : ["network", "impaired-line"];
    const parts = [...(embeddedEquipment[gateway.kind] ?? []), ...line];
    const more: Equipment[] = gateway.field === undefined ? [] : ["field-devices"];
    if (gateway.timeServer !== undefined) more.push("time-server");
    return new Set([...parts, ...more]);
  }
  const parts: Equipment[] = [];
  if (gateway.power !== undefined) parts.push("power");
  if (gateway.power !== undefined && gateway.reset !== undefined) parts.push("reset-button");
  if (gateway.network !== undefined) parts.push("network");
  if (gateway.network?.impair !== undefined) parts.push("impaired-line");
  if (gateway.timeServer !== undefined) parts.push("time-server");
  if ((gateway.field ?? []).length > 0) parts.push("field-devices");
  return new Set(parts);
}
