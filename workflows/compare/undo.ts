// Reverts the effects of a play on one gateway, for the same start of the next one.
import { isServiceId } from "../../interface/resources/services.ts";
import type { ThingKind } from "../../interface/behaviour/behaviour.ts";
import { behaviour, thing } from "../../interface/behaviour/index.ts";
import { isOperationId, type OperationId } from "../../interface/operations/index.ts";
import {
  type Answer,
  membersOf,
  setting,
  settingNames,
  switchEventKinds,
  switchService,
  writeSetting,
} from "../../harness/index.ts";
import { Unmet, parseJson } from "../../record/index.ts";
import { type Baseline, readerOf } from "./connectedGateway.ts";
import { observe, thingName } from "./observation.ts";
import type { Side } from "./side.ts";
import type { World } from "./world.ts";

/** Users are removed before their roles. */
const order: readonly ThingKind[] = ["upgradeJob", "tag", "user", "role"];

/**
 * Removes things that were made, by extensions where the profile declares them, and restores settings and switches to
 * the baseline. `before`: the model before the play; answers the present model, as some restores may have failed.
 * Throws Unmet when the gateway does not answer.
 */
export async function undo(side: Side, baseline: Baseline, before: World): Promise<World> {
  side.names.leaveAll();
  for (const kind of order) {
    for (const made of side.names.all().toReversed())
      if (made.kind === kind) assertAnswered(await remove(side, kind, made.label, made.id));
  }
  const touched = new Set<ThingKind>();
  for (const [name, { known, label }] of side.changed) {
    const [id = ""] = name.split(" ");
    if (!isOperationId(id)) continue;
    const { key, keyFrom } = thing(known.kind);
    if (key !== undefined && keyFrom !== "interface") continue;
    touched.add(known.kind);
    assertAnswered(
      key === undefined
        ? await restoreSettings(side, id, known.kind, baseline)
        : await restoreSwitch(side, known.kind, label, baseline.world),
    );
  }
  const world = before.copy();
  for (const kind of touched) await readAgain(side, kind, world);
  return world;
}

function assertAnswered(answer: Pick<Answer, "status" | "exchange"> | undefined): void {
  if (answer?.status === 0)
    throw new Unmet(`no answer to ${answer.exchange.operation} while a sequence was reverted`, "no-answer");
}

async function remove(
  side: Side,
  kind: ThingKind,
  label: string,
  id: unknown,
): Promise<Pick<Answer, "status" | "exchange"> | undefined> {
  const { admin } = side.gateway;
  if (side.world.isGone(thingName(kind, label))) return undefined;
  const path = { id: Number(id) };
  const { extensions, virtualTags } = side.profile;
  if (kind === "tag") {
    const json = { prvdName: virtualTags.provider, srcName: virtualTags.source, tagName: String(id) };
    return admin.call("deleteVirtualTag", { json });
  }
  if (kind === "user") {
    if (extensions.has("deleteUser")) return admin.callExtension("deleteUser", { path });
    return admin.call("updateUser", { path, json: { isActive: false } });
  }
  if (kind === "role")
    return extensions.has("deleteRole") ? admin.callExtension("deleteRole", { path }) : undefined;
  if (extensions.has("deleteUpgradeJob")) return admin.callExtension("deleteUpgradeJob", { path });
  const query = { deleteFileAfterInstallComplete: true };
  return admin.call("operateUpgradeJob", { path: { ...path, action: "cancel" }, query });
}

/** Writes the members of the baseline; of a partial write those that the operation stores. */
async function restoreSettings(
  side: Side,
  id: OperationId,
  kind: ThingKind,
  baseline: Baseline,
): Promise<Answer | undefined> {
  const reader = readerOf(kind, side.profile);
  const name = settingNames.find((one) => setting(one).read === reader);
  if (reader === undefined || name === undefined) return undefined;
  const before = membersOf(name, baseline.bodies.get(reader));
  if (before === undefined) return undefined;
  const stored = new Set(Object.keys(behaviour(id)?.stores ?? {}));
  const isSent = (member: string): boolean => !setting(name).isPartial || stored.has(member);
  const members = Object.fromEntries(Object.entries(before).filter(([member]) => isSent(member)));
  return writeSetting(side.gateway, name, members);
}

async function restoreSwitch(
  side: Side,
  kind: ThingKind,
  label: string,
  before: World,
): Promise<Answer | undefined> {
  const name = thingName(kind, label);
  const text = before.fact(name, "enable")?.text;
  const present = side.world.fact(name, "enable");
  if (text === undefined || (present?.text === text && present.isConfirmed)) return undefined;
  const enable = parseJson(text) === true;
  if (kind === "eventKind") return switchEventKinds(side.gateway, { [label]: enable });
  return isServiceId(label) ? switchService(side.gateway, label, enable) : undefined;
}

async function readAgain(side: Side, kind: ThingKind, world: World): Promise<void> {
  const reader = readerOf(kind, side.profile);
  const known = reader === undefined ? undefined : behaviour(reader);
  if (reader === undefined || known === undefined) return;
  const answer = await side.gateway.admin.callInvalid(reader);
  assertAnswered(answer);
  if (answer.accepted) world.judge(observe(answer.json, known, side.names, undefined), known, -1);
}
