import Type, { type Static } from "typebox";
import { field } from "../schema/schema.ts";

const common = {
  device: field("CORE-LOG-01", Type.String()),
  mount: field("CORE-LOG-02", Type.String()),
  name: field("CORE-LOG-03", Type.String()),
  total: field("CORE-LOG-04", Type.Integer()),
  used: field("CORE-LOG-05", Type.Integer()),
  free: field("CORE-LOG-06", Type.Integer()),
  percent: field("CORE-LOG-07", Type.Number()),
  tags: field(
    "CORE-LOG-09",
    Type.Object({ free: Type.String(), percent: Type.String(), used: Type.String() }),
  ),
};

/** Disk entry of the log configuration. */
export const LogDisk = Type.Object(common);
/** Disk entry of the event and upgrade configurations, with `protect`. */
export const Disk = Type.Object({ ...common, protect: field("CORE-LOG-08", Type.Integer()) });
export type Disk = Static<typeof Disk>;
