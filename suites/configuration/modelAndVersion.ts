// A configuration file of another model or version, made from one of the gateway's own. The layout inside the file is
// not shown, so the two names are looked for where any layout of text files would have them.
import { makeTarGz, readTarGz, type TarEntry } from "../support/tarGz.ts";

interface ModelAndVersion {
  readonly model: string;
  readonly tpeversion: string;
}

const patternOf = {
  model: /("?\bmodel(?:[ _]?name)?"?\s*[:=]\s*)(?:"([^"]+)"|([^"\s,}]+))/gi,
  tpeversion: /("?\btpeversion"?\s*[:=]\s*)(?:"([^"]+)"|([^"\s,}]+))/gi,
} as const;

/** The name in the text; undefined where it is not there, or in several places, of which any could be meant. */
function nameIn(text: string, pattern: RegExp): string | undefined {
  const [first, ...others] = [...text.matchAll(pattern)];
  return others.length > 0 ? undefined : (first?.[2] ?? first?.[3]);
}

/** What a file says of the device it was exported from, and how to make it say something else. */
export interface Origin {
  readonly found: ModelAndVersion;
  /** The same file with other names. */
  as(wanted: ModelAndVersion): Promise<Buffer>;
}

/** Looks for both names in one entry of the unencrypted file; undefined where they cannot be recognised. */
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
        before + (quoted === undefined ? wanted[name] : `"${wanted[name]}"`),
    );
  return Buffer.from(changed);
}
