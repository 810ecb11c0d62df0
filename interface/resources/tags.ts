import Type, { type Static } from "typebox";
import { field } from "../schema/schema.ts";

export const tagDataTypes = [
  "uint8",
  "uint16",
  "uint32",
  "uint64",
  "int8",
  "int16",
  "int32",
  "int64",
  "float",
  "double",
  "string",
  "boolean",
  "raw",
] as const;
export type TagDataType = (typeof tagDataTypes)[number];
const tagAccesses = ["r", "w", "rw"] as const;

export const maxTagNameLength = 1024;
export const maxTagUnitLength = 16;
export const maxTagDataSize = 4_294_967_295;

const TagDataTypeName = Type.Enum([...tagDataTypes]);
const TagAccessName = Type.Enum([...tagAccesses]);

export const Tag = Type.Object({
  prvdName: field("CORE-TAG-01", Type.String()),
  srcName: field("CORE-TAG-02", Type.String()),
  tagName: field("CORE-TAG-03", Type.String()),
  dataType: field("CORE-TAG-04", TagDataTypeName),
  dataSize: field("CORE-TAG-05", Type.Integer({ minimum: 0, maximum: maxTagDataSize })),
  dataUnit: field("CORE-TAG-06", Type.String({ maxLength: maxTagUnitLength })),
  access: field("CORE-TAG-07", TagAccessName),
});
export type Tag = Static<typeof Tag>;

/** One value of a monitor response or a stream. A parsed `dataValue` holds 64-bit integers as bigint. */
export const MonitoredValue = Type.Object({
  prvdName: field("CORE-TAG-08", Type.String()),
  srcName: field("CORE-TAG-09", Type.String()),
  tagName: field("CORE-TAG-10", Type.String()),
  dataType: field("CORE-TAG-11", TagDataTypeName),
  dataValue: field("CORE-TAG-12", Type.Any()),
  dataUnit: field("CORE-TAG-13", Type.String()),
  ts: field("CORE-TAG-14", Type.Integer({ description: "milliseconds since the epoch" })),
});
export type MonitoredValue = Static<typeof MonitoredValue>;

/** A direct read result inside a `data` wrapper, which other responses have and this one must not have. */
const wrapped = {
  type: "object",
  required: ["data"],
  properties: { data: { type: "object", required: ["dataValue"] } },
};

/** Direct read result, without a `data` wrapper. */
export const DirectRead = Type.Object(
  {
    prvdName: field("CORE-TAG-15", Type.String()),
    srcName: field("CORE-TAG-16", Type.String()),
    tagName: field("CORE-TAG-17", Type.String()),
    timestamp: field(
      "CORE-TAG-18",
      Type.String({ pattern: "^[0-9]+$", description: "milliseconds since the epoch" }),
    ),
    dataType: field("CORE-TAG-19", TagDataTypeName),
    dataValue: field("CORE-TAG-20", Type.Any()),
  },
  { not: wrapped },
);
export type DirectRead = Static<typeof DirectRead>;

/** Body of `Create virtual tag` and `Update virtual tag`. */
export const VirtualTagInput = Type.Object({
  prvdName: Type.String({ maxLength: maxTagNameLength }),
  srcName: Type.String({ maxLength: maxTagNameLength }),
  tagName: Type.String({ maxLength: maxTagNameLength }),
  dataType: TagDataTypeName,
  access: TagAccessName,
  dataSize: Type.Optional(Type.Integer({ minimum: 0, maximum: maxTagDataSize })),
  dataUnit: Type.Optional(Type.String({ maxLength: maxTagUnitLength })),
});
export type VirtualTagInput = Static<typeof VirtualTagInput>;

export const VirtualTagName = Type.Object({
  prvdName: Type.String(),
  srcName: Type.String(),
  tagName: Type.String(),
});
