// The actions of a soak. Each sends requests that a conforming gateway accepts, and reverses what it changed.
import { type OperationId, operationIds, operations } from "../../interface/operations/index.ts";
import {
  type Answer,
  type GatewayUnderTest,
  type SettingName,
  membersOf,
  setting,
  writeSetting,
} from "../../harness/index.ts";
import { HarnessFault } from "../../record/index.ts";
import type { Action, Workplace } from "./action.ts";
import { creatorAt } from "./eventWatch.ts";

const farDate = "2099-12-31T23:59:59Z";

const offers = ({ profile }: Workplace, ...ids: readonly OperationId[]): string | undefined => {
  const missing = ids.find(
    (id) => profile.binding.get(id)?.served !== true || !profile.capabilities.has(operations[id].group),
  );
  return missing === undefined ? undefined : `the profile declares ${missing} as not served`;
};

/** Readings without inputs; long answers have an action of their own. */
const longAnswers: readonly OperationId[] = ["exportConfiguration", "signIn", "getEvents", "listTags"];
const readings = operationIds.filter((id) => {
  const { effect, ...definition } = operations[id];
  return effect === "read-only" && !("path" in definition) && !longAnswers.includes(id);
});

const readSettings: Action = {
  id: "readings",
  whyNot: (place) =>
    readings.some((id) => offers(place, id) === undefined) ? undefined : "no reading is served",
  async run({ admin }, place) {
    const id = place.random.pick(readings.filter((one) => offers(place, one) === undefined));
    if (place.random.integer(0, 9) > 0 || offers(place, "getEvents") !== undefined)
      await admin.callChecked(id);
    else await admin.call("getEvents", { query: { limit: 20 } });
  },
};

const readTags: Action = {
  id: "tag-reads",
  whyNot: (place) =>
    place.readable.length === 0
      ? "the rack has no field devices, and the profile names no liveTags"
      : offers(place, "readTag", "monitorTags"),
  async run({ admin }, { random, readable }) {
    const { provider, source, tag } = random.pick(readable);
    if (random.integer(0, 1) === 0) await admin.call("readTag", { path: { provider, source, tag } });
    else await admin.call("monitorTags", { path: { provider, source }, query: { tags: tag } });
  },
};

const writeTags: Action = {
  id: "tag-writes",
  whyNot: (place) =>
    place.writable.length === 0
      ? "no simulated field device has a writable number"
      : offers(place, "writeTag"),
  async run({ admin }, { random, writable }) {
    const { point } = random.pick(writable);
    const json = { dataType: point.dataType, dataValue: random.integer(0, 100) };
    await admin.call("writeTag", { path: point.tag, json });
  },
};

/** A number of each setting that has no effect within an hour, and its lowest value. */
const harmless: readonly (readonly [SettingName, string, number])[] = [
  ["log", "timeToLiveSec", 1_000_000],
  ["event-configuration", "timeToLiveSec", 1_000_000],
  ["upgrade-configuration", "retryInterval", 60],
];

/** Reads, changes one number, and writes the reading back. */
const writeSettings: Action = {
  id: "settings",
  whyNot: (place) =>
    harmless.some(([name]) => settingOffered(place, name))
      ? undefined
      : "no setting with a harmless number is served",
  async run(gateway, place) {
    const [name, member, lowest] = place.random.pick(harmless.filter(([one]) => settingOffered(place, one)));
    await place.alone(async () => {
      const answer = await gateway.admin.callChecked(setting(name).read);
      const before = answer.accepted ? membersOf(name, answer.json) : undefined;
      if (before === undefined) return;
      const undone = place.undo(`setting ${name}`, (later) => writeSetting(later, name, before));
      await writeSetting(gateway, name, { ...before, [member]: lowest + place.random.integer(0, 60) });
      if ((await writeSetting(gateway, name, before)).accepted) undone();
    });
  },
};

function settingOffered({ profile }: Workplace, name: SettingName): boolean {
  const { capability, read, write } = setting(name);
  return (
    profile.capabilities.has(capability) &&
    [read, write].every((id) => profile.binding.get(id)?.served === true)
  );
}

const signIns: Action = {
  id: "sign-ins",
  whyNot: (place) => offers(place, "signIn", "getCurrentUser"),
  async run(gateway, { profile }) {
    const { name, password } = profile.credentials;
    const session = await gateway.signIn(name, password);
    await session.call("getCurrentUser");
  },
};

