// The messages of a labgrid coordinator: from objects to bytes, and from bytes to checked objects.
import { readFileSync } from "node:fs";
import protobuf from "protobufjs";
import Type, { type Static, type TSchema } from "typebox";
import { checker } from "../../interface/schema/validate.ts";

const Words = Type.Record(Type.String(), Type.String());
const MapValue = Type.Object({
  bool_value: Type.Optional(Type.Boolean()),
  int_value: Type.Optional(Type.Integer()),
  uint_value: Type.Optional(Type.Integer()),
  float_value: Type.Optional(Type.Number()),
  string_value: Type.Optional(Type.String()),
});
const Path = Type.Object({
  exporter_name: Type.String(),
  group_name: Type.String(),
  resource_name: Type.String(),
});

/** Something that an exporter offers: a serial port, a power port, an address. */
export const Resource = Type.Object({
  path: Path,
  cls: Type.String(),
  params: Type.Record(Type.String(), MapValue),
  extra: Type.Record(Type.String(), MapValue),
  avail: Type.Boolean(),
});
export type Resource = Static<typeof Resource>;

const ResourceMatch = Type.Object({
  exporter: Type.String(),
  group: Type.String(),
  cls: Type.String(),
  name: Type.String(),
  rename: Type.String(),
});
export type ResourceMatch = Static<typeof ResourceMatch>;

/** What a client acquires: some resources under one name. */
export const Place = Type.Object({
  name: Type.String(),
  tags: Words,
  matches: Type.Array(ResourceMatch),
  /** HOST/USER of the holder; empty while nobody has acquired it. */
  acquired: Type.String(),
  /** EXPORTER/GROUP/CLASS/NAME of each. */
  acquired_resources: Type.Array(Type.String()),
  /** Token of the reservation that the place was given to; empty without one. */
  reservation: Type.String(),
});
export type Place = Static<typeof Place>;

export const Update = Type.Object({
  sync: Type.Optional(Type.Union([Type.Object({ id: Type.Integer() }), Type.Null()])),
  updates: Type.Array(
    Type.Object({
      resource: Type.Optional(Resource),
      del_resource: Type.Optional(Path),
      place: Type.Optional(Place),
      del_place: Type.Optional(Type.String()),
    }),
  ),
});

export const ReservationAnswer = Type.Object({
  reservation: Type.Object({
    token: Type.String(),
    state: Type.Integer(),
    allocations: Words,
  }),
});
/** States of a reservation, by their number. */
export const reservationStates = ["waiting", "allocated", "acquired", "expired", "invalid"] as const;

const { root } = protobuf.parse(readFileSync(new URL("coordinator.proto", import.meta.url), "utf8"), {
  keepCase: true,
});

export function encoder(message: string): (value: object) => Buffer {
  const type = root.lookupType(`labgrid.${message}`);
  return (value) => Buffer.from(type.encode(type.fromObject(value)).finish());
}

/** Throws an Error that names the member which has another form. */
export function decoder<T extends TSchema>(message: string, schema: T): (bytes: Buffer) => Static<T> {
  const type = root.lookupType(`labgrid.${message}`);
  const problemsOf = checker(schema);
  return (bytes) => {
    const value = type.toObject(type.decode(bytes), {
      longs: Number,
      arrays: true,
      objects: true,
      defaults: true,
    });
    const [problem] = problemsOf(value);
    if (problem !== undefined)
      throw new Error(
        `labgrid ${message}: ${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
      );
    return value as Static<T>;
  };
}
