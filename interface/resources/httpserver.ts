import Type, { type Static } from "typebox";

export const HttpServerConfiguration = Type.Object({
  httpEnable: Type.Boolean(),
  httpPort: Type.Integer(),
  httpsEnable: Type.Boolean(),
  httpsPort: Type.Integer(),
  certFileName: Type.String(),
  keyFileName: Type.String(),
});
export type HttpServerConfiguration = Static<typeof HttpServerConfiguration>;
