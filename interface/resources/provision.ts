import Type, { type Static } from "typebox";

export const ProvisionConfiguration = Type.Object({
  enable: Type.Boolean(),
  schedule: Type.Object({ enable: Type.Boolean(), disableAfterSec: Type.Integer() }),
});
export type ProvisionConfiguration = Static<typeof ProvisionConfiguration>;
