// Takes back what a play did to one gateway, so that the next begins where it did.
import { isOperationId, operation, type OperationId } from "../../interface/operations/index.ts";
import { behaviour, thing } from "../../interface/behaviour/index.ts";
import type { ThingKind } from "../../interface/behaviour/behaviour.ts";
import { parseJson } from "../client/json.ts";
import { type Baseline, readerOf } from "./contestant.ts";
import { schemaOf } from "./canonical.ts";
import { observe, thingName, valueAt } from "./observation.ts";
import type { Side } from "./side.ts";
import type { World } from "./world.ts";

const restOf: readonly ThingKind[] = ["upgradeJob", "tag", "user", "role"];

/**
 * Removes what was made, by extensions where the profile declares them, and puts settings and switches back to the
 * baseline. `before` is what was known before the play; answers what is known now, since not all may have gone back.
 */
export async function undo(side: Side, baseline: Baseline, before: World): Promise<World> {
  side.names.leaveAll();
  for (const kind of restOf) {
    for (const made of side.names.all().toReversed())
      if (made.kind === kind) await remove(side, kind, made.label, made.id);
  }
  const touched = new Set<ThingKind>();
  for (const [name, { known, label }] of side.changed) {
    const [id = ""] = name.split(" ");
    if (!isOperationId(id)) continue;
    const { key, keyFrom } = thing(known.kind);
    if (key !== undefined && keyFrom !== "interface") continue;
    touched.add(known.kind);
    if (key === undefined) await restoreSettings(side, id, known.kind, baseline);
    else await restoreSwitch(side, known.kind, label, baseline.world);
  }
  const world = before.copy();
  for (const kind of touched) await readAgain(side, kind, world);
  return world;
}

async function remove(side: Side, kind: ThingKind, label: string, id: unknown): Promise<void> {
  const { admin } = side.gateway;
  if (side.world.isGone(thingName(kind, label))) return;
  const path = { id: Number(id) };
  const { extensions, virtualTags } = side.profile;
  if (kind === "tag") {
    const json = { prvdName: virtualTags.provider, srcName: virtualTags.source, tagName: String(id) };
    await admin.call("deleteVirtualTag", { json });
  } else if (kind === "user") {
    if (extensions.has("deleteUser")) await admin.callExtension("deleteUser", { path });
    else await admin.call("updateUser", { path, json: { isActive: false } });
  } else if (kind === "role") {
    if (extensions.has("deleteRole")) await admin.callExtension("deleteRole", { path });
  } else if (extensions.has("deleteUpgradeJob")) {
    await admin.callExtension("deleteUpgradeJob", { path });
  } else {
    const query = { deleteFileAfterInstallComplete: true };
    await admin.call("operateUpgradeJob", { path: { ...path, action: "cancel" }, query });
  }
}

/** Sends the settings that were there before by the operation that changed them. */
async function restoreSettings(
  side: Side,
  id: OperationId,
  kind: ThingKind,
  baseline: Baseline,
): Promise<void> {
  const reader = readerOf(kind, side.profile);
  const before = reader === undefined ? undefined : valueAt(baseline.bodies.get(reader), "/data");
  if (typeof before !== "object" || before === null) return;
  const json: Record<string, unknown> = {};
  for (const field of Object.keys(behaviour(id)?.stores ?? {})) {
    const value = valueAt(before, `/${field.replaceAll(".", "/")}`);
    const wanted = schemaOf(operation(id).json, field)?.["type"];
    if (value !== undefined)
      place(json, field, wanted === "string" && typeof value === "number" ? String(value) : value);
  }
  await side.gateway.admin.callInvalid(id, { json });
}

function place(target: Record<string, unknown>, field: string, value: unknown): void {
  const [first = "", ...rest] = field.split(".");
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const inner = (target[first] ?? {}) as Record<string, unknown>;
  target[first] = inner;
  place(inner, rest.join("."), value);
}

async function restoreSwitch(side: Side, kind: ThingKind, label: string, before: World): Promise<void> {
  const name = thingName(kind, label);
  const text = before.fact(name, "enable")?.text;
  const present = side.world.fact(name, "enable");
  if (text === undefined || (present?.text === text && present.isConfirmed)) return;
  const enable = parseJson(text) === true;
  const { admin } = side.gateway;
  if (kind === "eventKind") {
    await admin.call("updateEventKinds", { json: { events: [{ id: Number(label), enable }] } });
  } else {
    await admin.callInvalid(enable ? "enableService" : "disableService", { path: { id: label } });
  }
}

async function readAgain(side: Side, kind: ThingKind, world: World): Promise<void> {
  const reader = readerOf(kind, side.profile);
  const known = reader === undefined ? undefined : behaviour(reader);
  if (reader === undefined || known === undefined) return;
  const answer = await side.gateway.admin.callInvalid(reader);
  if (answer.accepted) world.judge(observe(answer.json, known, side.names, undefined), known, -1);
}
