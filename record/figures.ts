// Figures of a run for its charts, small enough for `campaign.json`.
import Type, { type Static } from "typebox";

/** Distribution of measured values: percentiles, and a histogram without its empty classes. */
export const Distribution = Type.Object({
  name: Type.String(),
  unit: Type.String(),
  count: Type.Integer({ minimum: 0 }),
  min: Type.Number(),
  max: Type.Number(),
  /** A percentage, and the value that this share of the values does not exceed. */
  percentiles: Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
  /** Upper end of a class, and its number of values; classes are a tenth of a decade wide. */
  classes: Type.Array(Type.Tuple([Type.Number(), Type.Integer()])),
});
export type Distribution = Static<typeof Distribution>;

/** The result of one load: changes a second, clients, and missed changes. */
export const LoadTrial = Type.Object({
  clients: Type.Integer(),
  /** Changes a second at the field devices. */
  changesPerSec: Type.Number(),
  /** Values received by all clients together. */
  received: Type.Integer(),
  lost: Type.Integer(),
  repeated: Type.Integer(),
  disordered: Type.Integer(),
});
export type LoadTrial = Static<typeof LoadTrial>;

/** When the values of a stream with a fixed interval arrived. */
export const Cadence = Type.Object({
  name: Type.String(),
  intervalMs: Type.Number(),
  /** Milliseconds between each value and the one before. */
  gapsMs: Type.Array(Type.Number()),
});
export type Cadence = Static<typeof Cadence>;

/** The equipment around the gateway, as the campaign found it. */
export const RigInventory = Type.Object({
  /** What the rig controls: `power`, `reset`, `network`, `storage`, `clock`, `console`. */
  controls: Type.Array(Type.String()),
  devices: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String(),
      simulated: Type.Boolean(),
      address: Type.String(),
      points: Type.Integer(),
      /** Shortest and longest interval at which the gateway is set up to poll; absent without points. */
      pollIntervalsMs: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
    }),
  ),
  /** Missing parts of the rack, each with its reason. */
  missing: Type.Array(Type.String()),
});
export type RigInventory = Static<typeof RigInventory>;
