// A rack file: the gateways of a lab by name, where each is, what it declares, and what is wired to it.
import { architectureNames, embeddedKinds } from "../../interface/vocabulary/gatewayKinds.ts";
import { dirname, resolve } from "node:path";
import Type, { type Static } from "typebox";
import { checkDocument, readDocument } from "../document/document.ts";
import { UsageError } from "../../record/index.ts";
import { FieldEntry, pointsOf } from "./fieldEntries.ts";
import { isPlaceConsole } from "./consoleSource.ts";
import { networkProblem, NetworkSettings, switchProblem, SwitchSettings } from "../../rigs/index.ts";

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
    /** A place of labgrid that is acquired for the time of a run. */
    labgrid: Type.Optional(
      Type.Object(
        {
          coordinator: Type.String({ pattern: "^[^/@\\s]+:\\d+$" }),
          place: Type.Optional(Type.String({ minLength: 1 })),
          /** Every place with these tags is a gateway of its own, in place of this entry. */
          tags: Type.Optional(Type.Record(Type.String(), Type.String())),
          /** How long a run waits in the coordinator's queue; default not at all. */
          waitMin: Type.Optional(Type.Number({ minimum: 0 })),
        },
        Strict,
      ),
    ),
    /** `/dev/ttyUSB0@115200`, `unix:PATH`, `tcp:HOST:PORT`, `rfc2217:HOST:PORT@9600` or `labgrid:NAME@9600`. */
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
    network: Type.Optional(NetworkSettings),
    /** Address under which the gateway reaches this machine. */
    hostAddress: Type.Optional(Type.String({ minLength: 1 })),
    field: Type.Optional(Type.Array(FieldEntry)),
    /** `HOST:PORT` where the run serves the time that the gateway follows. */
    timeServer: Type.Optional(Type.String({ pattern: "^[^:]+:\\d+$" })),
    labels: Labels,
    /** Puts a firmware on the gateway, for the search for the cause of a failure. */
    install: Type.Optional(
      Type.Object(
        {
          /** Program and words, without a shell; `{firmware}` is the version. */
          command: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
          withinSec: Type.Optional(Type.Integer({ minimum: 1, maximum: 7200 })),
        },
        Strict,
      ),
    ),
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
    /** `embedded`: the gateway follows a time server of the run; kind process only. */
    timeServer: Type.Optional(Type.Literal("embedded")),
    /** A fault to inject, from `rackproof list faults`. */
    fault: Type.Optional(Type.String({ minLength: 1 })),
    /** How the line to it is impaired, as `--line`; kinds process and qemu only. */
    line: Type.Optional(Type.String({ minLength: 1 })),
    /** Processor of the emulated machine; kind qemu only. */
    arch: Type.Optional(Type.Enum([...architectureNames])),
    /** More options of the reference gateway; kind process only. */
    options: Type.Optional(Type.Array(Type.String())),
    labels: Labels,
  },
  Strict,
);
type EmbeddedEntry = Static<typeof EmbeddedEntry>;

/** Other releases of rackproof on this machine: program and first words of each. */
const Suites = Type.Optional(
  Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
);

const Sketch = Type.Object(
  {
    gateways: Type.Record(Type.String(), Type.Object({ kind: Type.Optional(Type.Unknown()) })),
    suites: Suites,
  },
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

/** Other releases of rackproof that a rack file names, by version. */
export async function readSuites(file: string): Promise<Readonly<Record<string, readonly string[]>>> {
  return checkDocument("rack", await readDocument("rack", file), file, Sketch).value.suites ?? {};
}

export function parseRack(text: string, file: string): RackGateway[] {
  const sketch = checkDocument("rack", text, file, Sketch).value;
  // One schema for each gateway, by its kind: a mistake is reported at its place, not as a choice of two.
  const gateways = Object.entries(sketch.gateways).map(
    ([name, { kind }]) =>
      [name, kind === undefined || kind === "remote" ? RemoteEntry : EmbeddedEntry] as const,
  );
  const schema = Type.Object(
    { gateways: Type.Object(Object.fromEntries(gateways), Strict), suites: Suites },
    Strict,
  );
  const { value, fail } = checkDocument("rack", text, file, schema);
  const path = (profile: string): string => resolve(dirname(file), profile);
  return Object.entries(value.gateways).map(([name, entry]): RackGateway => {
    const pointer = `/gateways/${name}`;
    if (isEmbedded(entry)) {
      const { profile, ...rest } = entry;
      if (rest.options !== undefined && rest.kind !== "process")
        fail(`${pointer}/options`, `${name}: only a gateway of kind process takes options`);
      if (rest.arch !== undefined && rest.kind !== "qemu")
        fail(`${pointer}/arch`, `${name}: only a gateway of kind qemu has a choice of processor`);
      return { ...rest, name, ...(profile === undefined ? {} : { profileFile: path(profile) }) };
    }
    if (
      entry.labgrid !== undefined &&
      (entry.labgrid.place === undefined) === (entry.labgrid.tags === undefined)
    )
      fail(`${pointer}/labgrid`, `${name}: expected either place or tags`);
    if (entry.labgrid === undefined && isPlaceConsole(entry.console))
      fail(`${pointer}/console`, `${name}: expected labgrid: with the place of the console, found none`);
    for (const part of ["power", "reset"] as const) {
      const settings = entry[part];
      if (settings?.driver === "labgrid" && settings.place === undefined && entry.labgrid === undefined)
        fail(`${pointer}/${part}`, `${name}: expected a place, here or in labgrid:, found none`);
      const problem = settings === undefined ? undefined : switchProblem(settings);
      if (problem !== undefined) fail(`${pointer}/${part}`, `${name}: ${problem}`);
    }
    if (entry.install?.command.every((word) => !word.includes("{firmware}")) === true)
      fail(`${pointer}/install/command`, `${name}: expected {firmware} in a word, found none`);
    const problem = entry.network === undefined ? undefined : networkProblem(entry.network);
    if (problem !== undefined) fail(`${pointer}/network`, `${name}: ${problem}`);
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
