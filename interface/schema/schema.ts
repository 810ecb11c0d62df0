// The vocabulary that describes resources: JSON Schemas with a static type, whose fields name the requirement that
// a wrong or missing value violates.
import Type, { type TSchema } from "typebox";

/** Marks a field with the id of its requirement; a checker reports violations under that id. */
export function field<T extends TSchema>(requirement: string, schema: T): T {
  return { ...schema, requirement };
}

/** Date-time with an offset, valid in both ISO 8601 and RFC 3339 ("Conventions", third item). */
export const Timestamp = Type.String({ format: "rfc3339", description: "RFC 3339 date-time" });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The usual response: one object in `data` ("Conventions", second item). */
export const DataOf = <T extends TSchema>(schema: T) => Type.Object({ data: schema });

/** A list response: `data` and the number of its items in `count`. */
export const ListOf = <T extends TSchema>(schema: T) =>
  Type.Object({
    count: Type.Integer({ minimum: 0, requirement: "CORE-GENERAL-02" }),
    data: Type.Array(schema),
  });

/** A file in a multipart form. The schema stands for "any bytes"; only its presence can be checked. */
export const Binary = Type.Unsafe<Uint8Array>({
  type: "string",
  contentMediaType: "application/octet-stream",
});
