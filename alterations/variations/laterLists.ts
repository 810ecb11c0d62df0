// Lists that show a change some seconds after it.
import type { OperationId } from "../../interface/operations/index.ts";
import { Refusal } from "../../reference-impl/base/refusal.ts";
import type { Answer } from "../../reference-impl/http/handler.ts";
import { type Fields, fields, items } from "../mechanism/edits.ts";
import { changed } from "../mechanism/operationAlterations.ts";
import type { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import type { Variations } from "./variation.ts";

const laterMs = 3000;

function withServices(data: Fields, edit: (service: Fields) => Fields): Fields {
  return Object.fromEntries(Object.entries(data).map(([group, list]) => [group, items(list).map(edit)]));
}

/** For a while services are listed without their last switch. */
function servicesLater(at: GatewayAlterations): void {
  const switched = new Map<unknown, { enable: boolean; untilMs: number }>();
  for (const [operation, enable] of [
    ["enableService", true],
    ["disableService", false],
  ] as const)
    at.around(operation, async (call, proceed, ask) => {
      const { id } = call.path;
      const list = await ask("listServices");
      const groups = list.kind === "json" ? fields(fields(list.body)["data"]) : {};
      const service = Object.values(groups)
        .flatMap(items)
        .find((one) => one["id"] === id);
      const answer = await proceed(call);
      if (service?.["enable"] === !enable)
        switched.set(id, { enable: !enable, untilMs: performance.now() + laterMs });
      return answer;
    });
  at.data("listServices", (data) =>
    withServices(data, (service) => {
      const shown = switched.get(service["id"]);
      return shown === undefined || shown.untilMs < performance.now()
        ? service
        : { ...service, enable: shown.enable };
    }),
  );
}

/** A list is read anew when its last reading by the same caller is old. */
function listsOfAView(at: GatewayAlterations, lists: readonly OperationId[], renewedMs: number): void {
  const cached = new Map<string, { answer: Answer; atMs: number }>();
  for (const list of lists)
    at.around(list, async (call, proceed) => {
      const key = JSON.stringify([list, call.query, call.caller?.userId]);
      const last = cached.get(key);
      if (last !== undefined && performance.now() - last.atMs <= renewedMs) return last.answer;
      const answer = await proceed(call);
      cached.set(key, { answer, atMs: performance.now() });
      return answer;
    });
}

const viewMs = 200;

const shownMs = 150;
const shownLater: readonly {
  readonly readings: readonly OperationId[];
  readonly writings: readonly OperationId[];
}[] = [
  { readings: ["listRoles", "listUsers"], writings: ["createRole", "updateRole", "addUser", "updateUser"] },
  { readings: ["getSsh"], writings: ["setSsh"] },
  { readings: ["getProvision"], writings: ["setProvision"] },
  { readings: ["getLog"], writings: ["setLog"] },
  { readings: ["getEventConfiguration"], writings: ["setEventConfiguration"] },
  {
    readings: ["getUpgradeConfiguration"],
    writings: ["updateUpgradeConfiguration", "setUpgradeConfiguration"],
  },
  { readings: ["getReboot"], writings: ["setReboot"] },
  { readings: ["listTags"], writings: ["createVirtualTag", "updateVirtualTag"] },
];

/** For a while after a change, readings have the answers that they had before it. */
function changesLater(at: GatewayAlterations, shown = shownLater, afterMs = shownMs): void {
  for (const { readings, writings } of shown)
    for (const reading of readings) {
      let changes: readonly { readonly before: Answer; readonly atMs: number }[] = [];
      at.around(writings, async (call, proceed, ask) => {
        const before = await ask(reading);
        const answer = await proceed(call);
        changes = [...changes, { before, atMs: performance.now() }];
        return answer;
      });
      at.around(reading, async (call, proceed) => {
        const answer = await proceed(call);
        changes = changes.filter(({ atMs }) => atMs > performance.now() - afterMs);
        return Object.keys(call.query).length > 0 ? answer : (changes[0]?.before ?? answer);
      });
    }
}

const longerMs = 300;
const settingsAndTags = shownLater.filter(({ readings }) => !readings.includes("listRoles"));

/** For a while after its creation, sign-ins of a user fail. */
function usersLater(at: GatewayAlterations): void {
  const added = new Map<unknown, number>();
  at.around("addUser", async (call, proceed) => {
    const answer = await proceed(call);
    added.set(call.body["name"], performance.now());
    return answer;
  });
  at.around("signIn", async (call, proceed) => {
    if (performance.now() - (added.get(call.body["name"]) ?? -longerMs) < longerMs)
      throw new Refusal(401, "unknown user");
    return proceed(call);
  });
}

const batchMs = 800;

/** Created entries are streamed at once, and listed together some time after the first of them. */
function eventsInBatches(at: GatewayAlterations): void {
  let listedId = Infinity;
  let untilMs = 0;
  at.around("createEvent", async (call, proceed, ask) => {
    if (performance.now() > untilMs) {
      const newest = await ask("getEvents", { query: { limit: 10_000 } });
      const entries = newest.kind === "json" ? items(fields(newest.body)["data"]) : [];
      listedId = Math.max(0, ...entries.map(({ id }) => Number(id)));
      untilMs = performance.now() + batchMs;
    }
    return proceed(call);
  });
  at.around("getEvents", async (call, proceed) => {
    const { event, download, limit, offset } = call.query;
    if (performance.now() > untilMs || event === true || download === true) return proceed(call);
    const answer = await proceed(changed(call, { query: { ...call.query, limit: 10_000, offset: 0 } }));
    if (answer.kind !== "json") return answer;
    const listed = items(fields(answer.body)["data"]).filter(({ id }) => Number(id) <= listedId);
    const first = Number(offset ?? 0);
    const size = Number(limit ?? 100);
    const data = listed.slice(first, first + size);
    const page = { count: data.length, data, limit: size, offset: first, total: listed.length };
    return { ...answer, body: { ...fields(answer.body), ...page } };
  });
}

export const laterListVariations = {
  "changes-shown-later": {
    differs: `Readings of accounts, settings and tags show a change ${shownMs} ms after its answer`,
    freedom: "Response as get: the answer shows the new state; how soon a reading does is not stated",
    install: (at) => changesLater(at),
  },
  "settings-and-tags-shown-later": {
    differs: `Readings of settings and tags show a change ${longerMs} ms after its answer, those of accounts at once`,
    freedom: "Response as get: the answer shows the new state; how soon a reading does is not stated",
    install: (at) => changesLater(at, settingsAndTags, longerMs),
  },
  "lists-of-a-view": {
    differs: `Lists of roles, users, tags and upgrade jobs are views that are renewed every ${viewMs} ms at most`,
    freedom: "Lists: how soon a list follows what is found by id is not stated",
    install: (at) => listsOfAView(at, ["listRoles", "listUsers", "listTags", "listUpgradeJobs"], viewMs),
  },
  "users-sign-in-later": {
    differs: `A user signs in from ${longerMs} ms after the creation on`,
    freedom: "Add user: how soon the user signs in is not stated",
    install: usersLater,
  },
  "entries-listed-in-batches": {
    differs: `Get events lists a created entry at most ${batchMs} ms after it was streamed`,
    freedom: "Create log: when an entry is listed and streamed is not stated",
    aspect: "event ids",
    install: eventsInBatches,
  },
  "services-listed-later": {
    differs: "List services shows a switch 3 s after it",
    freedom: "List services: how soon it follows a switch is not stated",
    install: servicesLater,
  },
  "services-start-after-a-boot": {
    differs: "List services shows disabled services only, for 3 s after a boot",
    freedom: "States: when an enabled service runs after a boot is not stated",
    install(at) {
      const startedMs = performance.now() + laterMs;
      at.data("listServices", (data) =>
        performance.now() < startedMs
          ? withServices(data, (service) => ({ ...service, enable: false }))
          : data,
      );
    },
  },
  "apps-listed-later": {
    differs: "List apps is made anew every 3 s",
    freedom: "List apps: how soon it follows a change of an app is not stated",
    profile: { apps: { operable: "aie", settleSec: 12 } },
    install: (at) => listsOfAView(at, ["listApps"], laterMs),
  },
} as const satisfies Variations;
