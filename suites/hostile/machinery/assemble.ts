// A request from a target's harmless call with one part replaced.
import type { HostileKind, HostileRequest } from "./request.ts";
import { bytesOf, tokenPlaceholder } from "./request.ts";
import type { HostileTarget } from "./target.ts";

/** A JSON body by its members, each with the text of its value. */
export type Members = readonly (readonly [name: string, text: string])[];

/** Replacements of parts of the harmless call. */
export interface Change {
  readonly method?: string;
  /** Path parameters as they are sent. */
  readonly path?: Readonly<Record<string, string>>;
  /** Appended to the path. */
  readonly pathEnd?: string;
  /** The query as it is sent, without the question mark. */
  readonly query?: string;
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
  readonly headers?: readonly (readonly [string, string])[];
  /** Replaces the header that carries the token. */
  readonly token?: string;
  /** Set where the framing is wrong. */
  readonly isWellFramed?: false;
}

// Every server accepts this much; longer requests may be cut off without an answer.
const commonLimitBytes = 7000;
const commonBodyBytes = 16_384;

export function assemble(target: HostileTarget, kind: HostileKind, change: Change): HostileRequest {
  const path = target.template.replaceAll(
    /\{(\w+)\}/g,
    (_whole, name: string) => change.path?.[name] ?? encodeURIComponent(target.path[name] ?? ""),
  );
  const query = change.query ?? harmlessQuery(target);
  // A binding may carry path parameters in the query; an appended path part goes before it.
  const [wholePath = "", ...bound] = path.split("?");
  const queries = [bound.join("?"), query].filter((part) => part !== "").join("&");
  const wanted = wholePath + (change.pathEnd ?? "") + (queries === "" ? "" : `?${queries}`);
  const base = harmlessBody(target);
  const body = "body" in change ? change.body : base?.body;
  const contentType =
    "contentType" in change ? change.contentType : (base?.contentType ?? "application/json");
  const headers: (readonly [string, string])[] = [];
  if (target.token !== undefined)
    headers.push([target.token.header, change.token ?? target.token.prefix + tokenPlaceholder]);
  if (body !== undefined && contentType !== undefined) headers.push(["content-type", contentType]);
  headers.push(...(change.headers ?? []));
  const text = bytesOf(wanted);
  const method = change.method ?? target.method;
  return {
    operation: target.operation,
    kind,
    method,
    target: text,
    headers,
    ...(body === undefined ? {} : { body }),
    isWellFramed: change.isWellFramed ?? isCommon(method, text, headers, body),
  };
}

/** Whether every HTTP server can frame the request and has room for it. */
function isCommon(
  method: string,
  target: string,
  headers: HostileRequest["headers"],
  body: string | undefined,
): boolean {
  const headBytes = headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    target.length,
  );
  return (
    /^[A-Z]{1,16}$/.test(method) &&
    /^[!-~]+$/.test(target) &&
    !target.includes("#") &&
    headers.every(([name, value]) => /^[\w-]+$/.test(name) && /^[ -~]*$/.test(value)) &&
    headers.length < 60 &&
    headBytes < commonLimitBytes &&
    (body?.length ?? 0) <= commonBodyBytes
  );
}

function harmlessQuery({ query }: HostileTarget): string {
  return new URLSearchParams(query).toString();
}

export function membersOf({ json }: HostileTarget): Members {
  return Object.entries(json ?? {}).map(([name, value]) => [name, JSON.stringify(value)] as const);
}

/** JSON text of the members, in order and with duplicates, as bytes. */
export function jsonOf(members: Members): string {
  return bytesOf(`{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`);
}

/** The members with one replaced or appended. */
export function replaced(members: Members, name: string, text: string): Members {
  return members.some(([other]) => other === name)
    ? members.map((member) => (member[0] === name ? ([name, text] as const) : member))
    : [...members, [name, text] as const];
}

const boundary = "rp-boundary";

function harmlessBody(target: HostileTarget): { body: string; contentType: string } | undefined {
  if (target.json !== undefined) return { body: jsonOf(membersOf(target)), contentType: "application/json" };
  if (target.form === undefined) return undefined;
  return { body: formOf(target.form), contentType: `multipart/form-data; boundary=${boundary}` };
}

/** A well-formed multipart form of the text fields, as bytes. */
export function formOf(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return bytesOf(`${parts.join("")}--${boundary}--\r\n`);
}
