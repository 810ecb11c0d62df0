// Recognises calls by the binding that the variations declare, and turns them into calls of the published binding.
import type { IncomingMessage } from "node:http";
import { type ExtensionId, publishedBinding, publishedExtensions } from "../../interface/binding.ts";
import type { RequiredPermission } from "../../interface/authorisation.ts";
import type { OperationId } from "../../interface/operations/index.ts";
import { type VariationId, varyProfile } from "../../interface/variations/index.ts";
import type { VariedCall } from "./behaviour.ts";

interface DeclaredBinding {
  readonly pathPrefix?: string;
  readonly token?: { readonly header: string; readonly prefix: string };
  readonly extensions?: readonly string[];
  readonly operations?: Readonly<
    Record<string, { method?: string; path?: string; served?: boolean; permission?: RequiredPermission }>
  >;
}

interface Route {
  readonly id: OperationId | ExtensionId;
  readonly method: string;
  readonly pattern: RegExp;
  /** Query parameters that carry path parameters, by the parameter's name. */
  readonly inQuery: readonly (readonly [parameter: string, name: string])[];
  readonly published: { readonly method: string; readonly path: string };
}

export class VariedRoutes {
  readonly #routes: readonly Route[];
  readonly #ownPrefix: string;
  readonly #prefix: string;
  readonly #token: DeclaredBinding["token"];
  readonly #operations: NonNullable<DeclaredBinding["operations"]>;

  /** `ownPrefix`: what the gateway itself serves its paths under. */
  constructor(ids: readonly VariationId[], ownPrefix: string) {
    const { binding = {} } = varyProfile({}, ids) as { binding?: DeclaredBinding };
    this.#ownPrefix = ownPrefix;
    this.#prefix = binding.pathPrefix ?? ownPrefix;
    this.#token = binding.token;
    this.#operations = binding.operations ?? {};
    const all = { ...publishedBinding, ...publishedExtensions };
    this.#routes = Object.entries(all).flatMap(([id, published]) => {
      const declared = binding.operations?.[id];
      const isExtension = Object.hasOwn(publishedExtensions, id);
      const isServed = isExtension ? (binding.extensions?.includes(id) ?? true) : (declared?.served ?? true);
      return isServed
        ? [toRoute(id as Route["id"], published, { ...published, ...declared }, this.#prefix)]
        : [];
    });
  }

  /** The call, with the request changed to the published binding; undefined when nothing is served there. */
  recognise(request: IncomingMessage, asMethod = request.method ?? "GET"): VariedCall | undefined {
    const url = URL.parse(request.url ?? "/", "http://gateway");
    if (url === null) return undefined;
    const rawPath = (request.url ?? "/").split("?")[0] ?? "/";
    for (const route of this.#routes) {
      const found = route.method === asMethod ? route.pattern.exec(rawPath) : null;
      if (found === null || !route.inQuery.every(([, name]) => url.searchParams.has(name))) continue;
      const path: Record<string, string> = { ...found.groups };
      for (const [parameter, name] of route.inQuery) {
        path[parameter] = encodeURIComponent(url.searchParams.get(name) ?? "");
        url.searchParams.delete(name);
      }
      const query = route.inQuery.length === 0 ? url.search : queryText(url.searchParams);
      request.method = route.published.method;
      request.url = `${this.#ownPrefix}${route.published.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => path[name] ?? "")}${query}`;
      this.#presentToken(request, route.published.path.startsWith("/tags/"));
      return { id: route.id, path: decoded(path), query: url.searchParams, headers: request.headers };
    }
    if (rawPath === `${this.#prefix}/openapi.json` && asMethod === "GET") {
      request.url = `${this.#ownPrefix}/openapi.json`;
      return { id: undefined, path: {}, query: url.searchParams, headers: request.headers };
    }
    return undefined;
  }

  /** Methods that are served at the path. */
  methodsAt(request: IncomingMessage): string[] {
    const rawPath = (request.url ?? "/").split("?")[0] ?? "/";
    return [
      ...new Set(this.#routes.filter(({ pattern }) => pattern.test(rawPath)).map(({ method }) => method)),
    ];
  }

  /** The permission that an operation is declared to need. */
  permissionOf(id: OperationId): RequiredPermission | undefined {
    return this.#operations[id]?.permission;
  }

  /** The address of the websocket as the gateway itself serves it. */
  ownUpgradeUrl(url: string): string {
    const at = `${this.#prefix}/websocket`;
    return url.startsWith(at) ? `${this.#ownPrefix}/websocket${url.slice(at.length)}` : "/";
  }

  #presentToken({ headers }: IncomingMessage, isTagOperation: boolean): void {
    if (this.#token === undefined || isTagOperation) return;
    const { header, prefix } = this.#token;
    const given = headers[header];
    delete headers.authorization;
    if (typeof given === "string" && given.startsWith(prefix))
      headers.authorization = `Bearer ${given.slice(prefix.length)}`;
  }
}

function toRoute(
  id: Route["id"],
  published: Route["published"],
  declared: { readonly method: string; readonly path: string },
  prefix: string,
): Route {
  const [path = "", query = ""] = declared.path.split("?");
  const pattern = path
    .replaceAll(/[.*+^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/g, "(?<$1>[^/?]+)");
  return {
    id,
    method: declared.method,
    pattern: new RegExp(`^${prefix}${pattern}$`),
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
