import Type, { type Static } from "typebox";
import { field } from "../schema/schema.ts";

export const HttpServerConfiguration = Type.Object({
  httpEnable: field("CORE-HTTP-01", Type.Boolean()),
  httpPort: field("CORE-HTTP-02", Type.Integer()),
  httpsEnable: field("CORE-HTTP-03", Type.Boolean()),
  httpsPort: field("CORE-HTTP-04", Type.Integer()),
  certFileName: field("CORE-HTTP-05", Type.String()),
  keyFileName: field("CORE-HTTP-06", Type.String()),
});
export type HttpServerConfiguration = Static<typeof HttpServerConfiguration>;
