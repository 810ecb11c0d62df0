// Names of tags as keys.

/** The three parts of the name of a tag. */
export interface TagName {
  readonly prvdName: string;
  readonly srcName: string;
  readonly tagName: string;
}

const known = new WeakMap<TagName, string>();

/** The name of a tag in one text; the separator cannot stand in any of the parts. */
export function keyOf(tag: TagName): string {
  let key = known.get(tag);
  if (key === undefined) {
    key = `${tag.prvdName}\u0000${tag.srcName}\u0000${tag.tagName}`;
    known.set(tag, key);
  }
  return key;
}

export function sourceKey(provider: string, source: string): string {
  return `${provider}\u0000${source}`;
}
