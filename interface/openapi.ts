// Generates an OpenAPI 3.1 document from the interface data.
import type { TObject, TSchema } from "typebox";
import { groups } from "./vocabulary/groups.ts";
import type { OperationBinding } from "./binding.ts";
import { operation, operationIds, type OperationId } from "./operations/index.ts";
import type { OperationDefinition } from "./operations/operation.ts";

type Json = Record<string, unknown>;

/** The document for a binding; paths are below the prefix. */
export function openApiDocument(
  binding: Readonly<Record<OperationId, OperationBinding>>,
  pathPrefix: string,
): Json {
  const paths: Record<string, Json> = {};
  for (const id of operationIds) {
    const { method, path } = binding[id];
    const item = (paths[pathPrefix + path] ??= {});
    item[method.toLowerCase()] = describeOperation(id, operation(id));
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Core",
      version: "2.3.0",
      description: "Management interface of an industrial edge gateway.",
    },
    tags: Object.entries(groups).map(([name, { title }]) => ({ name, description: title })),
    security: [{ signInToken: [] }],
    paths,
    components: {
      securitySchemes: {
        signInToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        tagToken: { type: "apiKey", in: "header", name: "mx-api-token" },
      },
    },
  };
}

function describeOperation(id: OperationId, definition: OperationDefinition): Json {
  const content: Json = {};
  if (definition.json !== undefined) content["application/json"] = { schema: plain(definition.json) };
  if (definition.form !== undefined) content["multipart/form-data"] = { schema: plain(definition.form) };
  const hasBody = Object.keys(content).length > 0;
  return {
    operationId: id,
    tags: [definition.group],
    summary: definition.purpose,
    parameters: [
      ...parametersOf("path", definition.path),
      ...parametersOf("query", definition.query),
      ...parametersOf("header", definition.headers),
    ],
    ...(hasBody ? { requestBody: { required: true, content } } : {}),
    ...(id === "signIn"
      ? { security: [] }
      : definition.group === "tags"
        ? { security: [{ tagToken: [] }, { signInToken: [] }] }
        : {}),
    responses: {
      200: {
        description: "success",
        ...(definition.answer === undefined
          ? {}
          : { content: { "application/json": { schema: plain(definition.answer) } } }),
      },
      "4XX": { description: "the request is rejected" },
    },
  };
}

function parametersOf(place: "path" | "query" | "header", schema: TObject | undefined): Json[] {
  const required = new Set<string>((schema?.["required"] as string[] | undefined) ?? []);
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, parameter]) => ({
    name,
    in: place,
    required: place === "path" || required.has(name),
    schema: plain(parameter),
  }));
}

/** The schema without the requirement ids of this project. */
function plain(schema: TSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === "requirement" ? undefined : value)),
  );
}
