// Cells of the parameters of requests: the classes of values that the interface distinguishes.
import { refusals } from "../behaviour/refusals.ts";
import { operation, type OperationId, operationIds } from "../operations/index.ts";
import { maxTagDataSize, maxTagNameLength, maxTagUnitLength } from "../resources/tags.ts";
import { minPasswordLength } from "../resources/users.ts";
import { type Cell, cell, notStated } from "./cell.ts";
import { lastName, type SchemaLeaf, schemaLeaves } from "./leaves.ts";

const requestParts = ["path", "query", "headers", "json", "form"] as const;
type RequestPart = (typeof requestParts)[number];

/** A parameter of an operation; one that JSON and form share counts once. */
export interface Parameter {
  readonly operation: OperationId;
  readonly parts: readonly RequestPart[];
  readonly leaf: SchemaLeaf;
}

export function parametersOf(id: OperationId): Parameter[] {
  const definition = operation(id);
  const found = new Map<string, Parameter>();
  for (const part of requestParts) {
    const leaves = schemaLeaves(definition[part]);
    for (const leaf of leaves) {
      // A second form of the same parameter, such as a role as an object: profiles declare which one is sent.
      if (leaves.some(({ path }) => leaf.path.startsWith(`${path}.`))) continue;
      const known = found.get(leaf.path);
      found.set(leaf.path, {
        operation: id,
        leaf: known?.leaf ?? leaf,
        parts: [...(known?.parts ?? []), part],
      });
    }
  }
  return [...found.values()];
}

export function parameterSubject({ operation: id, leaf }: Parameter): string {
  return `${id}.${leaf.path}`;
}

/** A value to which the interface gives a meaning or a limit. */
export interface Boundary {
  /** Name of the class. */
  readonly aspect: string;
  readonly holds: (value: unknown) => boolean;
  /** True where the value is beyond the limit and must be rejected. */
  readonly isBeyond?: boolean;
  readonly place: string;
}

const number = (value: unknown): number => Number(value);
const length = (value: unknown): number => String(value).length;
const unlimited: readonly Boundary[] = [
  { aspect: "boundary:0", holds: (value) => number(value) === 0, place: "Limits: timeToLiveSec" },
  { aspect: "boundary:negative", holds: (value) => number(value) < 0, place: "Limits: timeToLiveSec" },
];
const dateTime = /^\d{4}-\d\d-\d\dT/;
const dateTimes: readonly Boundary[] = [
  {
    aspect: "boundary:offset",
    holds: (value) => dateTime.test(String(value)) && /[+-]\d\d:\d\d$/.test(String(value)),
    place: "Conventions",
  },
];
const rebootTimes: readonly Boundary[] = [
  { aspect: "form:now", holds: (value) => value === "now", place: "Resources, Reboot schedule: at" },
  {
    aspect: "form:date-time",
    holds: (value) => typeof value === "string" && dateTime.test(value),
    place: "Resources, Reboot schedule: at",
  },
  {
    aspect: "form:crontab",
    holds: (value) => typeof value === "string" && value.trim().split(/\s+/).length === 5,
    place: "Resources, Reboot schedule: at",
  },
  ...dateTimes,
];
const textLimit = (limit: number, place: string): readonly Boundary[] => [
  { aspect: "boundary:longest", holds: (value) => length(value) === limit, place },
  { aspect: "boundary:too-long", holds: (value) => length(value) > limit, isBeyond: true, place },
];
const tagName = textLimit(maxTagNameLength, "Limits: Tag prvdName, srcName, tagName");
const virtualTag = {
  prvdName: tagName,
  srcName: tagName,
  tagName,
  dataUnit: [
    { aspect: "boundary:empty", holds: (value: unknown) => value === "", place: "Limits: Tag dataUnit" },
    ...textLimit(maxTagUnitLength, "Limits: Tag dataUnit"),
  ],
  dataSize: [
    { aspect: "boundary:0", holds: (value: unknown) => number(value) === 0, place: "Limits: Tag dataSize" },
    {
      aspect: "boundary:largest",
      holds: (value: unknown) => number(value) === maxTagDataSize,
      place: "Limits: Tag dataSize",
    },
    {
      aspect: "boundary:too-large",
      holds: (value: unknown) => number(value) > maxTagDataSize,
      isBeyond: true,
      place: "Limits: Tag dataSize",
    },
    {
      aspect: "boundary:negative",
      holds: (value: unknown) => number(value) < 0,
      isBeyond: true,
      place: "Limits: Tag dataSize",
    },
  ],
} as const satisfies Readonly<Record<string, readonly Boundary[]>>;

