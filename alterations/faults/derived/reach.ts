// Faults of reach: an operation acts on more than it names, or on less.
import { behaviour } from "../../../interface/behaviour/index.ts";
import type { OperationId } from "../../../interface/operations/index.ts";
import { serviceIds } from "../../../interface/resources/services.ts";
import { type Fields, fields, items, text } from "../../mechanism/edits.ts";
import { changed, type Step } from "../../mechanism/operationAlterations.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived } from "./derivedFault.ts";

type Ask = Parameters<Step>[2];

async function listed(ask: Ask, operation: OperationId): Promise<Fields[]> {
  const answer = await ask(operation);
  return answer.kind === "json" ? items(fields(answer.body)["data"]) : [];
}

/** Which others are changed along: all, or only the one that is listed directly before. */
const reaches = [
  { id: "all-of-them", is: "every other", pick: (others: readonly Fields[]) => others },
  { id: "neighbour-too", is: "the previous", pick: (others: readonly Fields[]) => others.slice(-1) },
] as const;

interface Reach {
  readonly operation: OperationId;
  readonly list: OperationId;
  readonly noun: string;
  readonly requirement: string;
  readonly also: readonly string[];
  /** Member that a change reaches others with; absent where the operation has none. */
  readonly member?: string;
  /** Whether it is the thing that the call names. */
  readonly isNamed: (thing: Fields, call: Parameters<Step>[0]) => boolean;
  readonly isSpared?: (thing: Fields) => boolean;
  /** Inputs that do the same to another thing. */
  readonly inputsFor: (
    thing: Fields,
    call: Parameters<Step>[0],
  ) => Partial<Pick<Parameters<Step>[0], "path" | "query" | "body">>;
}

const byId = (thing: Fields, call: Parameters<Step>[0]): boolean => text(thing["id"]) === call.path["id"];
const isTagOf = (thing: Fields, { body }: Parameters<Step>[0]): boolean =>
  ["prvdName", "srcName", "tagName"].every((name) => thing[name] === body[name]);
/** Users without whom the gateway could not be managed. */
const isManager = (user: Fields): boolean => JSON.stringify(user["permissions"]).includes("SYS_USER_RW");
const isOwnTag = (tag: Fields): boolean =>
  /^(system|modbus|opcua)/.test(text(tag["prvdName"])) || tag["prvdName"] === "device";

const reachData: readonly Reach[] = [
  ...(["description", "permissions"] as const).map((member): Reach => ({
    operation: "updateRole",
    list: "listRoles",
    noun: "role",
    member,
    requirement: "CORE-ROLE-29",
    also: ["CORE-ROBUST-03", "CORE-USER-57"],
    isNamed: byId,
    isSpared: (role) => text(role["name"]).toLowerCase().includes("admin"),
    inputsFor: (role, call) => ({
      path: { id: text(role["id"]) },
      body: {
        name: role["name"],
        description: role["description"],
        permissions: role["permissions"],
        [member]: call.body[member],
      },
    }),
  })),
  ...(["email", "isActive", "expiredAfter", "roles"] as const).map((member): Reach => ({
    operation: "updateUser",
    list: "listUsers",
    noun: "user",
    member,
    requirement: "CORE-USER-39",
    also: ["CORE-ROBUST-03", "CORE-ROLE-11"],
    isNamed: byId,
    isSpared: isManager,
    inputsFor: (user, call) => ({ path: { id: text(user["id"]) }, body: { [member]: call.body[member] } }),
  })),
  {
    operation: "updateUserPassword",
    list: "listUsers",
    noun: "user",
    member: "newPassword",
    requirement: "CORE-USER-44",
    also: ["CORE-USER-43", "CORE-ROBUST-03"],
    isNamed: byId,
    isSpared: isManager,
    inputsFor: (user, call) => ({
      path: { id: text(user["id"]) },
      body: { newPassword: call.body["newPassword"] },
    }),
  },
  ...(["dataUnit", "dataSize", "access"] as const).map((member): Reach => ({
    operation: "updateVirtualTag",
    list: "listTags",
    noun: "virtual tag",
    member,
    requirement: "CORE-ROBUST-03",
    also: ["CORE-TAG-28", "CORE-TAG-27"],
    isNamed: isTagOf,
    isSpared: isOwnTag,
    inputsFor: (tag, call) => ({ body: { ...tag, [member]: call.body[member] } }),
  })),
  {
    operation: "deleteVirtualTag",
    list: "listTags",
    noun: "virtual tag",
    requirement: "CORE-TAG-29",
    also: ["CORE-ROBUST-03"],
    isNamed: isTagOf,
    isSpared: isOwnTag,
    inputsFor: ({ prvdName, srcName, tagName }) => ({ body: { prvdName, srcName, tagName } }),
  },
  {
    operation: "operateUpgradeJob",
    list: "listUpgradeJobs",
    noun: "upgrade job",
    requirement: "CORE-UPGRADE-73",
    also: ["CORE-CONC-04", "CORE-ROBUST-03", "CORE-UPGRADE-55"],
    isNamed: byId,
    inputsFor: (job, call) => ({ path: { ...call.path, id: text(job["id"]) }, query: call.query }),
  },
  {
    operation: "operateApp",
    list: "listApps",
    noun: "app",
    requirement: "CORE-APP-49",
    also: ["CORE-ROBUST-03"],
    isNamed: (app, call) => app["id"] === call.path["appname"] || app["name"] === call.path["appname"],
    isSpared: (app) => app["id"] === "edge-web",
    inputsFor: (app, call) => ({ path: { ...call.path, appname: text(app["id"]) } }),
  },
];

