import type { FieldDevice, FieldPoint } from "../../rigs/index.ts";

const counting: ReadonlySet<string> = new Set([
  "uint16",
  "uint32",
  "uint64",
  "int16",
  "int32",
  "int64",
  "double",
]);

/** Readable integer points of at least 16 bits. */
export function countersOf({ points }: FieldDevice): FieldPoint[] {
  return points.filter(
    ({ access, dataType, at }) =>
      access !== "w" &&
      counting.has(dataType) &&
      dataType !== "double" &&
      (at.kind === "opcua" || at.table === "holding-registers" || at.table === "input-registers"),
  );
}
