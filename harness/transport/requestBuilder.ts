// Builds the request of an operation with its inputs, by the profile's binding.
import { randomUUID } from "node:crypto";
import type { OperationDefinition } from "../../interface/operations/operation.ts";
import { checker } from "../../interface/schema/validate.ts";
import { HarnessFault, stringifyJson } from "../../record/index.ts";
import type { FormFile, InvalidInputs } from "./inputs.ts";

/** Characters that a segment of a path may contain although encodeURIComponent escapes them. */
const permittedInSegments = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/** Path with its query; path parameters are percent-encoded. */
export function buildPath(
  template: string,
  path: InvalidInputs["path"],
  query: InvalidInputs["query"],
  escapes: InvalidInputs["escapes"] = "all",
): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = path?.[name];
    if (value === undefined) throw new HarnessFault(`no value for the path parameter ${name} of ${template}`);
    const escaped = encodeURIComponent(String(value));
    return escapes === "all" ? escaped : escaped.replaceAll(permittedInSegments, decodeURIComponent);
  });
  if (query === undefined) return filled;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(name, String(item));
  }
  const text = parameters.toString();
  if (text === "") return filled;
  return `${filled}${filled.includes("?") ? "&" : "?"}${text}`;
}

/** Path with its query, the path in another spelling. */
export function respelled(path: string, spell: InvalidInputs["spelled"]): string {
  if (spell === undefined) return path;
  const [plain = "", ...query] = path.split("?");
  return [spell(plain), ...query].join("?");
}

export interface WireBody {
  readonly headers: Record<string, string>;
  /** Content type of a form. Its boundary is another one each time and no part of the recorded request. */
  readonly formType?: string;
  readonly body?: string | Uint8Array;
  readonly shown?: string;
}

export function buildBody(inputs: InvalidInputs): WireBody {
  if (inputs.raw !== undefined) {
    return { headers: { "content-type": inputs.raw.contentType }, body: inputs.raw.content };
  }
  if (inputs.form !== undefined) return buildForm(inputs.form);
  if (inputs.json !== undefined) {
    return { headers: { "content-type": "application/json" }, body: stringifyJson(inputs.json) };
  }
  return { headers: {} };
}

/**
 * In one piece: a gateway may answer before it has read all and close the connection, and what a client writes in several
 * steps would then meet a closed one and lose the answer.
 */
function buildForm(fields: NonNullable<InvalidInputs["form"]>): WireBody {
  const boundary = `rackproof-${randomUUID()}`;
  const parts: Uint8Array[] = [];
  const add = (...texts: (string | Uint8Array)[]): void => {
    for (const text of texts) parts.push(typeof text === "string" ? Buffer.from(text) : text);
  };
  const shown: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"`;
    if (isFormFile(value)) {
      const { content, fileName } = value;
      add(`${head}; filename="${quoted(fileName)}"\r\ncontent-type: application/octet-stream\r\n\r\n`);
      add(content, "\r\n");
      shown.push(`${name}: (file ${fileName}, ${content.length} bytes)`);
    } else {
      add(`${head}\r\n\r\n${String(value)}\r\n`);
      shown.push(`${name}: ${String(value)}`);
    }
  }
  add(`--${boundary}--\r\n`);
  return {
    headers: {},
    formType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat(parts),
    shown: shown.join("\n"),
  };
}

/** Names of a form, escaped as browsers escape them. */
function quoted(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}

function isFormFile(value: unknown): value is FormFile {
  return typeof value === "object" && value !== null && "fileName" in value && "content" in value;
}

const checkedParts = ["path", "query", "headers", "json"] as const;

/** Checks the harness's own request against the interface: a deviation is a fault of the harness, never of the gateway. */
export function checkOwnRequest(
  operationId: string,
  definition: OperationDefinition,
  inputs: InvalidInputs,
): void {
  for (const part of checkedParts) {
    const schema = definition[part];
    const value = inputs[part];
    if (value === undefined) {
      if (part === "path" && schema !== undefined)
        throw new HarnessFault(`${operationId} is called without its path parameters`);
      continue;
    }
    if (schema === undefined) throw new HarnessFault(`${operationId} takes no ${part}`);
    const problem = checker(schema)(value)[0];
    if (problem !== undefined) {
      throw new HarnessFault(
        `the harness calls ${operationId} with ${part}${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
      );
    }
  }
  if (inputs.form !== undefined && definition.form === undefined)
    throw new HarnessFault(`${operationId} takes no form`);
}
