// `digests.json` of a run: SHA-256 of its record and of every file of exchanges, which makes later changes detectable.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { checker } from "../interface/schema/validate.ts";

const Digests = Type.Object(
  {
    format: Type.Literal("rackproof/digests@1"),
    /** File below the run's folder, and the SHA-256 of its bytes in hexadecimal. */
    sha256: Type.Record(Type.String(), Type.String({ pattern: "^[0-9a-f]{64}$" })),
  },
  { additionalProperties: false },
);
type Digests = Type.Static<typeof Digests>;

const exchangesFolder = "exchanges";
const check = checker(Digests);

/** SHA-256 in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The text of `digests.json` for the present content of the folder. */
export async function digestsText(folder: string): Promise<string> {
  const digests: Digests = { format: "rackproof/digests@1", sha256: await digestsOf(folder) };
  return `${JSON.stringify(digests, null, 1)}\n`;
}

/** Changes of the folder since the run, a sentence each. */
export async function changedFiles(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, "digests.json"), "utf8").catch(() => undefined);
  if (text === undefined) return ["digests.json is missing; a change cannot be detected"];
  const written = parse(text);
  if (written === undefined) return ["digests.json is not in the format that a run writes"];
  return changesSince(written, folder);
}

/** Changes of the folder since its files had these digests, a sentence each. */
export async function changesSince(
  written: Readonly<Record<string, string>>,
  folder: string,
): Promise<string[]> {
  const found = await digestsOf(folder);
  const names = [...new Set([...Object.keys(written), ...Object.keys(found)])].toSorted();
  return names.flatMap((name) => {
    if (!Object.hasOwn(found, name)) return [`${name} is missing`];
    if (!Object.hasOwn(written, name)) return [`${name} was added after the run`];
    return written[name] === found[name] ? [] : [`${name} was changed after the run`];
  });
}

function parse(text: string): Digests["sha256"] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return check(value).length === 0 ? (value as Digests).sha256 : undefined;
  } catch {
    return undefined;
  }
}

/** SHA-256 of the record and of every file of exchanges, by their names. */
export async function digestsOf(folder: string): Promise<Record<string, string>> {
  const exchanges = await readdir(join(folder, exchangesFolder)).catch(() => []);
  const names = [
    "campaign.json",
    ...exchanges
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => `${exchangesFolder}/${name}`),
  ];
  const entries: [string, string][] = [];
  for (const name of names) {
    const content = await readFile(join(folder, name)).catch(() => undefined);
    if (content !== undefined) entries.push([name, sha256(content)]);
  }
  return Object.fromEntries(entries);
}
