// Tags that users define: definitions and last values are durable.
import { checker } from "../../../interface/validate.ts";
import { Tag, type VirtualTagInput } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../clock.ts";
import { badInput, notFound } from "../../http/refusal.ts";
import { parseJson, stringifyJson } from "../../json.ts";
import type { Store } from "../../store/store.ts";
import { type TagValue, zeroOf } from "./dataTypes.ts";
import { keyOf, type TagProvider } from "./provider.ts";
import type { ValueTable } from "./valueTable.ts";

const isTag = checker(Tag);

export class VirtualTags {
  readonly #store: Store;
  readonly #values: ValueTable;
  readonly #clock: Clock;
  readonly #tags = new Map<string, Tag>();
  readonly #builtIn: () => readonly TagProvider[];

  constructor(store: Store, values: ValueTable, clock: Clock, builtIn: () => readonly TagProvider[]) {
    this.#store = store;
    this.#values = values;
    this.#clock = clock;
    this.#builtIn = builtIn;
    store.define(
      "CREATE TABLE IF NOT EXISTS virtual_tag (key TEXT PRIMARY KEY, tag TEXT NOT NULL, value TEXT NOT NULL) STRICT",
    );
    this.load();
  }

  /** Reads definitions and values from the store. */
  load(): void {
    this.#tags.clear();
    for (const row of this.#store.all("SELECT * FROM virtual_tag ORDER BY rowid")) {
      const tag = JSON.parse(String(row["tag"])) as Tag;
      this.#tags.set(keyOf(tag), tag);
      this.#values.set(tag, parseJson(String(row["value"])) as TagValue, this.#clock.nowMs());
    }
  }

  all(): Tag[] {
    return [...this.#tags.values()];
  }

  find(name: { prvdName: string; srcName: string; tagName: string }): Tag | undefined {
    return this.#tags.get(keyOf(name));
  }

  create(input: VirtualTagInput): Tag {
    const tag = complete(input);
    if (this.#builtIn().some((provider) => provider.name === tag.prvdName))
      throw badInput(`prvdName: ${tag.prvdName} is a provider of the gateway's own`);
    if (this.#tags.has(keyOf(tag)))
      throw badInput(`tagName: the virtual tag ${tag.prvdName}/${tag.srcName}/${tag.tagName} exists already`);
    this.#put(tag, zeroOf(tag.dataType));
    return tag;
  }

  update(input: VirtualTagInput): Tag {
    const present = this.find(input);
    if (present === undefined)
      throw notFound(`the virtual tag ${input.prvdName}/${input.srcName}/${input.tagName}`);
    const tag = complete({ ...present, ...input });
    const value = this.#values.latest(present)?.value;
    const keepsValue = value !== undefined && tag.dataType === present.dataType;
    this.#put(tag, keepsValue ? value : zeroOf(tag.dataType));
    return tag;
  }

  delete(name: { prvdName: string; srcName: string; tagName: string }): Tag[] {
    const tag = this.find(name);
    if (tag === undefined) throw notFound(`the virtual tag ${name.prvdName}/${name.srcName}/${name.tagName}`);
    this.#store.run("DELETE FROM virtual_tag WHERE key = ?", keyOf(tag));
    this.#tags.delete(keyOf(tag));
    this.#values.forget(tag);
    return this.all();
  }

  write(tag: Tag, value: TagValue): void {
    this.#store.run("UPDATE virtual_tag SET value = ? WHERE key = ?", stringifyJson(value), keyOf(tag));
    this.#values.set(tag, value, this.#clock.nowMs());
  }

  /** Replaces all definitions by a checked list; in effect at the next boot or `load`. */
  replaceAll(tags: readonly Tag[]): void {
    this.#store.run("DELETE FROM virtual_tag");
    for (const tag of tags)
      this.#store.run(
        "INSERT INTO virtual_tag (key, tag, value) VALUES (?, ?, ?)",
        keyOf(tag),
        JSON.stringify(tag),
        stringifyJson(zeroOf(tag.dataType)),
      );
  }

  clear(): void {
    for (const tag of this.all()) this.delete(tag);
  }

  #put(tag: Tag, value: TagValue): void {
    this.#store.run(
      "INSERT INTO virtual_tag (key, tag, value) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET tag = excluded.tag, value = excluded.value",
      keyOf(tag),
      JSON.stringify(tag),
      stringifyJson(value),
    );
    this.#tags.set(keyOf(tag), tag);
    this.#values.set(tag, value, this.#clock.nowMs());
  }
}

function complete(input: VirtualTagInput): Tag {
  for (const name of ["prvdName", "srcName", "tagName"] as const) {
    if (input[name] === "" || input[name].includes("\u0000"))
      throw badInput(`${name}: expected 1 to 1024 characters`);
  }
  const { prvdName, srcName, tagName, dataType, access } = input;
  return {
    prvdName,
    srcName,
    tagName,
    dataType,
    dataSize: input.dataSize ?? 0,
    dataUnit: input.dataUnit ?? "",
    access,
  };
}

/** Checks a document that claims to hold virtual tags. */
export function assertVirtualTags(document: unknown): Tag[] {
  const { tags } = (document ?? {}) as { tags?: unknown };
  if (!Array.isArray(tags)) throw badInput("tagservice/general: expected a list under tags");
  for (const tag of tags as unknown[]) {
    const problem = isTag(tag)[0];
    if (problem !== undefined)
      throw badInput(
        `tagservice/general${problem.pointer}: expected ${problem.expected}, found ${problem.found}`,
      );
  }
  return tags as Tag[];
}
