// Group 13 of "Endpoints": the tag service.
import Type from "typebox";
import {
  DirectRead,
  MonitoredValue,
  Tag,
  tagDataTypes,
  VirtualTagInput,
  VirtualTagName,
} from "../resources/tags.ts";
import { DataOf, field } from "../schema/schema.ts";
import type { OperationDefinition } from "./operation.ts";

const tagPath = Type.Object({ provider: Type.String(), source: Type.String(), tag: Type.String() });

export const tagOperations = {
  listTags: {
    group: "tags",
    purpose: "List the tags",
    query: Type.Object({ provider: Type.Optional(Type.String()) }),
    answer: field("CORE-TAG-21", Type.Object({ data: Type.Array(Tag) })),
    effect: "read-only",
  },
  monitorTags: {
    group: "tags",
    purpose: "Get monitored tag values: current, historical or as a stream",
    path: Type.Object({ provider: Type.String(), source: Type.String() }),
    query: Type.Object({
      tags: Type.Optional(Type.String()),
      ms: Type.Optional(Type.Integer()),
      streamInterval: Type.Optional(Type.Integer()),
      compute: Type.Optional(Type.Enum(["diff"])),
      onChanged: Type.Optional(Type.Boolean()),
    }),
    // The published schema has an array, its example a single object; both are accepted.
    answer: field("CORE-TAG-22", DataOf(Type.Union([Type.Array(MonitoredValue), MonitoredValue]))),
    effect: "read-only",
  },
  readTag: {
    group: "tags",
    purpose: "Read a tag directly",
    path: tagPath,
    answer: field("CORE-TAG-23", DirectRead),
    effect: "read-only",
  },
  writeTag: {
    group: "tags",
    purpose: "Write a tag directly",
    path: tagPath,
    json: Type.Object({ dataType: Type.Enum([...tagDataTypes]), dataValue: Type.Any() }),
    effect: "reversible",
  },
  createVirtualTag: {
    group: "tags",
    purpose: "Create a virtual tag",
    json: VirtualTagInput,
    answer: field("CORE-TAG-24", DataOf(Tag)),
    effect: "reversible",
  },
  updateVirtualTag: {
    group: "tags",
    purpose: "Update a virtual tag",
    json: VirtualTagInput,
    answer: field("CORE-TAG-25", DataOf(Tag)),
    effect: "reversible",
  },
  deleteVirtualTag: {
    group: "tags",
    purpose: "Delete a virtual tag",
    json: VirtualTagName,
    answer: field("CORE-TAG-26", Type.Object({ data: Type.Array(Tag) })),
    effect: "reversible",
  },
} as const satisfies Record<string, OperationDefinition>;
