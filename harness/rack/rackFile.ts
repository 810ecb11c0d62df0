// A rack file: the gateways of a lab by name, where each is, what it declares, and what is wired to it.
import { dirname, resolve } from "node:path";
import Type, { type Static } from "typebox";
import { checkDocument, readDocument } from "../document/document.ts";
import { UsageError } from "../errors.ts";
import { FieldEntry, pointsOf } from "./fieldEntries.ts";
import { PowerEntry } from "./powerEntry.ts";

const Strict = { additionalProperties: false };
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

const GatewayEntry = Type.Object(
  {
    url: Type.String({ pattern: "^https?://" }),
    /** Path of the profile, relative to the rack file. */
    profile: Type.String({ minLength: 1 }),
    /** `/dev/ttyUSB0@115200`, `unix:PATH`, `tcp:HOST:PORT` or `rfc2217:HOST:PORT`. */
    console: Type.Optional(Type.String({ minLength: 1 })),
    /** Who signs in on the console while the gateway boots, where somebody must. */
    login: Type.Optional(
      Type.Object(
        { user: Type.String({ minLength: 1 }), passwordEnvironment: Type.String({ minLength: 1 }) },
        Strict,
      ),
    ),
    power: Type.Optional(PowerEntry),
    reset: Type.Optional(PowerEntry),
    /** Under which the gateway reaches this machine. */
    hostAddress: Type.Optional(Type.String({ minLength: 1 })),
    field: Type.Optional(Type.Array(FieldEntry)),
    /** What the gateway itself serves to the plant. */
    servers: Type.Optional(
      Type.Object(
        {
          modbusSlave: Type.Optional(
            Type.Object(
              { host: Type.String(), port: Port, unitId: Type.Integer({ minimum: 0, maximum: 255 }) },
              Strict,
            ),
          ),
          opcua: Type.Optional(Type.String({ pattern: "^opc\\.tcp://" })),
        },
        Strict,
      ),
    ),
  },
  Strict,
);
type GatewayEntry = Static<typeof GatewayEntry>;

const RackDocument = Type.Object({ gateways: Type.Record(Type.String(), GatewayEntry) }, Strict);

/** One gateway of a rack. */
export interface RackGateway extends Omit<GatewayEntry, "profile"> {
  readonly name: string;
  readonly profileFile: string;
}

/** All gateways of a rack file; throws a UsageError with line and field. */
export async function readRack(file: string): Promise<RackGateway[]> {
  return parseRack(await readDocument("rack", file), file);
}

/** Finds a gateway by its name; throws a UsageError with line and field, or with the names there are. */
export async function findInRack(file: string, name: string): Promise<RackGateway> {
  return find(await readRack(file), file, name);
}

export function parseRack(text: string, file: string): RackGateway[] {
  const { value, fail } = checkDocument("rack", text, file, RackDocument);
  return Object.entries(value.gateways).map(([name, { profile, ...entry }]) => {
    for (const [index, device] of (entry.field ?? []).entries()) {
      const pointer = `/gateways/${name}/field/${index}`;
      if (device.kind === "modbus-tcp" && device.listen !== undefined && device.device !== undefined)
        fail(
          pointer,
          `${device.name}: expected listen for a simulated device or device for a real one, found both`,
        );
      try {
        pointsOf(device);
      } catch (thrown) {
        fail(pointer, thrown instanceof Error ? thrown.message : String(thrown));
      }
    }
    return { ...entry, name, profileFile: resolve(dirname(file), profile) };
  });
}

export function find(gateways: readonly RackGateway[], file: string, name: string): RackGateway {
  const found = gateways.find((one) => one.name === name);
  if (found === undefined) {
    throw new UsageError(
      "RACK_GATEWAY",
      `rack ${file}: no gateway ${name}; there are ${gateways.map((one) => one.name).join(", ") || "none"}`,
    );
  }
  return found;
}
