// A configuration file of another model or version, made from an export of the gateway. The layout inside the file is
// not shown; the two names are searched for as key and value, as most text layouts have them.
import { makeTarGz, readTarGz, type TarEntry } from "../support/tarGz.ts";

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
  /** The same file with other names. */
  as(wanted: ModelAndVersion): Promise<Buffer>;
}

/** Searches for both names in one entry of the unencrypted file; undefined where they are not recognised. */
export async function originOf(file: Buffer): Promise<Origin | undefined> {
  const entries = (await readTarGz(file)) ?? [];
  for (const entry of entries) {
    const text = entry.content.toString("utf8");
    const model = nameIn(text, patternOf.model);
    const tpeversion = nameIn(text, patternOf.tpeversion);
    if (model === undefined || tpeversion === undefined) continue;
    return {
      found: { model, tpeversion },
      as: (wanted) =>
        makeTarGz(
          entries.map((one) => (one === entry ? { name: one.name, content: renamed(text, wanted) } : one)),
        ),
    };
  }
  return undefined;
}

function renamed(text: string, wanted: ModelAndVersion): TarEntry["content"] {
  let changed = text;
  for (const name of ["model", "tpeversion"] as const)
    changed = changed.replace(
      patternOf[name],
      (_whole, before: string, quoted: string | undefined) =>
        before + (quoted === undefined ? wanted[name] : JSON.stringify(wanted[name])),
    );
  return Buffer.from(changed);
}
