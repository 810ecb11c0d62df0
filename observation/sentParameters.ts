// The parameters of a sent request, by the paths of the interface's schemas. They are read from the recorded
// exchange, so that a request over a connection of a case's own counts like any other.
import { valueLeaves } from "../interface/coverage/leaves.ts";
import { type Exchange, parseJson, stringifyJson } from "../record/index.ts";

const crontabFields = ["minute", "hour", "day", "month", "dayOfWeek"] as const;

export class SentParameters {
  readonly json: unknown;
  readonly #values = new Map<string, unknown[]>();

  /** `template`: path of the binding with its parameters in braces. */
  constructor({ request }: Exchange, template: string) {
    const url = new URL(request.url);
    for (const [name, value] of pathValues(url.pathname, template)) this.#add(name, value);
    for (const [name, value] of url.searchParams) this.#add(name, value);
    const password = request.headers["password"];
    if (password !== undefined) this.#add("password", password);
    this.json = jsonOf(request.body);
    if (typeof this.json === "object" && this.json !== null) {
      for (const { path, value } of valueLeaves(this.json)) this.#add(path, value);
      this.#addCrontab();
    } else if (request.body !== undefined) {
      for (const line of request.body.split("\n")) {
        const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
        if (name !== undefined) this.#add(name, value);
      }
    }
  }

  /** Every value of the parameter, also of members within it. */
  values(path: string): readonly unknown[] {
    const own = this.#values.get(path);
    if (own !== undefined) return own;
    return [...this.#values].flatMap(([name, values]) => (name.startsWith(`${path}.`) ? values : []));
  }

  has(path: string): boolean {
    return this.#values.has(path) || [...this.#values.keys()].some((name) => name.startsWith(`${path}.`));
  }

  /** The single value as text; undefined without one. */
  text(path: string): string | undefined {
    const [first] = this.values(path);
    return first === undefined ? undefined : typeof first === "string" ? first : stringifyJson(first);
  }

  /** Words of a parameter that may be repeated or joined by commas. */
  words(path: string): string[] {
    return this.values(path)
      .flatMap((value) => String(value).split(","))
      .filter((word) => word !== "");
  }

  /** A crontab expression is shown as its fields. */
  #addCrontab(): void {
    const [at] = this.#values.get("at") ?? [];
    const fields = typeof at === "string" ? at.trim().split(/\s+/) : [];
    if (fields.length !== crontabFields.length) return;
    for (const [index, name] of crontabFields.entries()) this.#add(`at.${name}`, fields[index]);
  }

  #add(path: string, value: unknown): void {
    const known = this.#values.get(path);
    if (known === undefined) this.#values.set(path, [value]);
    else known.push(value);
  }
}

function pathValues(pathname: string, template: string): [string, string][] {
  const names: string[] = [];
  const [plain = ""] = template.split("?");
  const pattern = plain
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      names.push(name);
      return "([^/]*)";
    })
    .join("");
  const found = new RegExp(`${pattern}$`).exec(pathname);
  return names.map((name, index) => [name, decoded(found?.[index + 1] ?? "")]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function jsonOf(body: string | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