const users: Action = {
  id: "users",
  whyNot: (place) =>
    place.profile.extensions.has("deleteUser")
      ? offers(place, "addUser", "updateUser", "listRoles")
      : "the profile does not declare deleteUser: each user would remain",
  async run(gateway, place) {
    const { admin } = gateway;
    const [role] = (await admin.call("listRoles")).data();
    if (role === undefined) return;
    const name = place.name("user");
    const password = `Pw-${place.random.word(12)}1!`;
    const added = await admin.call("addUser", {
      json: { name, password, isActive: true, expiredAfter: farDate, roles: [role.id] },
    });
    if (!added.accepted) return;
    const { id } = added.data();
    const remove = (later: GatewayUnderTest): Promise<Answer> =>
      later.admin.callExtension("deleteUser", { path: { id } });
    const undone = place.undo(`user ${name}`, remove);
    await admin.call("updateUser", { path: { id }, json: { isActive: false } });
    if ((await remove(gateway)).accepted) undone();
  },
};

const virtualTags: Action = {
  id: "virtual-tags",
  whyNot: (place) => offers(place, "createVirtualTag", "deleteVirtualTag", "writeTag", "readTag"),
  async run(gateway, place) {
    const { provider, source } = place.profile.virtualTags;
    const tag = { prvdName: provider, srcName: source, tagName: place.name("tag") };
    const { admin } = gateway;
    const made = await admin.call("createVirtualTag", { json: { ...tag, dataType: "uint32", access: "rw" } });
    if (!made.accepted) return;
    const remove = (later: GatewayUnderTest): Promise<Answer> =>
      later.admin.call("deleteVirtualTag", { json: tag });
    const undone = place.undo(`virtual tag ${tag.tagName}`, remove);
    const path = { provider, source, tag: tag.tagName };
    await admin.call("writeTag", {
      path,
      json: { dataType: "uint32", dataValue: place.random.integer(0, 1000) },
    });
    await admin.call("readTag", { path });
    if ((await remove(gateway)).accepted) undone();
  },
};

/** Opens a stream, reads its first values, and leaves without a word, as clients do. */
const streams: Action = {
  id: "streams",
  whyNot: (place) =>
    place.readable.length === 0
      ? "the rack has no field devices, and the profile names no liveTags"
      : offers(place, "monitorTags"),
  async run({ admin }, { random, readable, clock }) {
    const { provider, source, tag } = random.pick(readable);
    await using stream = await admin.openTagStream({ provider, source }, { tags: tag, streamInterval: 100 });
    if (stream.status === 200) await clock.delay(random.integer(100, 500));
  },
};

const events: Action = {
  id: "events",
  whyNot: (place) => offers(place, "createEvent", "getEvents"),
  run: (gateway, place) => place.events.create(creatorAt(gateway)),
};

const exports: Action = {
  id: "exports",
  whyNot: (place) => offers(place, "exportConfiguration"),
  async run({ admin }) {
    await admin.call("exportConfiguration", { query: { action: "download", encryption: false } });
  },
};

/** Uploads an export, without applying it. */
const uploads: Action = {
  id: "uploads",
  whyNot: (place) => offers(place, "exportConfiguration", "uploadConfiguration"),
  async run({ admin }) {
    const file = await admin.call("exportConfiguration", {
      query: { action: "download", encryption: false },
    });
    if (!file.accepted) return;
    await admin.call("uploadConfiguration", {
      form: {
        file: { fileName: "configuration.tar.gz", content: file.bytes },
        apply: false,
        encryption: false,
      },
    });
  },
};

const actions: readonly Action[] = [
  readSettings,
  readTags,
  writeTags,
  writeSettings,
  signIns,
  users,
  virtualTags,
  streams,
  events,
  exports,
  uploads,
];

/** The actions of the mix that the gateway offers, with their shares, and the others with the reason. */
export function chooseActions(
  shares: Readonly<Partial<Record<Action["id"], number>>>,
  place: Workplace,
): {
  readonly chosen: readonly (readonly [Action, number])[];
  readonly omitted: { action: string; reason: string }[];
} {
  const wanted = actions.flatMap((action) => {
    const share = shares[action.id] ?? 0;
    return share > 0 ? [{ action, share, reason: action.whyNot(place) }] : [];
  });
  const chosen = wanted.flatMap(({ action, share, reason }) =>
    reason === undefined ? [[action, share] as const] : [],
  );
  if (chosen.length === 0) throw new HarnessFault("the gateway offers no action of the mix");
  return {
    chosen,
    omitted: wanted.flatMap(({ action, reason }) =>
      reason === undefined ? [] : [{ action: action.id, reason }],
    ),
  };
}
