// A switch of a rack file: how power is given and taken, or a reset button pressed.
import Type from "typebox";

const Strict = { additionalProperties: false };
const Words = Type.Array(Type.String(), { minItems: 1 });
const Request = Type.Object(
  {
    url: Type.String({ pattern: "^https?://" }),
    method: Type.Optional(Type.Enum(["GET", "POST", "PUT"])),
    body: Type.Optional(Type.String()),
  },
  Strict,
);
const Hex = Type.String({ pattern: "^([0-9a-fA-F]{2})+$" });

export const PowerEntry = Type.Union([
  Type.Object(
    {
      driver: Type.Literal("command"),
      on: Words,
      off: Words,
      read: Type.Optional(Words),
      isOn: Type.Optional(Type.String()),
    },
    Strict,
  ),
  Type.Object(
    {
      driver: Type.Literal("modbus-coil"),
      host: Type.String({ minLength: 1 }),
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
      unit: Type.Integer({ minimum: 0, maximum: 255 }),
      coil: Type.Integer({ minimum: 0, maximum: 65_535 }),
    },
    Strict,
  ),
  Type.Object(
    {
      driver: Type.Literal("serial-relay"),
      path: Type.String({ minLength: 1 }),
      baudRate: Type.Integer({ minimum: 50 }),
      on: Hex,
      off: Hex,
    },
    Strict,
  ),
  Type.Object(
    {
      driver: Type.Literal("http"),
      on: Request,
      off: Request,
      read: Type.Optional(Request),
      isOn: Type.Optional(Type.String()),
    },
    Strict,
  ),
  Type.Object({ driver: Type.Literal("labgrid"), place: Type.String({ minLength: 1 }) }, Strict),
]);