const boundaries: Readonly<Partial<Record<OperationId, Readonly<Record<string, readonly Boundary[]>>>>> = {
  setLog: { timeToLiveSec: unlimited },
  setEventConfiguration: { timeToLiveSec: unlimited },
  updateUpgradeConfiguration: {
    retryCount: [
      { aspect: "boundary:0", holds: (value) => number(value) === 0, place: "Limits: retryCount" },
    ],
  },
  setUpgradeConfiguration: {
    retryCount: [
      { aspect: "boundary:0", holds: (value) => number(value) === 0, place: "Limits: retryCount" },
    ],
  },
  addUser: {
    password: [
      {
        aspect: "boundary:shortest",
        holds: (value) => length(value) === minPasswordLength,
        place: "Limits: User password on add",
      },
      {
        aspect: "boundary:too-short",
        holds: (value) => length(value) < minPasswordLength,
        isBeyond: true,
        place: "Limits: User password on add",
      },
    ],
    expiredAfter: dateTimes,
  },
  createEvent: { createdAt: dateTimes },
  setReboot: { at: rebootTimes },
  createVirtualTag: virtualTag,
  updateVirtualTag: { dataUnit: virtualTag.dataUnit, dataSize: virtualTag.dataSize },
  getEvents: {
    limit: [
      { aspect: "boundary:1", holds: (value) => number(value) === 1, place: "Endpoints 10, Get events" },
    ],
    offset: [
      { aspect: "boundary:0", holds: (value) => number(value) === 0, place: "Limits: Get events" },
      {
        aspect: "boundary:past-200",
        holds: (value) => number(value) >= 200,
        place: "Endpoints 10, Get events",
      },
    ],
  },
  exportConfiguration: {
    password: [
      {
        aspect: "boundary:no-digit",
        holds: (value) => !/\d/.test(String(value)),
        isBeyond: true,
        place: "Limits: Export password",
      },
      {
        aspect: "boundary:no-special",
        holds: (value) => /^[\p{L}\d]*$/u.test(String(value)),
        isBeyond: true,
        place: "Limits: Export password",
      },
    ],
  },
};

export function boundariesOf(id: OperationId, path: string): readonly Boundary[] {
  return boundaries[id]?.[path] ?? [];
}

/** Texts that people write: the interface names no character set, and JSON is Unicode. */
const freeTexts: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createRole: ["name", "description"],
  updateRole: ["name", "description"],
  addUser: ["name", "password"],
  createEvent: ["category", "event", "origin", "message", "user"],
  createVirtualTag: ["tagName", "dataUnit"],
};

export function isFreeText(id: OperationId, path: string): boolean {
  return freeTexts[id]?.includes(path) === true;
}

export function isUnicode(value: unknown): boolean {
  return typeof value === "string" && /\P{ASCII}/u.test(value);
}

/** Optional query parameters of an operation, which may be combined. */
export function combinable(id: OperationId): Parameter[] {
  return parametersOf(id).filter(({ parts }) => parts.includes("query") || parts.includes("headers"));
}

