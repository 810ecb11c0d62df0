import type { Tag } from "../../../interface/resources/tags.ts";
import type { TagValue } from "./dataTypes.ts";

/** Where tags come from: the system itself, virtual tags, a field bus. */
export interface TagProvider {
  readonly name: string;
  tags(): readonly Tag[];
  /** Brings values up to date before they are read; providers that push may leave it out. */
  refresh?(source: string): void;
  /** Stores a checked value; absent for providers whose tags are never written. */
  write?(tag: Tag, value: TagValue): void | Promise<void>;
}

/** The name of a tag in one text; the separator cannot stand in any of the parts. */
export function keyOf(tag: {
  readonly prvdName: string;
  readonly srcName: string;
  readonly tagName: string;
}): string {
  return `${tag.prvdName}\u0000${tag.srcName}\u0000${tag.tagName}`;
}

export function sourceKey(provider: string, source: string): string {
  return `${provider}\u0000${source}`;
}
