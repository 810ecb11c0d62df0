import Type, { type Static } from "typebox";

const common = {
  device: Type.String(),
  mount: Type.String(),
  name: Type.String(),
  total: Type.Integer(),
  used: Type.Integer(),
  free: Type.Integer(),
  percent: Type.Number(),
  tags: Type.Object({ free: Type.String(), percent: Type.String(), used: Type.String() }),
};

/** A disk as the log configuration lists it. */
export const LogDisk = Type.Object(common);
/** A disk as the event and upgrade configurations list it: with `protect`. */
export const Disk = Type.Object({ ...common, protect: Type.Integer() });
export type Disk = Static<typeof Disk>;
