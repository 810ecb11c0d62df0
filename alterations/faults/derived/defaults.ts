// Faults of defaults: a parameter that is absent has another value than stated.
import type { OperationId } from "../../../interface/operations/index.ts";
import type { Fault } from "../../mechanism/fault.ts";
import { derived } from "./derivedFault.ts";

interface Default {
  readonly operation: OperationId;
  readonly part: "query" | "body";
  readonly name: string;
  readonly others: readonly unknown[];
  readonly requirement: string;
  readonly also?: readonly string[];
}

const defaults: readonly Default[] = [
  {
    operation: "getEvents",
    part: "query",
    name: "limit",
    others: [10, 20, 1000],
    requirement: "CORE-EVENT-11",
  },
  { operation: "getEvents", part: "query", name: "offset", others: [1], requirement: "CORE-EVENT-12" },
  {
    operation: "getEvents",
    part: "query",
    name: "order",
    others: ["category", "eventName"],
    requirement: "CORE-EVENT-16",
  },
  { operation: "getEvents", part: "query", name: "sort", others: ["asc"], requirement: "CORE-EVENT-17" },
  {
    operation: "exportConfiguration",
    part: "query",
    name: "encryption",
    others: [false],
    requirement: "CORE-CONFIG-19",
  },
  {
    operation: "uploadConfiguration",
    part: "body",
    name: "encryption",
    others: [false],
    requirement: "CORE-CONFIG-38",
    also: ["CORE-CONFIG-21"],
  },
  {
    operation: "uploadConfiguration",
    part: "body",
    name: "apply",
    others: [true],
    requirement: "CORE-CONFIG-26",
  },
  {
    operation: "resetToDefault",
    part: "query",
    name: "mode",
    others: ["factory"],
    requirement: "CORE-REBOOT-34",
  },
  { operation: "resetToDefault", part: "query", name: "sync", others: [true], requirement: "CORE-REBOOT-30" },
  {
    operation: "createEvent",
    part: "body",
    name: "severity",
    others: ["warning", "alert"],
    requirement: "CORE-EVENT-35",
  },
  {
    operation: "createUpgradeJob",
    part: "body",
    name: "deleteFileAfterInstallComplete",
    others: [false],
    requirement: "CORE-UPGRADE-52",
  },
  {
    operation: "createUpgradeJob",
    part: "body",
    name: "snapshot",
    others: [true, false],
    requirement: "CORE-UPGRADE-53",
  },
];

export const defaultFaults: readonly Fault[] = defaults.flatMap(
  ({ operation, part, name, others, requirement, also }) =>
    others.map((other) =>
      derived({
        operator: "default-is-another",
        place: `${operation}.${name}-${String(other)}`,
        requirement,
        also: also ?? [],
        what: `\`${name}\` of ${operation} defaults to ${String(other)}.`,
        install: (at) => at[part](operation, (inputs) => ({ ...inputs, [name]: inputs[name] ?? other })),
      }),
    ),
);
