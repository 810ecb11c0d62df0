// What a place of labgrid consists of: which resources fit its matches, under which name, and where a console is.
import type { Place, Resource, ResourceMatch } from "./messages.ts";

/** Where ser2net of an exporter serves a serial port. */
export interface PlaceConsole {
  readonly host: string;
  readonly port: number;
  readonly baudRate: number;
}

const serialClass = "NetworkSerialPort";

/** Matches of the place for which no exporter offers a resource, in the form of `labgrid-client add-match`. */
export function unmatched({ matches }: Place, resources: Iterable<Resource>): string[] {
  const all = [...resources];
  return matches.filter((match) => !all.some((one) => isMatch(match, one))).map(textOf);
}

/** The serial port of the place; throws an Error that says what is missing. */
export function consoleOf(place: Place, resources: readonly Resource[], name?: string): PlaceConsole {
  const what = `place ${place.name} of labgrid`;
  const ports = resources.filter(({ cls }) => cls === serialClass);
  const named = name === undefined ? ports : ports.filter((one) => nameOf(place, one) === name);
  const [found, ...more] = named;
  if (found === undefined || more.length > 0) {
    const names = ports.map((one) => nameOf(place, one)).join(", ") || "none";
    const expected = name === undefined ? "one serial port" : `the serial port ${name}`;
    throw new Error(`${what}: expected ${expected}, found ${names}`);
  }
  if (valueOf(found.extra, "proxy_required") === true)
    throw new Error(
      `${what}: the exporter serves its serial port over SSH only. Fix: start it without --isolated`,
    );
  const { params } = found;
  const [host, port, speed] = [valueOf(params, "host"), valueOf(params, "port"), valueOf(params, "speed")];
  if (!found.avail || typeof host !== "string" || typeof port !== "number")
    throw new Error(`${what}: its serial port is not served. Fix: check the exporter and its ser2net`);
  return { host, port, baudRate: typeof speed === "number" ? speed : 115_200 };
}

/** The address of the gateway, where an exporter offers it as a NetworkService. */
export function addressOf({ matches }: Place, resources: readonly Resource[]): string | undefined {
  const found = resources.find(
    (one) => one.cls === "NetworkService" && matches.some((match) => isMatch(match, one)),
  );
  const address = found === undefined ? undefined : valueOf(found.params, "address");
  return typeof address === "string" ? address : undefined;
}

function nameOf({ matches }: Place, resource: Resource): string {
  const rename = matches.find((match) => isMatch(match, resource))?.rename ?? "";
  return rename === "" ? resource.path.resource_name : rename;
}

function isMatch({ exporter, group, cls, name }: ResourceMatch, resource: Resource): boolean {
  const { exporter_name, group_name, resource_name } = resource.path;
  return (
    fits(exporter, exporter_name) &&
    fits(group, group_name) &&
    fits(cls, resource.cls) &&
    (name === "" || fits(name, resource_name))
  );
}

/** The value of a parameter; undefined for none. */
function valueOf(params: Resource["params"], name: string): string | number | boolean | undefined {
  const value = params[name];
  return (
    value?.string_value ?? value?.uint_value ?? value?.int_value ?? value?.float_value ?? value?.bool_value
  );
}

/** Patterns of labgrid are those of shells: `*`, `?`, `[abc]`, `[!abc]`. */
function fits(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
    .replaceAll("[!", "[^");
  return new RegExp(`^${source}$`, "s").test(text);
}

function textOf({ exporter, group, cls, name }: ResourceMatch): string {
  return [exporter, group, cls, ...(name === "" ? [] : [name])].join("/");
}
