// The section modbusmaster/general: which devices are polled, over which wires, and what is read from them.
import Type, { type Static } from "typebox";
import { type TagDataType, tagDataTypes } from "../../../interface/resources/tags.ts";
import { checker } from "../../../interface/schema/validate.ts";
import { badInput } from "../../base/refusal.ts";
import { registersOf } from "./registers.ts";

const Strict = { additionalProperties: false };
const Name = Type.String({ minLength: 1, maxLength: 1024 });

const Tcp = Type.Object(
  {
    kind: Type.Literal("tcp"),
    host: Type.String({ minLength: 1 }),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  },
  Strict,
);
const Serial = Type.Object(
  {
    kind: Type.Literal("serial"),
    port: Type.String({ minLength: 1 }),
    baudRate: Type.Integer({ minimum: 50, maximum: 4_000_000 }),
    parity: Type.Optional(Type.Enum(["none", "even", "odd"])),
    dataBits: Type.Optional(Type.Integer({ minimum: 7, maximum: 8 })),
    stopBits: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
  },
  Strict,
);

const Command = Type.Object(
  {
    name: Name,
    table: Type.Enum(["coils", "discrete-inputs", "input-registers", "holding-registers"]),
    address: Type.Integer({ minimum: 0, maximum: 65_535 }),
    /** Coils or registers; only texts and raw bytes need it said. */
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 123 })),
    dataType: Type.Unsafe<TagDataType>(Type.Enum([...tagDataTypes])),
    order: Type.Optional(Type.Enum(["ABCD", "CDAB", "BADC", "DCBA"])),
    access: Type.Optional(Type.Enum(["r", "w", "rw"])),
    dataUnit: Type.Optional(Type.String({ maxLength: 16 })),
    pollIntervalMs: Type.Integer({ minimum: 10, maximum: 86_400_000 }),
  },
  Strict,
);

const Device = Type.Object(
  {
    name: Name,
    enable: Type.Optional(Type.Boolean()),
    transport: Type.Union([Tcp, Serial]),
    unitId: Type.Integer({ minimum: 0, maximum: 255 }),
    /** How long an answer may take. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 10, maximum: 60_000 })),
    commands: Type.Array(Command, { maxItems: 2048 }),
  },
  Strict,
);

export const ModbusSettings = Type.Object({ devices: Type.Array(Device, { maxItems: 256 }) }, Strict);
export type ModbusSettings = Static<typeof ModbusSettings>;
export type DeviceSettings = Static<typeof Device>;
export type CommandSettings = Static<typeof Command>;

const problemsOf = checker(ModbusSettings);
const maxTags = 8192;

/** Checks a document that came from outside; throws a Refusal that names the field. */
export function checkModbusSettings(document: unknown): ModbusSettings {
  const problem = problemsOf(document)[0];
  if (problem !== undefined) {
    throw badInput(
      `modbusmaster/general${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  }
  const settings = document as ModbusSettings;
  const names = settings.devices.map(({ name }) => name);
  assertUnique(names, "devices");
  if (settings.devices.reduce((sum, { commands }) => sum + commands.length, 0) > maxTags)
    throw badInput(`modbusmaster/general/devices: expected at most ${maxTags} commands in all`);
  for (const { name, commands } of settings.devices) {
    assertUnique(
      commands.map((command) => command.name),
      `devices/${name}/commands`,
    );
    for (const command of commands) assertPossible(name, command);
  }
  return settings;
}

function assertPossible(device: string, command: CommandSettings): void {
  const place = `modbusmaster/general/devices/${device}/${command.name}`;
  const isBits = command.table === "coils" || command.table === "discrete-inputs";
  if (isBits && command.dataType !== "boolean") throw badInput(`${place}: ${command.table} hold booleans`);
  const isReadOnly = command.table === "discrete-inputs" || command.table === "input-registers";
  if (isReadOnly && (command.access ?? "r") !== "r")
    throw badInput(`${place}: ${command.table} are read only`);
  if (command.address + registersOf(command) > 65_536)
    throw badInput(`${place}: it ends after address 65535`);
}

function assertUnique(names: readonly string[], place: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw badInput(`modbusmaster/general/${place}: the name ${name} appears twice`);
    seen.add(name);
  }
}
