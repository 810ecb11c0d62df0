// Builds the request of an operation with its inputs, by the profile's binding.
import { FormData } from "undici";
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
  readonly body?: string | Uint8Array | FormData;
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

function buildForm(fields: NonNullable<InvalidInputs["form"]>): WireBody {
  const form = new FormData();
  const shown: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (isFormFile(value)) {
      form.append(name, new Blob([Uint8Array.from(value.content)]), value.fileName);
      shown.push(`${name}: (file ${value.fileName}, ${value.content.length} bytes)`);
    } else {
      form.append(name, String(value));
      shown.push(`${name}: ${String(value)}`);
    }
  }
  // undici writes the content type with its boundary itself.
  return { headers: {}, body: form, shown: shown.join("\n") };
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
