import Type, { type Static } from "typebox";

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
export const tagAccesses = ["r", "w", "rw"] as const;
export type TagAccess = (typeof tagAccesses)[number];

export const maxTagNameLength = 1024;
export const maxTagUnitLength = 16;
export const maxTagDataSize = 4_294_967_295;

const TagDataTypeName = Type.Enum([...tagDataTypes]);
const TagAccessName = Type.Enum([...tagAccesses]);

export const Tag = Type.Object({
  prvdName: Type.String(),
  srcName: Type.String(),
  tagName: Type.String(),
  dataType: TagDataTypeName,
  dataSize: Type.Integer({ minimum: 0, maximum: maxTagDataSize }),
  dataUnit: Type.String({ maxLength: maxTagUnitLength }),
  access: TagAccessName,
});
export type Tag = Static<typeof Tag>;

/** One value of a monitor answer or a stream. `dataValue` keeps 64-bit integers as bigint once parsed. */
export const MonitoredValue = Type.Object({
  prvdName: Type.String(),
  srcName: Type.String(),
  tagName: Type.String(),
  dataType: TagDataTypeName,
  dataValue: Type.Any(),
  dataUnit: Type.String(),
  ts: Type.Integer({ description: "milliseconds since the epoch" }),
});
export type MonitoredValue = Static<typeof MonitoredValue>;

/** What a direct read answers, without a `data` member around it. */
export const DirectRead = Type.Object({
  prvdName: Type.String(),
  srcName: Type.String(),
  tagName: Type.String(),
  timestamp: Type.String({ pattern: "^[0-9]+$", description: "milliseconds since the epoch" }),
  dataType: TagDataTypeName,
  dataValue: Type.Any(),
});
export type DirectRead = Static<typeof DirectRead>;

/** The body of create and update virtual tag. */
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
