// The sections of the configuration that a gateway is delivered with, as its maker put them on the device.
import { readFileSync } from "node:fs";

/** Reads the file of delivered sections; without one every section has this program's own default. */
export function readDelivered(file: string | undefined): (app: string, section: string) => unknown {
  if (file === undefined) return () => undefined;
  const sections = parse(file);
  return (app, section) => sections.get(`${app}/${section}`);
}

function parse(file: string): ReadonlyMap<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (thrown) {
    throw new Error(`--delivered ${file}: expected a JSON file that can be read; ${String(thrown)}`, {
      cause: thrown,
    });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`--delivered ${file}: expected an object with a member for each app/section`);
  }
  return new Map(Object.entries(value));
}
