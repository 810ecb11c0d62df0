// A rack file: the gateways of a lab by name, where each is, what it declares, and what is wired to it.
import { embeddedKinds } from "../../interface/vocabulary/gatewayKinds.ts";
import { dirname, resolve } from "node:path";
import Type, { type Static } from "typebox";
import { checkDocument, readDocument } from "../document/document.ts";
import { UsageError } from "../../record/index.ts";
import { FieldEntry, pointsOf } from "./fieldEntries.ts";
import { switchProblem, SwitchSettings } from "../../rigs/index.ts";

const Strict = { additionalProperties: false };
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

/** Labels by which a fleet selects the gateway. */
const Labels = Type.Optional(Type.Record(Type.String(), Type.String()));

const RemoteEntry = Type.Object(
  {
    kind: Type.Optional(Type.Literal("remote")),
    url: Type.String({ pattern: "^https?://" }),
    /** Path of the profile, relative to the rack file. */
    profile: Type.String({ minLength: 1 }),
    /** `/dev/ttyUSB0@115200`, `unix:PATH`, `tcp:HOST:PORT` or `rfc2217:HOST:PORT`. */
    console: Type.Optional(Type.String({ minLength: 1 })),
    /** Who signs in on the console while the gateway boots, where that is required. */
    login: Type.Optional(
      Type.Object(
        { user: Type.String({ minLength: 1 }), passwordEnvironment: Type.String({ minLength: 1 }) },
        Strict,
      ),
    ),
    power: Type.Optional(SwitchSettings),
    reset: Type.Optional(SwitchSettings),
    /** Address under which the gateway reaches this machine. */
    hostAddress: Type.Optional(Type.String({ minLength: 1 })),
    field: Type.Optional(Type.Array(FieldEntry)),
    labels: Labels,
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
type RemoteEntry = Static<typeof RemoteEntry>;

/** The reference gateway, started for each run: to try a rack, or as a known good gateway. */
const EmbeddedEntry = Type.Object(
  {
    kind: Type.Enum([...embeddedKinds]),
    /** Path of the profile, relative to the rack file; default that of the reference gateway. */
    profile: Type.Optional(Type.String({ minLength: 1 })),
    /** `embedded`: with the field devices of the embedded rack; else with none. */
    field: Type.Optional(Type.Literal("embedded")),
    /** A fault to inject, from `rackproof list faults`. */
    fault: Type.Optional(Type.String({ minLength: 1 })),
    /** More options of the reference gateway; kind process only. */
    options: Type.Optional(Type.Array(Type.String())),
    labels: Labels,
  },
  Strict,
);
type EmbeddedEntry = Static<typeof EmbeddedEntry>;

const Sketch = Type.Object(
  { gateways: Type.Record(Type.String(), Type.Object({ kind: Type.Optional(Type.Unknown()) })) },
  Strict,
);

/** A gateway that runs already, with the equipment wired to it. */
export interface RemoteRackGateway extends Omit<RemoteEntry, "profile" | "kind"> {
  readonly kind: "remote";
  readonly name: string;
  readonly profileFile: string;
}

/** A gateway that is started for each run. */
export interface EmbeddedRackGateway extends Omit<EmbeddedEntry, "profile"> {
  readonly name: string;
  readonly profileFile?: string;
}

/** One gateway of a rack. */
export type RackGateway = RemoteRackGateway | EmbeddedRackGateway;

/** All gateways of a rack file; throws a UsageError with line and field. */
export async function readRack(file: string): Promise<RackGateway[]> {
  return parseRack(await readDocument("rack", file), file);
}

/** Finds a gateway by its name; throws a UsageError with line and field, or with the known names. */
export async function findInRack(file: string, name: string): Promise<RackGateway> {
  return find(await readRack(file), file, name);
}

export function parseRack(text: string, file: string): RackGateway[] {
  const sketch = checkDocument("rack", text, file, Sketch).value;
  // One schema for each gateway, by its kind: a mistake is reported at its place, not as a choice of two.
  const gateways = Object.entries(sketch.gateways).map(
    ([name, { kind }]) =>
      [name, kind === undefined || kind === "remote" ? RemoteEntry : EmbeddedEntry] as const,
  );
  const schema = Type.Object({ gateways: Type.Object(Object.fromEntries(gateways), Strict) }, Strict);
  const { value, fail } = checkDocument("rack", text, file, schema);
  const path = (profile: string): string => resolve(dirname(file), profile);
  return Object.entries(value.gateways).map(([name, entry]): RackGateway => {
    const pointer = `/gateways/${name}`;
    if (isEmbedded(entry)) {
      const { profile, ...rest } = entry;
      if (rest.options !== undefined && rest.kind !== "process")
        fail(`${pointer}/options`, `${name}: only a gateway of kind process takes options`);
      return { ...rest, name, ...(profile === undefined ? {} : { profileFile: path(profile) }) };
    }
    for (const part of ["power", "reset"] as const) {
      const settings = entry[part];
      const problem = settings === undefined ? undefined : switchProblem(settings);
      if (problem !== undefined) fail(`${pointer}/${part}`, `${name}: ${problem}`);
    }
    checkField(entry, pointer, fail);
    const { profile, kind: _kind, ...rest } = entry;
    return { ...rest, kind: "remote", name, profileFile: path(profile) };
  });
}

function isEmbedded(entry: RemoteEntry | EmbeddedEntry): entry is EmbeddedEntry {
  return entry.kind !== undefined && entry.kind !== "remote";
}

function checkField(
  entry: RemoteEntry,
  pointer: string,
  fail: (pointer: string, message: string) => never,
): void {
  for (const [index, device] of (entry.field ?? []).entries()) {
    const place = `${pointer}/field/${index}`;
    if (device.kind === "modbus-tcp" && device.listen !== undefined && device.device !== undefined)
      fail(
        place,
        `${device.name}: expected listen for a simulated device or device for a real one, found both`,
      );
    const pollers = Object.keys(device.polledBy ?? { service: "" });
    if (pollers.length !== 1)
      fail(
        `${place}/polledBy`,
        `${device.name}: expected service or app, found ${pollers.join(" and ") || "neither"}`,
      );
    try {
      pointsOf(device);
    } catch (thrown) {
      fail(place, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
}

export function find(gateways: readonly RackGateway[], file: string, name: string): RackGateway {
  const found = gateways.find((one) => one.name === name);
  if (found === undefined) {
    throw new UsageError(
      "RACK_GATEWAY",
      `rack ${file}: no gateway ${name}; found ${gateways.map((one) => one.name).join(", ") || "none"}`,
    );
  }
  return found;
}
