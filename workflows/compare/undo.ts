// Takes back what a play did to one gateway, so that the next begins where it did.
import type { ThingKind } from "../../interface/behaviour/behaviour.ts";
import { behaviour, thing } from "../../interface/behaviour/index.ts";
import { isOperationId, operation, type OperationId } from "../../interface/operations/index.ts";
import type { Answer } from "../../harness/index.ts";
import { Unmet, parseJson } from "../../record/index.ts";
import { schemaOf } from "./canonical.ts";
import { type Baseline, readerOf } from "./contestant.ts";
import { observe, thingName, valueAt } from "./observation.ts";
import type { Side } from "./side.ts";
import type { World } from "./world.ts";

/** Users go before the roles that they carry. */
const order: readonly ThingKind[] = ["upgradeJob", "tag", "user", "role"];

/**
 * Removes what was made, by extensions where the profile declares them, and puts settings and switches back to the
 * baseline. `before` is what was known before the play; answers what is known now, since not all may have gone back.
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
    throw new Unmet(
      `the gateway gave no answer to ${answer.exchange.operation} while a sequence was taken back`,
      "no-answer",
    );
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

/** Sends the settings that were there before by the operation that changed them. */
async function restoreSettings(
  side: Side,
  id: OperationId,
  kind: ThingKind,
  baseline: Baseline,
): Promise<Answer | undefined> {
  const reader = readerOf(kind, side.profile);
  const before = reader === undefined ? undefined : valueAt(baseline.bodies.get(reader), "/data");
  if (typeof before !== "object" || before === null) return undefined;
  const json: Record<string, unknown> = {};
  for (const field of Object.keys(behaviour(id)?.stores ?? {})) {
    const value = valueAt(before, `/${field.replaceAll(".", "/")}`);
    const wanted = schemaOf(operation(id).json, field)?.["type"];
    const sent = wanted === "string" && typeof value === "number" ? String(value) : value;
    if (value !== undefined) place(json, field, sent);
  }
  return side.gateway.admin.callInvalid(id, { json });
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

async function restoreSwitch(
  side: Side,
  kind: ThingKind,
  label: string,
  before: World,
): Promise<Answer<OperationId> | undefined> {
  const name = thingName(kind, label);
  const text = before.fact(name, "enable")?.text;
  const present = side.world.fact(name, "enable");
  if (text === undefined || (present?.text === text && present.isConfirmed)) return undefined;
  const enable = parseJson(text) === true;
  const { admin } = side.gateway;
  return kind === "eventKind"
    ? admin.callInvalid("updateEventKinds", { json: { events: [{ id: Number(label), enable }] } })
    : admin.callInvalid(enable ? "enableService" : "disableService", { path: { id: label } });
}

async function readAgain(side: Side, kind: ThingKind, world: World): Promise<void> {
  const reader = readerOf(kind, side.profile);
  const known = reader === undefined ? undefined : behaviour(reader);
  if (reader === undefined || known === undefined) return;
  const answer = await side.gateway.admin.callInvalid(reader);
  assertAnswered(answer);
  if (answer.accepted) world.judge(observe(answer.json, known, side.names, undefined), known, -1);
}
