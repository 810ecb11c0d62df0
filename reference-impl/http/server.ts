// The HTTP side of the gateway, built from the interface: one route per operation, inputs validated, errors shaped.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import multipart from "@fastify/multipart";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { RequiredPermission } from "../../interface/authorisation.ts";
import { defaultAuthorisation } from "../../interface/authorisation.ts";
import { type ExtensionId, publishedBinding, publishedExtensions } from "../../interface/binding.ts";
import { openApiDocument } from "../../interface/openapi.ts";
import type { OperationDefinition } from "../../interface/operations/operation.ts";
import { operation, operationIds, type OperationId } from "../../interface/operations/index.ts";
import { parseJson, stringifyJson } from "../json.ts";
import type { Answer, Call, Caller, Handler, Handlers } from "./handler.ts";
import { assertInput, convert } from "./inputs.ts";
import { readForm } from "./multipart.ts";
import { forbidden, Refusal } from "./refusal.ts";

export interface HttpOptions {
  readonly pathPrefix: string;
  readonly handlers: Handlers;
  /** Who the token belongs to now; throws a Refusal when nobody may use it. */
  readonly authenticate: (token: string) => Caller;
  readonly stateFolder: string;
  readonly maxUploadBytes: number;
  readonly log: (line: string) => void;
}

const maxBodyBytes = 1024 * 1024;
type RouteId = OperationId | ExtensionId;

interface Route {
  readonly id: RouteId;
  readonly definition: OperationDefinition | undefined;
  readonly permission: RequiredPermission;
  readonly isTagAccess: boolean;
  readonly handler: Handler;
}

/** Builds the application; listeners hand it their requests through `routing`. */
export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: false },
    // A client must get an answer it can read also for a path that cannot be decoded.
    frameworkErrors: (error, _request, reply) =>
      void sendRefusal(reply as never, toRefusal(error, options), false),
    forceCloseConnections: true,
    requestTimeout: 60_000,
  });
  await app.register(multipart);
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, text === "" ? undefined : safeJson(String(text)));
    } catch {
      done(new Refusal(400, "the body: expected a JSON document, found text that is none"));
    }
  });
  const urlOf = (path: string): string => options.pathPrefix + path.replaceAll(/\{(\w+)\}/g, ":$1");
  const tagAccessUrl = urlOf(publishedBinding.writeTag.path);
  app.setErrorHandler((error, request, reply) =>
    sendRefusal(reply, toRefusal(error, options), request.routeOptions.url === tagAccessUrl),
  );
  const methodsByPath = new Map<string, Set<string>>();
  for (const [id, binding] of Object.entries({ ...publishedExtensions, ...publishedBinding })) {
    const handler = options.handlers[id as RouteId];
    if (handler === undefined) continue;
    const url = urlOf(binding.path);
    methodsByPath.set(url, (methodsByPath.get(url) ?? new Set()).add(binding.method));
    addRoute(app, binding.method, url, toRoute(id as RouteId, handler), options);
  }
  const document = openApiDocument(publishedBinding, options.pathPrefix);
  app.get(`${options.pathPrefix}/openapi.json`, () => document);
  for (const [url, methods] of methodsByPath) refuseOtherMethods(app, url, methods);
  app.setNotFoundHandler((_request, reply) =>
    sendRefusal(reply, new Refusal(404, "no such resource"), false),
  );
  await app.ready();
  return app;
}

function toRoute(id: RouteId, handler: Handler): Route {
  const isOperation = (operationIds as readonly string[]).includes(id);
  return {
    id,
    definition: isOperation ? operation(id as OperationId) : undefined,
    permission: isOperation
      ? defaultAuthorisation[id as OperationId]
      : extensionPermission(id as ExtensionId),
    isTagAccess: id === "readTag" || id === "writeTag",
    handler,
  };
}

function extensionPermission(id: ExtensionId): RequiredPermission {
  if (id === "checkToken") return "signed-in";
  return id === "deleteRole" || id === "deleteUser" ? "SYS_USER_RW" : "SYS_MAINTENANCE_RW";
}

function addRoute(
  app: FastifyInstance,
  method: string,
  url: string,
  route: Route,
  options: HttpOptions,
): void {
  app.route({
    method: method as "GET",
    url,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      try {
        const caller = authorise(request, route, options);
        await answer(request, reply, route, caller, options);
      } catch (thrown) {
        await sendRefusal(reply, toRefusal(thrown, options), route.isTagAccess);
      }
    },
  });
}

function authorise(request: FastifyRequest, route: Route, options: HttpOptions): Caller | undefined {
  if (route.permission === "none") return undefined;
  const token = tokenOf(request, route.definition?.group === "tags");
  if (token === undefined) throw new Refusal(401, "sign in first: the request carries no token");
  const caller = options.authenticate(token);
  if (route.permission !== "signed-in" && !caller.permissions.has(route.permission)) {
    throw forbidden(`this needs the permission ${route.permission}`);
  }
  return caller;
}