/** Values of a leaf that are distinguished: those of an enumeration, and both booleans. */
export function listedValues({ schema, isInArray }: SchemaLeaf): string[] {
  const inner =
    isInArray || schema["items"] === undefined ? schema : (schema["items"] as SchemaLeaf["schema"]);
  const values = inner["enum"];
  if (Array.isArray(values)) return values.map(String);
  return inner["type"] === "boolean" ? ["true", "false"] : [];
}

function cellsOf(parameter: Parameter): Cell[] {
  const { operation: id, leaf, parts } = parameter;
  const { group } = operation(id);
  const one = (aspect: string, place: string, extra: object = {}): Cell =>
    cell({
      kind: "param",
      subject: parameterSubject(parameter),
      aspect,
      group,
      operations: [id],
      place,
      ...extra,
    });
  const place = `${parts.join(" or ")} of ${id}`;
  const values = isSwitch(id) ? [] : listedValues(leaf);
  const cells = values.length === 0 && !isSwitch(id) ? [one("value", place, unlessMeant(id, leaf.path))] : [];
  for (const value of values) cells.push(one(`value:${value}`, place, unusable(id, leaf.path, value)));
  for (const { aspect, place: limit } of boundariesOf(id, leaf.path)) cells.push(one(aspect, limit));
  if (isFreeText(id, leaf.path)) cells.push(one("beyond-ascii", place, unlessAnyCharacter(id, leaf.path)));
  if (!leaf.isRequired) cells.push(one("absent", place, unlessKept(id, leaf.path)));
  else if (!parts.includes("path")) cells.push(one("missing", place, unlessRejected(id, leaf.path, true)));
  else if (listedValues(leaf).length === 0)
    cells.push(one("unknown", place, unlessRejectedAsUnknown(id, leaf.path)));
  const isTyped =
    leaf.schema["type"] !== undefined && (leaf.schema["type"] !== "string" || values.length > 0);
  if ((isTyped && !parts.includes("path")) || listedValues(leaf).length > 0)
    cells.push(one("wrong-type", place, unlessRejected(id, leaf.path, false)));
  return cells;
}

/** The services have cells of their own: one for each action. */
function isSwitch(id: OperationId): boolean {
  return id === "enableService" || id === "disableService";
}

/** Sets of a whole configuration, of which the interface does not say what they do with members that are not sent. */
const wholeSets: ReadonlySet<OperationId> = new Set([
  "setHttpServer",
  "setProvision",
  "setLog",
  "setEventConfiguration",
  "setUpgradeConfiguration",
  "setReboot",
]);

function unlessKept(id: OperationId, path: string): object {
  if (id === "resetToDefault" && path === "scopes")
    return notStated("the interface does not say what a reset without scopes resets");
  if (id === "updateEventKinds") return notStated("an event kind without its id is not named");
  return wholeSets.has(id) && path !== "now"
    ? notStated("the interface does not say what a set of the whole does with a member that is not sent")
    : {};
}

/** Values that a suite cannot send and see the effect of. */
function unusable(id: OperationId, path: string, value: string): object {
  const isFlag = operation(id).effect === "read-only" && ["event", "download", "onChanged"].includes(path);
  if (isFlag && value === "false") return notStated("the value is always true when the parameter is present");
  return unlessMeant(id, path);
}

/** Parameters whose effect the interface does not state. */
const withoutMeaning: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  setLog: ["disk"],
  updateUpgradeConfiguration: ["disks", "isSnapshotSupported"],
  setUpgradeConfiguration: ["disks", "isSnapshotSupported"],
  createUpgradeJob: ["at", "id"],
};

/** Names and passwords of accounts may be limited to some characters. */
function unlessAnyCharacter(id: OperationId, path: string): object {
  const isOfAccount = (id === "addUser" || id.endsWith("Role")) && path !== "description";
  return isOfAccount
    ? notStated("the interface does not say which characters a name or a password may have")
    : {};
}

