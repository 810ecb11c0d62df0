// The HTTP side of the gateway, built from the interface: one route per operation, inputs validated, errors shaped.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import multipart from "@fastify/multipart";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import Type from "typebox";
import { type Authorisation, authorisationText, permits } from "../../interface/authorisation.ts";
import { type ExtensionId, publishedBinding, publishedExtensions } from "../../interface/binding.ts";
import { openApiDocument } from "../../interface/openapi.ts";
import type { OperationDefinition } from "../../interface/operations/operation.ts";
import { isOperationId, type OperationId } from "../../interface/operations/index.ts";
import type { Clock } from "../base/clock.ts";
import { sendAnswer, sendRefusal, toRefusal } from "./answers.ts";
import { tokenOf } from "./authorise.ts";
import type { Call, Caller, Handler, Handlers } from "./handler.ts";
import { assertInput, convert, readFormFields } from "./inputs.ts";
import { readJsonBody } from "./jsonBody.ts";
import { type Form, readForm } from "./multipart.ts";
import { badInput, forbidden, Refusal } from "../base/refusal.ts";

export interface HttpOptions {
  readonly pathPrefix: string;
  readonly handlers: Handlers;
  /** Schemas against which inputs are validated. */
  readonly definitionOf: (id: OperationId) => OperationDefinition;
  readonly permissionOf: (id: OperationId) => Authorisation;
  /** The present owner of the token; throws a Refusal when nobody may use it. */
  readonly authenticate: (token: string) => Caller;
  readonly stateFolder: string;
  readonly maxUploadBytes: number;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the body is read; absent for operations that need no sign-in. */
    caller: Caller | undefined;
  }
}

const maxBodyBytes = 1024 * 1024;
// An encoded tag name: 1024 characters of up to nine bytes each.
const maxParamLength = 9 * 1024;
const streamCheckMs = 1000;
type RouteId = OperationId | ExtensionId;

interface Route {
  readonly definition: Partial<Pick<OperationDefinition, "group">> &
    Pick<OperationDefinition, "path" | "query" | "headers" | "json" | "form">;
  /** The extensions have no schemas: their handlers look at query and body themselves. */
  readonly isExtension: boolean;
  readonly permission: Authorisation;
  readonly isTagAccess: boolean;
  readonly handler: Handler;
}

/** Builds the application; listeners hand it their requests through `routing`. */
export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  // Remains of uploads that a power cut interrupted.
  await rm(incomingFolder(options), { recursive: true, force: true });
  const app = fastify({
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength, ignoreTrailingSlash: false },
    // A client must get an answer it can read also for a path that cannot be decoded.
    frameworkErrors: (error, _request, reply) =>
      void sendRefusal(reply as never, toRefusal(error, options.log), false),
  });
  app.decorateRequest("caller", undefined);
  await app.register(multipart);
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, text === "" ? undefined : readJsonBody(String(text)));
    } catch (thrown) {
      done(thrown as Error);
    }
  });
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, toRefusal(error, options.log), false));
  const methodsByPath = new Map<string, Set<string>>();
  for (const [id, binding] of Object.entries({ ...publishedExtensions, ...publishedBinding })) {
    const handler = options.handlers[id as RouteId];
    if (handler === undefined) continue;
    const url = options.pathPrefix + binding.path.replaceAll(/\{(\w+)\}/g, ":$1");
    methodsByPath.set(url, (methodsByPath.get(url) ?? new Set()).add(binding.method));
    addRoute(app, binding.method, url, toRoute(id as RouteId, binding.path, handler, options), options);
  }
  const document = openApiDocument(publishedBinding, options.pathPrefix);
  const documentUrl = `${options.pathPrefix}/openapi.json`;
  app.get(documentUrl, { exposeHeadRoute: false }, () => document);
  methodsByPath.set(documentUrl, new Set(["GET"]));
  for (const [url, methods] of methodsByPath) refuseOtherMethods(app, url, methods);
  app.setNotFoundHandler((_request, reply) =>
    sendRefusal(reply, new Refusal(404, "no such resource"), false),
  );
  await app.ready();
  return app;
}

function toRoute(id: RouteId, path: string, handler: Handler, options: HttpOptions): Route {
  if (isOperationId(id)) {
    return {
      definition: options.definitionOf(id),
      isExtension: false,
      permission: options.permissionOf(id),
      isTagAccess: id === "readTag" || id === "writeTag",
      handler,
    };
  }
  const byId = path.includes("{id}") ? { path: Type.Object({ id: Type.Integer() }) } : {};
  return {
    definition: byId,
    isExtension: true,
    permission: extensionPermission(id),
    isTagAccess: false,
    handler,
  };
}

