// The file that export makes and upload takes: a tar.gz of one JSON document per section, and a manifest.
import { createGunzip, gzipSync } from "node:zlib";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import Type, { type Static } from "typebox";
import { extract, pack } from "tar-stream";
import { checker } from "../../../interface/schema/validate.ts";
import { badInput, type Refusal } from "../../base/refusal.ts";
import { parseJson, stringifyJson } from "../../base/json.ts";

const Manifest = Type.Object({
  format: Type.Literal("core-configuration@1"),
  model: Type.String(),
  tpeversion: Type.String(),
  /** The sections, where the entries have numbers in place of their names. */
  sections: Type.Optional(Type.Array(Type.String())),
});
type Manifest = Static<typeof Manifest>;

/** A section's document under its name `app/section`. */
export interface Archive {
  readonly manifest: Manifest;
  readonly documents: ReadonlyMap<string, unknown>;
}

/** Published code of an upload that cannot be extracted. */
export const cannotExtract = 10_001;
const maxExpandedBytes = 32 * 1024 * 1024;
const maxEntries = 256;
const manifestName = "manifest.json";
const sectionName = /^[a-z0-9-]{1,64}\/[a-z0-9-]{1,64}$/;
const entryName = /^([a-z0-9-]{1,64}\/[a-z0-9-]{1,64}|\d{1,3})\.json$/;

export async function packArchive(
  { manifest, documents }: Archive,
  { isNumbered = false }: { readonly isNumbered?: boolean } = {},
): Promise<Buffer> {
  const tar = pack();
  const sections = isNumbered ? { sections: [...documents.keys()] } : {};
  tar.entry({ name: manifestName }, stringifyJson({ ...manifest, ...sections }));
  for (const [index, [name, document]] of [...documents].entries())
    tar.entry({ name: `${isNumbered ? index : name}.json` }, stringifyJson(document));
  tar.finalize();
  return gzipSync(await buffer(tar));
}

/** Reads an archive from outside: only plain files of the expected names, bounded in number and size. */
export async function unpackArchive(bytes: Buffer): Promise<Archive> {
  const documents = new Map<string, unknown>();
  let manifest: unknown;
  let expandedBytes = 0;
  let entries = 0;
  const tar = extract();
  const gunzip = createGunzip();
  gunzip.on("data", (chunk: Buffer) => {
    expandedBytes += chunk.length;
    if (expandedBytes > maxExpandedBytes)
      gunzip.destroy(refuse(`it expands to more than ${maxExpandedBytes} bytes`));
  });
  gunzip.on("error", (error) => tar.destroy(error));
  Readable.from([bytes]).pipe(gunzip).pipe(tar);
  try {
    for await (const entry of tar) {
      const { name, type } = entry.header;
      entries += 1;
      if (entries > maxEntries) throw refuse(`it has more than ${maxEntries} entries`);
      if (type !== "file") throw refuse(`the entry ${JSON.stringify(name)} is not a plain file`);
      if (name !== manifestName && !entryName.test(name))
        throw refuse(`the entry ${JSON.stringify(name)} has no accepted name`);
      const value = parseJson((await buffer(entry)).toString("utf8"));
      const key = name.replace(/\.json$/, "");
      if (documents.has(key) || (name === manifestName && manifest !== undefined))
        throw refuse(`the entry ${JSON.stringify(name)} appears twice`);
      if (name === manifestName) manifest = value;
      else documents.set(key, value);
    }
  } catch (thrown) {
    gunzip.destroy();
    throw (thrown as Partial<Refusal>).name === "Refusal" ? thrown : refuse("it is not a readable archive");
  }
  const problem = checker(Manifest)(manifest)[0];
  if (problem !== undefined)
    throw refuse(`its manifest${problem.pointer}: expected ${problem.expected}, found ${problem.found}`);
  const { sections, ...facts } = manifest as Manifest;
  const named = [...documents].map(
    ([name, document]) => [sections?.[Number(name)] ?? name, document] as const,
  );
  for (const [name] of named)
    if (!sectionName.test(name)) throw refuse(`the entry ${JSON.stringify(name)} is no section`);
  return { manifest: facts, documents: new Map(named) };
}

function refuse(why: string): Refusal {
  return badInput(`file: cannot be extracted: ${why}`, { code: cannotExtract });
}
