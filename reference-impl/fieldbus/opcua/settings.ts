// The section opcuaclient/general: the servers whose nodes become tags.
import Type, { type Static } from "typebox";
import { type TagDataType, tagDataTypes } from "../../../interface/resources/tags.ts";
import { checker } from "../../../interface/schema/validate.ts";
import { badInput } from "../../base/refusal.ts";

const Strict = { additionalProperties: false };
const Name = Type.String({ minLength: 1, maxLength: 1024 });

const Node = Type.Object(
  {
    name: Name,
    nodeId: Type.String({ pattern: "^(ns=\\d+;)?[isgb]=" }),
    dataType: Type.Unsafe<TagDataType>(Type.Enum([...tagDataTypes])),
    dataSize: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
    dataUnit: Type.String({ maxLength: 16 }),
    access: Type.Enum(["r", "w", "rw"]),
    /** Milliseconds; 0 asks the server for every change. */
    samplingIntervalMs: Type.Integer({ minimum: 0, maximum: 86_400_000 }),
  },
  Strict,
);

const Connection = Type.Object(
  {
    name: Name,
    enable: Type.Boolean(),
    endpoint: Type.String({ pattern: "^opc\\.tcp://" }),
    security: Type.Enum(["None", "Basic256Sha256"]),
    publishingIntervalMs: Type.Integer({ minimum: 10, maximum: 60_000 }),
    nodes: Type.Array(Node, { maxItems: 4096 }),
  },
  Strict,
);

export const OpcuaClientSettings = Type.Object(
  { connections: Type.Array(Connection, { maxItems: 32 }) },
  Strict,
);
export type OpcuaClientSettings = Static<typeof OpcuaClientSettings>;
export type ConnectionSettings = Static<typeof Connection>;
export type NodeSettings = Static<typeof Node>;

const problemsOf = checker(OpcuaClientSettings);

/** Checks a document that came from outside; throws a Refusal that names the field. */
export function checkOpcuaClientSettings(document: unknown): OpcuaClientSettings {
  const problem = problemsOf(document)[0];
  if (problem !== undefined)
    throw badInput(
      `opcuaclient/general${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
    );
  const settings = document as OpcuaClientSettings;
  const names = settings.connections.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw badInput("opcuaclient/general/connections: a name appears twice");
  return settings;
}