function unlessMeant(id: OperationId, path: string): object {
  return withoutMeaning[id]?.includes(path) === true
    ? notStated("the interface names the parameter and does not say what it does")
    : {};
}

/** Parameters whose wrong values must be rejected, beside those of the refusals; `body`: every one of the body. */
const rejectedValues: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  exportConfiguration: ["action"],
  // Not httpEnable: a gateway that takes a wrong value for false would close the listener of the run.
  updateHttpServer: ["httpPort", "httpsEnable", "httpsPort"],
  setProvision: ["body"],
  setLog: ["body"],
  setReboot: ["at"],
  resetToDefault: ["mode", "scopes"],
  createRole: ["permissions"],
  updateRole: ["permissions"],
  operateApp: ["action"],
  updateUpgradeConfiguration: [
    "allowOverCellular",
    "enableClientAuth",
    "enableSnapshot",
    "retryCount",
    "retryInterval",
  ],
  createVirtualTag: ["dataSize"],
};
const rejectedWithout: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  signIn: ["name", "password"],
  createVirtualTag: ["prvdName", "srcName", "tagName", "dataType", "access"],
};
const rejectedNames: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  applyConfiguration: ["filename"],
  getApp: ["appname"],
  operateApp: ["appname"],
};

function isRefusal(id: OperationId, name: string, isMissing: boolean): boolean {
  return refusals.some((one) => one.operation === id && one.field === name && "value" in one !== isMissing);
}

/** The outcome of a wrong or missing value is determined where a requirement speaks of the parameter. */
function unlessRejected(id: OperationId, path: string, isMissing: boolean): object {
  if (id === "writeTag" && isMissing)
    return notStated("the interface does not say that a write needs a data type");
  const named = (isMissing ? rejectedWithout : rejectedValues)[id] ?? [];
  const isInBody = schemaLeaves(operation(id).json).some((leaf) => leaf.path === path);
  if (
    named.includes(path) ||
    (isInBody && named.includes("body")) ||
    isRefusal(id, lastName(path), isMissing)
  )
    return {};
  return notStated(
    isMissing
      ? "the interface states no outcome of a request without it"
      : "the interface states no outcome for a value of another type",
  );
}

function unlessRejectedAsUnknown(id: OperationId, path: string): object {
  return rejectedNames[id]?.includes(path) === true || isRefusal(id, path, false)
    ? {}
    : notStated("the interface states no outcome for a name that does not exist");
}

function pairCells(id: OperationId): Cell[] {
  const { group } = operation(id);
  const parameters = combinable(id);
  return parameters.flatMap((first, index) =>
    parameters.slice(index + 1).map((second) =>
      cell({
        kind: "param",
        subject: `${id}.${first.leaf.path}+${second.leaf.path}`,
        aspect: "together",
        group,
        operations: [id],
        place: `query of ${id}`,
        ...pairReason(id, first.leaf.path, second.leaf.path),
      }),
    ),
  );
}

function pairReason(id: OperationId, first: string, second: string): object {
  const pair = new Set([first, second]);
  const has = (...names: readonly string[]): boolean => names.every((name) => pair.has(name));
  const apart = "the interface does not say what the two mean together";
  if (id === "getEvents" && has("event", "download")) return notStated(apart);
  if (id === "getEvents" && (pair.has("event") || pair.has("download"))) {
    const filters = ["categories", "eventNames", "severities", "origins"];
    return filters.some((name) => pair.has(name)) ? {} : notStated(apart);
  }
  if (id === "monitorTags" && has("streamInterval", "onChanged")) return notStated(apart);
  if (id === "monitorTags" && pair.has("ms") && !pair.has("tags")) return notStated(apart);
  if (id === "exportConfiguration" && has("password", "select")) return {};
  return {};
}

export const parameterCells: readonly Cell[] = operationIds.flatMap((id) => [
  ...parametersOf(id).flatMap(cellsOf),
  ...pairCells(id),
]);
