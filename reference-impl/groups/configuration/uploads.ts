// The configuration files that were uploaded and may be applied by name.
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Foundation } from "../../foundation/gateway.ts";
import { notFound } from "../../base/refusal.ts";

/** Beyond this number the oldest is removed. */
const maxUploads = 16;

export interface Uploads {
  /** A name that is independent of the sender's file name. */
  newName(): string;
  /** Stores a checked archive; `fileSize` is the size of the upload in bytes. */
  keep(fileName: string, packed: Buffer, fileSize: number): Promise<void>;
  /** The archive of the name and the size of its upload; throws a Refusal when there is none. */
  take(fileName: string): Promise<{ packed: Buffer; fileSize: number }>;
  clear(): void;
}

export function openUploads({ product, stateFolder, store }: Foundation): Uploads {
  const folder = join(stateFolder, "uploads");
  store.define(
    "CREATE TABLE IF NOT EXISTS upload (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL) STRICT",
  );
  return {
    newName: () => product.uploadName.replace("%s", randomUUID()),
    async keep(fileName, packed, fileSize) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, fileName), packed, { mode: 0o600, flush: true });
      store.run("INSERT INTO upload (name, size) VALUES (?, ?)", fileName, fileSize);
      const surplus = store.all("SELECT name FROM upload ORDER BY id DESC LIMIT -1 OFFSET ?", maxUploads);
      for (const { name } of surplus) {
        store.run("DELETE FROM upload WHERE name = ?", String(name));
        await rm(join(folder, String(name)), { force: true });
      }
    },
    async take(fileName) {
      // Only issued names are known: no other path can be reached.
      const row = store.get("SELECT size FROM upload WHERE name = ?", fileName);
      const gone = (): never => {
        throw notFound(`the uploaded file ${JSON.stringify(fileName)}`);
      };
      if (row === undefined) return gone();
      const packed = await readFile(join(folder, fileName)).catch(gone);
      return { packed, fileSize: Number(row["size"]) };
    },
    clear() {
      store.run("DELETE FROM upload");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
