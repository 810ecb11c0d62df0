// A gateway that is compared: its connection, its profile, and its state before the first step.
import type { Behaviour } from "../../interface/behaviour/behaviour.ts";
import { behaviour, thing } from "../../interface/behaviour/index.ts";
import { capabilitiesFor } from "../../interface/operations/capabilities.ts";
import { operation, operationIds, type OperationId } from "../../interface/operations/index.ts";
import type { CapabilityId } from "../../interface/vocabulary/capabilities.ts";
import type { GatewayConnection, GatewayUnderTest, Profile } from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import { Names } from "./names.ts";
import { observe } from "./observation.ts";
import { judgeProfile } from "./sections.ts";
import { type CallId, isExtensionId } from "../../interface/binding.ts";
import { World } from "./world.ts";

export interface ConnectedGateway {
  /** Its name in reports: `process`, or its URL. */
  readonly title: string;
  readonly profile: Profile;
  readonly gateway: GatewayUnderTest;
  /** Starts another gateway of the same kind; absent where only this one exists. */
  readonly fresh?: () => Promise<FreshGateway>;
}

export interface FreshGateway extends AsyncDisposable {
  readonly gateway: ConnectedGateway;
}

/** A gateway with its connection; exchanges are recorded with the answers of the steps, not here. */
export function connectedGateway(title: string, connection: GatewayConnection): ConnectedGateway {
  let last = 0;
  const record = { next: () => (last += 1), keep: () => undefined };
  // Cleanup always runs to its end: calls end by the profile's patience, not by an interruption.
  const gateway = connection.view(record, new AbortController().signal);
  return { title, profile: connection.profile, gateway };
}

/** State of a gateway before the first step. */
export interface Baseline {
  readonly world: World;
  /** Bodies of the answers that show it. */
  readonly bodies: ReadonlyMap<OperationId, unknown>;
}

/** Operations that are served by the gateway and may be used on it. */
export function isUsable(id: CallId, profile: Profile): boolean {
  if (isExtensionId(id)) return profile.extensions.has(id);
  const served = profile.binding.get(id)?.served ?? false;
  const capabilities = [...capabilitiesFor(id), ...(furtherCapabilities[id] ?? [])];
  return served && capabilities.every((capability) => profile.capabilities.has(capability));
}

/** Only virtual tags are written, and upgrade jobs only where the profile permits them. */
const furtherCapabilities: Partial<Record<OperationId, readonly CapabilityId[]>> = {
  writeTag: ["virtual-tags"],
  createUpgradeJob: ["upgrade-jobs"],
};

/** Whether an operation shows all things of a kind without a name in the request. */
function showsAll(id: OperationId, known: Behaviour): boolean {
  const required: unknown = (operation(id).query as { required?: unknown } | undefined)?.required;
  if (Array.isArray(required) && required.length > 0) return false;
  if (known.does === "list") return true;
  return known.does === "show" && known.names === undefined && thing(known.kind).key === undefined;
}

/** The served operations that show all things of a kind. */
function readers(profile: Profile): { id: OperationId; known: Behaviour }[] {
  return operationIds.flatMap((id) => {
    const known = behaviour(id);
    return known !== undefined && showsAll(id, known) && isUsable(id, profile) ? [{ id, known }] : [];
  });
}

/** Reads everything once. Throws Unmet when the gateway does not answer, or rejects the administrator. */
export async function readBaseline({ title, profile, gateway }: ConnectedGateway): Promise<Baseline> {
  const world = new World();
  const bodies = new Map<OperationId, unknown>();
  const words = new Names(profile, "baseline");
  for (const { id, known } of readers(profile)) {
    const answer = await gateway.admin.callInvalid(id);
    if (answer.status === 0)
      throw new Unmet(`${title}: no answer to ${id}: ${answer.summary()}`, "no-answer");
    if (!answer.accepted) continue;
    bodies.set(id, answer.json);
    world.judge(observe(answer.json, known, words, undefined), known, -1);
  }
  if (isUsable("exportConfiguration", profile)) {
    const answer = await gateway.admin.call("exportConfiguration", { query: { action: "get-profile" } });
    judgeProfile({}, answer.json, world, -1);
  }
  if (bodies.size === 0) throw new Unmet(`${title}: every request of the administrator was rejected`);
  return { world, bodies };
}

export function readerOf(kind: Behaviour["kind"], profile: Profile): OperationId | undefined {
  return readers(profile).find(({ known }) => known.kind === kind)?.id;
}