const reachFaults: readonly Fault[] = reachData.flatMap((reach) =>
  reaches.map(({ id, is, pick }) =>
    derived({
      operator: id,
      place: `${reach.operation}${reach.member === undefined ? "" : `.${reach.member}`}`,
      requirement: reach.requirement,
      also: reach.also,
      what: `${reach.operation} changes ${reach.member === undefined ? "" : `\`${reach.member}\` of `}${is} ${reach.noun} too.`,
      install: (at) =>
        at.around(reach.operation, async (call, proceed, ask) => {
          const before = await listed(ask, reach.list);
          const answer = await proceed(call);
          const isSet = reach.member === undefined || call.body[reach.member] !== undefined;
          const place = before.findIndex((thing) => reach.isNamed(thing, call));
          const others = before.filter(
            (thing, index) =>
              !reach.isNamed(thing, call) &&
              reach.isSpared?.(thing) !== true &&
              (id === "all-of-them" || index < place),
          );
          for (const thing of isSet ? pick(others) : [])
            await ask(reach.operation, reach.inputsFor(thing, call)).catch(() => undefined);
          return answer;
        }),
    }),
  ),
);

/** Services whose change leaves the gateway reachable. */
const safeServices = serviceIds.filter((id) => !/^http|^lan|^wifi|^cellular|^modbus|^opcua/.test(id));
/** The reference gateway does not have it: an attempt to enable it may reach another service, no other reaches it. */
const absentService = "sdcard";
const presentServices = safeServices.filter((id) => id !== absentService);
const serviceFaults: readonly Fault[] = (["enableService", "disableService"] as const).flatMap((operation) =>
  (operation === "enableService" ? [...presentServices, absentService] : presentServices).map((id, index) => {
    const next = presentServices[(index + 1) % presentServices.length] ?? id;
    return derived({
      operator: "neighbour-too",
      place: `${operation}.${id}`,
      requirement: "CORE-SERVICE-17",
      also: ["CORE-ROBUST-03"],
      what: `${operation} of ${id} switches ${next} too.`,
      install: (at) =>
        at.around(operation, async (call, proceed) => {
          if (call.path["id"] === id)
            await Promise.resolve(proceed(changed(call, { path: { id: next } }))).catch(() => undefined);
          return proceed(call);
        }),
    });
  }),
);

/** Members of the same name in several resources. */
const likeNamed: readonly (readonly [member: string, operations: readonly OperationId[]])[] = [
  ["enable", ["setLog", "setEventConfiguration", "setProvision"]],
  ["timeToLiveSec", ["setLog", "setEventConfiguration"]],
  ["enableTimeToLiveSec", ["setLog", "setEventConfiguration"]],
  ["desiredDiskCacheSizeMB", ["setLog", "setEventConfiguration"]],
];

const likeNamedFaults: readonly Fault[] = likeNamed.flatMap(([member, operations]) =>
  operations.flatMap((operation) =>
    operations
      .filter((other) => other !== operation)
      .map((other) => {
        // A switch may follow other settings; a number that was stored changes by its own write alone.
        const stored = member === "enable" ? undefined : behaviour(other)?.stores?.[member];
        return derived({
          operator: "like-named-too",
          place: `${operation}.${member}-${other}`,
          requirement: stored ?? "CORE-ROBUST-03",
          also: ["CORE-ROBUST-03"],
          what: `${operation} sets \`${member}\` as ${other} does, too.`,
          install: (at) =>
            at.around(operation, async (call, proceed, ask) => {
              const answer = await proceed(call);
              if (call.body[member] !== undefined)
                await ask(other, { body: { [member]: call.body[member] } });
              return answer;
            }),
        });
      }),
  ),
);

/** Other names for which the tag is taken. */
const confusions: readonly {
  readonly id: string;
  readonly is: string;
  readonly fits: (other: Fields, path: Readonly<Record<string, string>>) => boolean;
}[] = [
  {
    id: "same-name-elsewhere",
    is: "the first tag of this name in any source of the provider",
    fits: (other, path) => other["prvdName"] === path["provider"] && other["tagName"] === path["tag"],
  },
  {
    id: "case-of-name-ignored",
    is: "the first tag of this name in any letters",
    fits: (other, path) =>
      other["prvdName"] === path["provider"] &&
      other["srcName"] === path["source"] &&
      text(other["tagName"]).toLowerCase() === path["tag"]?.toLowerCase(),
  },
];

const confusedFaults: readonly Fault[] = (["readTag", "writeTag"] as const).flatMap((operation) =>
  confusions.map(({ id, is, fits }) =>
    derived({
      operator: id,
      place: operation,
      requirement: operation === "readTag" ? "CORE-TAG-30" : "CORE-ROBUST-03",
      also: ["CORE-TAG-30", "CORE-TAG-35", "CORE-TAG-48", "CORE-TAG-34", "CORE-FIELD-07"],
      what: `${operation} takes ${is}.`,
      install: (at) =>
        at.around(operation, async (call, proceed, ask) => {
          const tag = (await listed(ask, "listTags")).find((one) => fits(one, call.path));
          if (tag === undefined) return proceed(call);
          const path = {
            provider: text(tag["prvdName"]),
            source: text(tag["srcName"]),
            tag: text(tag["tagName"]),
          };
          return proceed(changed(call, { path }));
        }),
    }),
  ),
);

export const reachingFaults: readonly Fault[] = [
  ...reachFaults,
  ...serviceFaults,
  ...likeNamedFaults,
  ...confusedFaults,
];
