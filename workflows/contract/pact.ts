// A contract as a file of the Pact specification, version 4, for any library that verifies such files.
import Type, { type Static } from "typebox";
import { operation } from "../../interface/operations/index.ts";
import { type CallBinding, type Profile, buildPath } from "../../harness/index.ts";
import { type Interaction, Provided } from "./interaction.ts";
import { match, type Rule } from "./matching.ts";
import { stateNeeds } from "./states.ts";

/** A file of the contract. Only what is read again is named. */
export const PactDocument = Type.Object({
  consumer: Type.Object({ name: Type.String() }),
  provider: Type.Object({ name: Type.String() }),
  interactions: Type.Array(Type.Object({ description: Type.String() })),
  metadata: Type.Object({}),
});
export type PactDocument = Static<typeof PactDocument>;

type Json = Readonly<Record<string, unknown>>;
type Generators = Record<string, Record<string, unknown>>;

const provider = "Core 2.3.0 gateway";
const refusedWrite = Type.Object({ message: Type.String() });

/** The part of a profile that decides how calls look. */
type ContractBinding = Pick<Profile, "binding" | "token" | "tagToken">;

/** `recorded` answers the body that the gateway gave to an interaction when the contract was made. */
export function pactFile(
  part: string,
  interactions: readonly Interaction[],
  binding: ContractBinding,
  recorded: (interaction: Interaction) => unknown,
  suiteVersion: string,
): PactDocument {
  return {
    consumer: { name: `rackproof ${part}` },
    provider: { name: provider },
    interactions: interactions.map((interaction) => ({
      type: "Synchronous/HTTP",
      key: interaction.description.replaceAll(/\W+/g, "-"),
      description: interaction.description,
      pending: false,
      comments: { text: [`operation ${interaction.operation}`] },
      providerStates: interaction.states.map((name) => ({ name })),
      request: request(interaction, binding),
      response: response(interaction, recorded(interaction)),
    })),
    metadata: {
      pactSpecification: { version: "4.0" },
      rackproof: { version: suiteVersion, interface: "Core 2.3.0" },
    },
  };
}

/**
 * The same contract for a gateway with another binding: requests as its profile says, without what it does not offer.
 * Throws an Error for an interaction that this version of the harness does not know.
 */
export function bindPact(
  document: PactDocument,
  known: readonly Interaction[],
  profile: Profile,
): PactDocument {
  return {
    ...document,
    interactions: document.interactions.flatMap((one) => {
      const interaction = known.find(({ description }) => description === one.description);
      if (interaction === undefined) throw new Error(`contract: nothing is known of "${one.description}"`);
      return isProvided(interaction, profile) ? [{ ...one, request: request(interaction, profile) }] : [];
    }),
  };
}

function isProvided({ operation: id, states, needs }: Interaction, profile: Profile): boolean {
  const capabilities = [needs ?? operation(id).group, ...states.flatMap((state) => stateNeeds[state] ?? [])];
  return (
    profile.binding.get(id)?.served === true && capabilities.every((one) => profile.capabilities.has(one))
  );
}

function request(interaction: Interaction, profile: ContractBinding): Json {
  const { operation: id, path = {}, query = {}, json } = interaction;
  const call = profile.binding.get(id);
  if (call === undefined) throw new Error(`contract: no binding for ${id}`);
  const generators: Generators = {};
  const [filledPath = "", filledQuery = ""] = fill(call, path, (value) => value.example).split("?");
  const expression = decodeURIComponent(fill(call, path, (value) => `\${${value.name}}`));
  const [pathExpression = "", queryExpression = ""] = expression.split("?");
  if (pathExpression.includes("${")) generators["path"] = fromState(pathExpression);
  const fromStates = [...new URLSearchParams(queryExpression)].filter(([, value]) => value.startsWith("${"));
  if (fromStates.length > 0)
    generators["query"] = Object.fromEntries(fromStates.map(([name, value]) => [name, fromState(value)]));
  const headers: Record<string, string[]> = {};
  if (interaction.isAnonymous !== true) {
    const place = operation(id).group === "tags" ? profile.tagToken : profile.token;
    headers[place.header] = [`${place.prefix}token`];
    generators["header"] = { [place.header]: fromState(`${place.prefix}\${token}`) };
  }
  const body = json === undefined ? {} : { body: jsonBody(example(json)) };
  const inBody = Object.fromEntries(providedIn(json, "$"));
  if (Object.keys(inBody).length > 0) generators["body"] = inBody;
  if (json !== undefined) headers["content-type"] = ["application/json"];
  const parameters = [...new URLSearchParams(filledQuery)].map(([name, value]) => [name, [value]] as const);
  const asked = Object.entries(query).map(([name, value]) => [name, [String(value)]] as const);
  return {
    method: call.method,
    path: filledPath,
    ...(parameters.length + asked.length === 0
      ? {}
      : { query: Object.fromEntries([...parameters, ...asked]) }),
    headers,
    ...body,
    ...(Object.keys(generators).length === 0 ? {} : { generators }),
  };
}

function fill(
  call: CallBinding,
  path: NonNullable<Interaction["path"]>,
  show: (value: Provided) => string | number,
): string {
  const values = Object.entries(path).map(([name, value]) => [
    name,
    value instanceof Provided ? show(value) : value,
  ]);
  return buildPath(call.path, Object.fromEntries(values) as Record<string, string | number>, undefined);
}

function response(interaction: Interaction, recorded: unknown): Json {
  const { status, operation: id } = interaction;
  const schema =
    status === "success" || status === 200
      ? operation(id).answer
      : id === "writeTag"
        ? refusedWrite
        : undefined;
  const { example: content, rules } =
    schema === undefined ? { example: undefined, rules: {} } : match(schema, recorded);
  const anyOf = status === "success" ? "success" : status === "refusal" ? "clientError" : undefined;
  const statusRule: Readonly<Record<string, Rule>> = {
    "": { combine: "AND", matchers: [{ match: "statusCode", status: anyOf }] },
  };
  return {
    status: status === "success" ? 200 : status === "refusal" ? 400 : status,
    ...(content === undefined ? {} : { body: jsonBody(content) }),
    matchingRules: {
      ...(anyOf === undefined ? {} : { status: statusRule }),
      ...(content === undefined ? {} : { body: rules }),
    },
  };
}

function jsonBody(content: unknown): Json {
  return { contentType: "application/json", encoded: false, content };
}

function fromState(expression: string, dataType: "STRING" | "INTEGER" = "STRING"): Record<string, unknown> {
  return { type: "ProviderState", expression, dataType };
}

/** The body with examples where only a state knows the value. */
function example(value: unknown): unknown {
  if (value instanceof Provided) return value.example;
  if (Array.isArray(value)) return value.map(example);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, example(inner)]));
}

function providedIn(value: unknown, path: string): (readonly [string, Record<string, unknown>])[] {
  if (value instanceof Provided)
    return [[path, fromState(`\${${value.name}}`, typeof value.example === "number" ? "INTEGER" : "STRING")]];
  if (Array.isArray(value)) return value.flatMap((inner, index) => providedIn(inner, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => providedIn(inner, `${path}.${name}`));
}
