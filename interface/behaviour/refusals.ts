// Requests that a gateway must reject: a valid request with one wrong value, and the requirement that states it.
import { maxTagDataSize, maxTagNameLength, maxTagUnitLength } from "../resources/tags.ts";
import { minPasswordLength } from "../resources/users.ts";
import type { OperationId } from "../operations/index.ts";

export interface Refusal {
  readonly operation: OperationId;
  readonly requirement: string;
  /** Part of the request that holds the wrong value. */
  readonly part: "path" | "query" | "json";
  readonly field: string;
  /** Absent: the field is omitted. */
  readonly value?: unknown;
}

const json = (
  operation: OperationId,
  requirement: string,
  field: string,
  ...value: readonly unknown[]
): Refusal => ({
  operation,
  requirement,
  part: "json",
  field,
  ...(value.length === 0 ? {} : { value: value[0] }),
});
const tooLong = "n".repeat(maxTagNameLength + 1);
const nobodysId = 987_654_321;

export const refusals: readonly Refusal[] = [
  json("createRole", "CORE-ROLE-22", "name"),
  json("createRole", "CORE-ROLE-23", "permissions"),
  json("updateRole", "CORE-ROLE-30", "name"),
  json("updateRole", "CORE-ROLE-31", "permissions"),
  { operation: "getRole", requirement: "CORE-ROLE-25", part: "path", field: "id", value: nobodysId },
  { operation: "updateRole", requirement: "CORE-ROLE-32", part: "path", field: "id", value: nobodysId },
  json("addUser", "CORE-USER-24", "name"),
  json("addUser", "CORE-USER-25", "password"),
  json("addUser", "CORE-USER-26", "isActive"),
  json("addUser", "CORE-USER-27", "expiredAfter"),
  json("addUser", "CORE-USER-28", "roles"),
  json("addUser", "CORE-USER-29", "password", "x".repeat(minPasswordLength - 1)),
  { operation: "getUser", requirement: "CORE-USER-33", part: "path", field: "id", value: nobodysId },
  { operation: "updateUser", requirement: "CORE-USER-40", part: "path", field: "id", value: nobodysId },
  json("createEvent", "CORE-EVENT-38", "category"),
  json("createEvent", "CORE-EVENT-38", "event"),
  json("createEvent", "CORE-EVENT-38", "origin"),
  json("createEvent", "CORE-EVENT-39", "severity", "fatal"),
  { operation: "getEvents", requirement: "CORE-EVENT-30", part: "query", field: "order", value: "size" },
  { operation: "getEvents", requirement: "CORE-EVENT-30", part: "query", field: "sort", value: "up" },
  json("setEventConfiguration", "CORE-EVENT-53", "reachThresholdPolicy", "explode"),
  json("setLog", "CORE-LOG-26", "enable", "perhaps"),
  json("setProvision", "CORE-PROVISION-12", "enable", "perhaps"),
  json("updateUpgradeConfiguration", "CORE-UPGRADE-21", "retryCount", "many"),
  {
    operation: "enableService",
    requirement: "CORE-SERVICE-18",
    part: "path",
    field: "id",
    value: "nosuchservice",
  },
  {
    operation: "disableService",
    requirement: "CORE-SERVICE-19",
    part: "path",
    field: "id",
    value: "nosuchservice",
  },
  {
    operation: "operateUpgradeJob",
    requirement: "CORE-UPGRADE-61",
    part: "path",
    field: "action",
    value: "explode",
  },
  { operation: "getUpgradeJob", requirement: "CORE-UPGRADE-62", part: "path", field: "id", value: nobodysId },
  json("createVirtualTag", "CORE-TAG-40", "tagName", tooLong),
  json("createVirtualTag", "CORE-TAG-42", "dataUnit", "u".repeat(maxTagUnitLength + 1)),
  json("createVirtualTag", "CORE-TAG-44", "dataSize", maxTagDataSize + 1),
  json("createVirtualTag", "CORE-TAG-44", "dataSize", -1),
  json("createVirtualTag", "CORE-TAG-45", "dataType", "uint128"),
  json("createVirtualTag", "CORE-TAG-46", "access", "x"),
  json("createVirtualTag", "CORE-TAG-47", "access"),
  json("writeTag", "CORE-TAG-36", "dataType", "uint128"),
];
