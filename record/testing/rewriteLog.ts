// Writes a run's log anew with changes, as somebody does who has a key to sign with.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestsOf } from "../digests.ts";
import { beginning, hashOf, headText, lineOf, logFile, Salts, sealContents } from "../log/chain.ts";
import type { LogKey } from "../log/key.ts";

export interface LoggedLine {
  readonly entry: Readonly<Record<string, unknown>> & { readonly kind: string };
  readonly contents: Readonly<Record<string, string>>;
}

/** Lines that depend on the key, on those before them or on the files. */
const resealed: ReadonlySet<string> = new Set(["header", "head", "end"]);

/** `change` answers the line as it is to be, or undefined to leave it out. Files are those of the folder now. */
export async function rewriteLog(
  folder: string,
  key: LogKey,
  change: (line: LoggedLine) => LoggedLine | undefined,
): Promise<void> {
  const rows = (await readFile(join(folder, logFile), "utf8")).trimEnd().split("\n");
  const files = await digestsOf(folder);
  let hash = beginning;
  let run = "";
  const written: string[] = [];
  for (const row of rows) {
    const [, entryText = "", shown = ""] = row.split("\t");
    const entry = JSON.parse(entryText) as LoggedLine["entry"];
    const salted = JSON.parse(shown === "" ? "{}" : shown) as Record<string, [string, string]>;
    const texts = Object.fromEntries(Object.entries(salted).map(([name, [, text]]) => [name, text]));
    const line = { entry, contents: texts };
    const changed = change(line);
    if (changed === undefined) continue;
    if (changed === line && !resealed.has(entry.kind)) {
      hash = hashOf(hash, entryText);
      written.push(`${hash}\t${entryText}\t${shown}\n`);
      continue;
    }
    const { digests, contents } = sealContents(changed.contents, new Salts());
    let sealed: object = { ...changed.entry, digests };
    if (entry.kind === "header") {
      run = String(changed.entry["run"]);
      sealed = { ...sealed, key: { x: key.x, id: key.id, isOneTime: key.isOneTime } };
    } else if (entry.kind === "head") {
      const at = String(entry["at"]);
      sealed = { kind: "head", at, signature: key.sign(headText(run, hash, at)) };
    } else if (entry.kind === "end") sealed = { ...changed.entry, files };
    const text = JSON.stringify(sealed);
    hash = hashOf(hash, text);
    written.push(lineOf(hash, text, contents));
  }
  await writeFile(join(folder, logFile), written.join(""));
}
