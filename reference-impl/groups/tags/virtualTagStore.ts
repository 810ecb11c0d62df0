// Durable parts of virtual tags: their definitions and last values.
import Type from "typebox";
import { Tag } from "../../../interface/resources/tags.ts";
import { checker } from "../../../interface/schema/validate.ts";
import { parseJson } from "../../base/json.ts";
import type { Store } from "../../store/store.ts";
import { toTagValue, zeroOf } from "./dataTypes.ts";
import { literal } from "./frame.ts";
import type { Sample } from "./history.ts";
import { keyOf } from "./names.ts";

const isTag = checker(Tag);
const isSample = checker(Type.Object({ value: Type.Any(), ts: Type.Integer() }));

export class VirtualTagStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    store.define(
      "CREATE TABLE IF NOT EXISTS virtual_tag (key TEXT PRIMARY KEY, tag TEXT NOT NULL, value TEXT NOT NULL) STRICT",
    );
  }

  /** All definitions in the order of their creation; a value that cannot be read becomes zero. */
  all(nowMs: number): { tag: Tag; sample: Sample }[] {
    return this.#store.all("SELECT tag, value FROM virtual_tag ORDER BY rowid").flatMap((row) => {
      const stored: unknown = JSON.parse(String(row["tag"]));
      if (isTag(stored).length > 0) return [];
      const tag = stored as Tag;
      return [
        { tag, sample: sampleOf(tag, String(row["value"])) ?? { value: zeroOf(tag.dataType), ts: nowMs } },
      ];
    });
  }

  put(tag: Tag, sample: Sample): void {
    this.#store.run(
      "INSERT INTO virtual_tag (key, tag, value) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET tag = excluded.tag, value = excluded.value",
      keyOf(tag),
      JSON.stringify(tag),
      textOf(sample),
    );
  }

  write(tag: Tag, sample: Sample): void {
    this.#store.run("UPDATE virtual_tag SET value = ? WHERE key = ?", textOf(sample), keyOf(tag));
  }

  delete(tag: Tag): void {
    this.#store.run("DELETE FROM virtual_tag WHERE key = ?", keyOf(tag));
  }

  clear(): void {
    this.#store.run("DELETE FROM virtual_tag");
  }

  /** Puts a whole list in place of the present one; a tag that keeps its type keeps its value. */
  replaceAll(tags: readonly Tag[], nowMs: number): void {
    this.#store.transaction(() => {
      const present = new Map(this.all(nowMs).map((entry) => [keyOf(entry.tag), entry]));
      this.clear();
      for (const tag of tags) {
        const before = present.get(keyOf(tag));
        const isSame = before?.tag.dataType === tag.dataType && before.tag.dataSize === tag.dataSize;
        this.put(tag, isSame ? before.sample : { value: zeroOf(tag.dataType), ts: nowMs });
      }
    });
  }
}

function textOf({ value, ts }: Sample): string {
  return `{"value":${literal(value)},"ts":${ts}}`;
}

function sampleOf(tag: Tag, text: string): Sample | undefined {
  const stored = parseJson(text);
  if (isSample(stored).length > 0) return undefined;
  const { value, ts } = stored as { value: unknown; ts: number };
  try {
    return { value: toTagValue(tag.dataType, tag.dataSize, value), ts };
  } catch {
    return undefined;
  }
}
