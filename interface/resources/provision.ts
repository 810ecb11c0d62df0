import Type, { type Static } from "typebox";
import { field } from "../schema/schema.ts";

export const ProvisionConfiguration = Type.Object({
  enable: field("CORE-PROVISION-01", Type.Boolean()),
  schedule: Type.Object({
    enable: field("CORE-PROVISION-02", Type.Boolean()),
    disableAfterSec: field("CORE-PROVISION-03", Type.Integer()),
  }),
});
export type ProvisionConfiguration = Static<typeof ProvisionConfiguration>;