function extensionPermission(id: ExtensionId): Authorisation {
  if (id === "checkToken") return "signed-in";
  return [[id === "deleteRole" || id === "deleteUser" ? "SYS_USER_RW" : "SYS_MAINTENANCE_RW"]];
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
    // Before the body is read: an unauthorised caller gets no validation messages.
    onRequest(request, _reply, done) {
      try {
        request.caller = authorise(request, route, options);
        done();
      } catch (thrown) {
        done(thrown as Error);
      }
    },
    handler: (request, reply) => answer(request, reply, route, options),
    errorHandler: (error, _request, reply) =>
      void sendRefusal(reply, toRefusal(error, options.log), route.isTagAccess),
  });
}

function authorise(request: FastifyRequest, route: Route, options: HttpOptions): Caller | undefined {
  if (route.permission === "none") return undefined;
  const token = tokenOf(request.headers, route.definition.group === "tags");
  if (token === undefined) throw new Refusal(401, "sign in first: the request carries no token");
  const caller = options.authenticate(token);
  if (!permits(route.permission, caller.permissions))
    throw forbidden(`this needs the permission ${authorisationText(route.permission)}`);
  return caller;
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  options: HttpOptions,
): Promise<void> {
  const isForm = request.isMultipart();
  if (isForm && route.definition.form === undefined) {
    throw new Refusal(415, "the body: expected application/json, found multipart/form-data");
  }
  await using form = isForm
    ? await readForm(request, incomingFolder(options), options.maxUploadBytes)
    : undefined;
  const inputs = readInputs(request, route, form);
  let gone: AbortController | undefined;
  const call: Call = {
    caller: request.caller,
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
  const result = await route.handler(call);
  await sendAnswer(reply, result, options.log);
  if (result.kind === "stream") {
    endWhenNotAllowed(request, reply, route, options, () => gone?.abort(new Error("no longer allowed")));
  }
}

/** A stream outlives the check of its token: the check is repeated. */
function endWhenNotAllowed(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  options: HttpOptions,
  abort: () => void,
): void {
  let timer: Disposable | undefined;
  const check = (): void => {
    if (reply.raw.destroyed || reply.raw.writableEnded) return;
    try {
      authorise(request, route, options);
      timer = options.clock.after(streamCheckMs, check);
    } catch {
      abort();
      reply.raw.end();
    }
  };
  timer = options.clock.after(streamCheckMs, check);
  reply.raw.once("close", () => timer?.[Symbol.dispose]());
}

function readInputs(
  request: FastifyRequest,
  { definition, isExtension }: Route,
  form: Form | undefined,
): Pick<Call, "path" | "query" | "body"> {
  const path = request.params as Record<string, string>;
  const rawQuery = request.query as Record<string, unknown>;
  if (definition.path !== undefined) assertInput("path", definition.path, convert(definition.path, path));
  if (isExtension) return { path, query: rawQuery, body: objectBody(request.body) };
  const query = definition.query === undefined ? nothing : convert(definition.query, rawQuery);
  if (definition.query !== undefined) assertInput("query", definition.query, query);
  if (definition.headers !== undefined) assertInput("header", definition.headers, request.headers);
  if (form !== undefined && definition.form !== undefined)
    return { path, query, body: readFormFields(definition.form, form.fields, form.files) };
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
  if (body === undefined) return {};
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw badInput("the body: expected a JSON object");
  return body as Record<string, unknown>;
}

function incomingFolder(options: HttpOptions): string {
  return join(options.stateFolder, "incoming");
}

function refuseOtherMethods(app: FastifyInstance, url: string, served: ReadonlySet<string>): void {
  const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
    (method) => !served.has(method),
  );
  const allow = [...served].join(", ");
  const isTagAccess = url.includes("/tags/access/");
  app.route({
    method: others as "GET"[],
    url,
    exposeHeadRoute: false,
    // The body is not validated: the method is wrong in any case.
    onRequest: (_request, reply) => {
      const refusal = new Refusal(405, `this resource takes ${allow}`);
      void sendRefusal(reply.header("allow", allow), refusal, isTagAccess);
    },
    handler: () => undefined,
  });
}