function tokenOf(request: FastifyRequest, isTagOperation: boolean): string | undefined {
  const own = request.headers["mx-api-token"];
  if (isTagOperation && typeof own === "string" && own !== "") return own;
  const { authorization } = request.headers;
  return authorization?.startsWith("Bearer ") === true ? authorization.slice(7) : undefined;
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  caller: Caller | undefined,
  options: HttpOptions,
): Promise<void> {
  const { definition } = route;
  const isForm = request.headers["content-type"]?.startsWith("multipart/form-data") === true;
  if (isForm && definition !== undefined && definition.form === undefined) {
    throw new Refusal(415, "the body: expected application/json, found multipart/form-data");
  }
  await using form = isForm
    ? await readForm(request, join(options.stateFolder, "incoming"), options.maxUploadBytes)
    : undefined;
  const inputs = readInputs(request, definition, form?.fields);
  let gone: AbortController | undefined;
  const call: Call = {
    caller,
    address: request.socket.remoteAddress ?? "",
    headers: request.headers,
    files: form?.files ?? [],
    // Made when a handler asks for it: most answers are written at once and never need it.
    get signal() {
      if (gone === undefined) {
        gone = new AbortController();
        const leave = (): void => gone?.abort(new Error("the client went away"));
        if (reply.raw.destroyed) leave();
        else reply.raw.once("close", leave);
      }
      return gone.signal;
    },
    path: inputs.path,
    query: inputs.query,
    body: inputs.body,
  };
  await send(reply, await route.handler(call), options);
}

function readInputs(
  request: FastifyRequest,
  definition: OperationDefinition | undefined,
  fields: Readonly<Record<string, unknown>> | undefined,
): Pick<Call, "path" | "query" | "body"> {
  const path = request.params as Record<string, string>;
  const rawQuery = request.query as Record<string, unknown>;
  if (definition === undefined) return { path, query: rawQuery, body: objectBody(request.body) };
  const query = definition.query === undefined ? nothing : convert(definition.query, rawQuery);
  if (definition.path !== undefined) assertInput("path", definition.path, convert(definition.path, path));
  if (definition.query !== undefined) assertInput("query", definition.query, query);
  if (definition.headers !== undefined) assertInput("header", definition.headers, request.headers);
  if (fields !== undefined) return { path, query, body: convert(definition.form, fields) };
  if (definition.json === undefined) {
    if (definition.form !== undefined) throw new Refusal(415, "the body: expected multipart/form-data");
    return { path, query, body: nothing };
  }
  const body = objectBody(request.body);
  assertInput("body", definition.json, body);
  return { path, query, body };
}

const nothing: Readonly<Record<string, unknown>> = Object.freeze({});

function objectBody(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== "object" || Array.isArray(body))
    throw new Refusal(400, "the body: expected a JSON object");
  return body as Record<string, unknown>;
}

async function send(reply: FastifyReply, result: Answer, options: HttpOptions): Promise<void> {
  switch (result.kind) {
    case "json":
      await reply
        .code(result.status)
        .type("application/json; charset=utf-8")
        .send(stringifyJson(result.body));
      return;
    case "file":
      await reply
        .type(result.contentType)
        .header(
          "content-disposition",
          `attachment; filename="${result.fileName.replaceAll(/[^\w.+-]/g, "_")}"`,
        )
        .send(result.content);
      return;
    case "stream":
      reply.hijack();
      try {
        result.run(reply.raw);
      } catch (thrown) {
        options.log(`a stream ended with ${String(thrown)}`);
        reply.raw.destroy();
      }
      return;
  }
}

function refuseOtherMethods(app: FastifyInstance, url: string, served: ReadonlySet<string>): void {
  const others = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !served.has(method));
  const allow = [...served].join(", ");
  app.route({
    method: others as "GET"[],
    url,
    exposeHeadRoute: false,
    // The body is not looked at: whatever it holds, the method is wrong.
    onRequest: (_request, reply) => {
      void sendRefusal(reply.header("allow", allow), new Refusal(405, `this resource takes ${allow}`), false);
    },
    handler: () => undefined,
  });
}

function sendRefusal(reply: FastifyReply, refusal: Refusal, isTagAccess: boolean): FastifyReply {
  const { status, code, message, data } = refusal;
  const body = isTagAccess
    ? { message }
    : { error: { code, message }, ...(data === undefined ? {} : { data }) };
  return reply.code(status).type("application/json; charset=utf-8").send(stringifyJson(body));
}

const refusalsByStatus: Readonly<Record<number, string>> = {
  408: "the request took too long",
  413: "the body is too large",
  414: "the path is too long",
  415: "the body: expected application/json",
};

function toRefusal(thrown: unknown, options: HttpOptions): Refusal {
  if (thrown instanceof Refusal) return thrown;
  const { statusCode, message } = thrown as { statusCode?: unknown; message?: unknown };
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) {
    const known = refusalsByStatus[statusCode];
    return new Refusal(
      (known === undefined ? 400 : statusCode) as Refusal["status"],
      known ?? String(message),
    );
  }
  const reference = randomUUID().slice(0, 8);
  options.log(
    `defect ${reference}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
  );
  return new Refusal(
    500 as Refusal["status"],
    `the gateway made a mistake; its log has it under ${reference}`,
  );
}

/** JSON without members that would reach an object's prototype. */
function safeJson(text: string): unknown {
  const value = parseJson(text);
  if (text.includes("__proto__") || text.includes("\\u005f")) assertNoPrototype(value);
  return value;
}

function assertNoPrototype(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "__proto__")) throw new SyntaxError("a member named __proto__");
  for (const inner of Object.values(value)) assertNoPrototype(inner);
}
