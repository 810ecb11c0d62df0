// A configuration file of another model or version, made from an export of the gateway. The layout inside the file is
// not shown; the two names are searched for as key and value, as most text layouts have them.
import { createHash } from "node:crypto";
import { makeTarGz, readTarGz } from "../support/tarGz.ts";

interface ModelAndVersion {
  readonly model: string;
  readonly tpeversion: string;
}

const patternOf = {
  model: /("?\bmodel(?:[ _]?name)?"?\s*[:=]\s*)(?:"((?:[^"\\]|\\.)+)"|([^"\s,}]+))/gi,
  tpeversion: /("?\btpeversion"?\s*[:=]\s*)(?:"((?:[^"\\]|\\.)+)"|([^"\s,}]+))/gi,
} as const;

/** The name in the text; undefined where it is not found exactly once. */
function nameIn(text: string, pattern: RegExp): string | undefined {
  const [first, ...others] = [...text.matchAll(pattern)];
  if (others.length > 0) return undefined;
  return first?.[2] === undefined ? first?.[3] : unescaped(first[2]);
}

/** The text between quotes, where they are those of JSON; otherwise as it stands. */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** Model and version in an exported file, and a way to make the same file with others. */
export interface Origin {
  readonly found: ModelAndVersion;
  /** The same file with other names, and with the digests of what they stand in made anew. */
  as(wanted: ModelAndVersion): Promise<Buffer>;
  /** The same file with the same names and a line more, for whether the gateway reads an altered file at all. */
  altered(): Promise<Buffer>;
}

/** Searches for both names in one entry of the unencrypted file; undefined where they are not recognised. */
export async function originOf(file: Buffer): Promise<Origin | undefined> {
  const entries = (await readTarGz(file)) ?? [];
  for (const entry of entries) {
    const text = entry.content.toString("utf8");
    const model = nameIn(text, patternOf.model);
    const tpeversion = nameIn(text, patternOf.tpeversion);
    if (model === undefined || tpeversion === undefined) continue;
    const withContent = (content: Buffer): Promise<Buffer> =>
      makeTarGz(
        entries.map((one) => ({
          name: one.name,
          content: one === entry ? content : withDigests(one.content, entry.content, content),
        })),
      );
    return {
      found: { model, tpeversion },
      as: (wanted) => withContent(renamed(text, wanted)),
      altered: () => withContent(Buffer.from(`${text}\n`)),
    };
  }
  return undefined;
}

/** The content with digests of the former text replaced by those of the new one. */
function withDigests(content: Buffer, before: Buffer, now: Buffer): Buffer {
  let text = content.toString("latin1");
  for (const algorithm of ["sha256", "sha1", "md5"]) {
    const digest = (of: Buffer): string => createHash(algorithm).update(of).digest("hex");
    text = text.replaceAll(digest(before), digest(now));
  }
  return Buffer.from(text, "latin1");
}

function renamed(text: string, wanted: ModelAndVersion): Buffer {
  let changed = text;
  for (const name of ["model", "tpeversion"] as const)
    changed = changed.replace(
      patternOf[name],
      (_whole, before: string, quoted: string | undefined) =>
        before + (quoted === undefined ? wanted[name] : JSON.stringify(wanted[name])),
    );
  return Buffer.from(changed);
}
