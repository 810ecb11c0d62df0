// Recognises calls by a declared binding, and turns them into calls of the published one.
import type { IncomingMessage } from "node:http";
import { type ExtensionId, publishedBinding, publishedExtensions } from "../../interface/binding.ts";
import type { RequiredPermission } from "../../interface/authorisation.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import type { WireCall } from "./wireEdits.ts";

/** The part of a profile that says how operations are called. */
export interface DeclaredBinding {
  /** What the paths of groups 1 to 12 begin with, and those of the tag service. */
  readonly pathPrefix?: string;
  readonly tagPathPrefix?: string;
  readonly token?: { readonly header: string; readonly prefix: string };
  readonly extensions?: readonly string[];
  readonly operations?: Readonly<
    Record<string, { method?: string; path?: string; served?: boolean; permission?: RequiredPermission }>
  >;
}

/** What a request is recognised by; it is changed to the published binding. */
type RequestHead = Pick<IncomingMessage, "method" | "url" | "headers">;

interface Route {
  readonly id: OperationId | ExtensionId;
  readonly method: string;
  readonly pattern: RegExp;
  /** Number of parameters in the path. */
  readonly parameters: number;
  readonly isServed: boolean;
  /** Query parameters that carry path parameters, by the parameter's name. */
  readonly inQuery: readonly (readonly [parameter: string, name: string])[];
  readonly published: { readonly method: string; readonly path: string };
}

export class DeclaredRoutes {
  readonly #routes: readonly Route[];
  readonly #ownPrefix: string;
  readonly #prefix: string;
  readonly #token: DeclaredBinding["token"];

  /** `ownPrefix`: what the gateway itself serves its paths under. */
  constructor(binding: DeclaredBinding, ownPrefix: string) {
    this.#ownPrefix = ownPrefix;
    this.#prefix = binding.pathPrefix ?? ownPrefix;
    this.#token = binding.token;
    const all = { ...publishedBinding, ...publishedExtensions };
    const routes = Object.entries(all).map(([id, published]) => {
      const declared = binding.operations?.[id];
      const isExtension = Object.hasOwn(publishedExtensions, id);
      const isServed = isExtension ? (binding.extensions?.includes(id) ?? true) : (declared?.served ?? true);
      const prefix = isTagPath(published.path) ? (binding.tagPathPrefix ?? ownPrefix) : this.#prefix;
      return toRoute(id as Route["id"], published, { ...published, ...declared }, prefix, isServed);
    });
    // A path of its own, such as /users/me, comes before one with a parameter in the same place.
    this.#routes = routes.toSorted((a, b) => a.parameters - b.parameters);
  }

  /** The call, with the request changed to the published binding; undefined when nothing is served there. */
  recognise(request: RequestHead, asMethod = request.method ?? "GET"): WireCall | undefined {
    const url = URL.parse(request.url ?? "/", "http://gateway");
    if (url === null) return undefined;
    const rawPath = (request.url ?? "/").split("?")[0] ?? "/";
    for (const route of this.#routes) {
      const found = route.method === asMethod ? route.pattern.exec(rawPath) : null;
      if (found === null || !route.inQuery.every(([, name]) => url.searchParams.has(name))) continue;
      if (!route.isServed) return undefined;
      const path: Record<string, string> = { ...found.groups };
      for (const [parameter, name] of route.inQuery) {
        path[parameter] = encodeURIComponent(url.searchParams.get(name) ?? "");
        url.searchParams.delete(name);
      }
      const query = route.inQuery.length === 0 ? url.search : queryText(url.searchParams);
      request.method = route.published.method;
      request.url = `${this.#ownPrefix}${route.published.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => path[name] ?? "")}${query}`;
      this.#presentToken(request, isTagPath(route.published.path));
      return { id: route.id, path: decoded(path), query: url.searchParams, headers: request.headers };
    }
    if (rawPath === `${this.#prefix}/openapi.json` && asMethod === "GET") {
      request.url = `${this.#ownPrefix}/openapi.json`;
      return { id: undefined, path: {}, query: url.searchParams, headers: request.headers };
    }
    return undefined;
  }

  /** Methods that are served at the path. */
  methodsAt(request: RequestHead): string[] {
    const rawPath = (request.url ?? "/").split("?")[0] ?? "/";
    return [
      ...new Set(
        this.#routes
          .filter(({ isServed, pattern }) => isServed && pattern.test(rawPath))
          .map(({ method }) => method),
      ),
    ];
  }

  /** The address of the websocket as the gateway itself serves it. */
  ownUpgradeUrl(url: string): string {
    const at = `${this.#prefix}/websocket`;
    return url.startsWith(at) ? `${this.#ownPrefix}/websocket${url.slice(at.length)}` : "/";
  }

  #presentToken({ headers }: RequestHead, isTagOperation: boolean): void {
    if (this.#token === undefined || isTagOperation) return;
    const { header, prefix } = this.#token;
    const given = headers[header];
    delete headers.authorization;
    if (typeof given === "string" && given.startsWith(prefix))
      headers.authorization = `Bearer ${given.slice(prefix.length)}`;
  }
}

const isTagPath = (path: string): boolean => path.startsWith("/tags/");

function toRoute(
  id: Route["id"],
  published: Route["published"],
  declared: { readonly method: string; readonly path: string },
  prefix: string,
  isServed: boolean,
): Route {
  const [path = "", query = ""] = declared.path.split("?");
  const pattern = path
    .replaceAll(/[.*+^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/g, "(?<$1>[^/?]+)");
  return {
    id,
    method: declared.method,
    pattern: new RegExp(`^${prefix}${pattern}$`),
    parameters: path.split("{").length - 1,
    isServed,
    inQuery: [...query.matchAll(/(\w+)=\{(\w+)\}/g)].map(([, name = "", parameter = ""]) => [
      parameter,
      name,
    ]),
    published,
  };
}

function decoded(path: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(path).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}

function queryText(parameters: URLSearchParams): string {
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
