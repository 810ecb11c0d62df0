// The names of one gateway in one play: the label of each of its ids.
import type { ThingKind } from "../../interface/behaviour/behaviour.ts";
import { thing } from "../../interface/behaviour/index.ts";
import { type Profile, scratchPrefix } from "../../harness/index.ts";
import type { Vocabulary } from "./canonical.ts";
import type { Reference } from "./step.ts";

/** Something that a step made. */
interface Made {
  readonly kind: ThingKind;
  readonly id: unknown;
}

/** Things from before, or left by another play, have their own names. */
const foreignMark = "@";

export class Names implements Vocabulary {
  readonly #profile: Profile;
  readonly #prefix: string;
  readonly #made = new Map<string, Made>();
  readonly #labels = new Map<string, string>();
  readonly #leftovers: Set<string>;
  readonly files = new Map<string, { fileName: string; content: Uint8Array }>();

  /**
   * `play` makes the names of this play different from those of any other; both gateways get the same. `leftovers` are
   * things that earlier plays made on this gateway, in case they could not be removed.
   */
  constructor(profile: Profile, play: string, leftovers = new Set<string>()) {
    this.#profile = profile;
    this.#leftovers = leftovers;
    this.#prefix = `${scratchPrefix}${play}-`;
  }

  made(label: string, kind: ThingKind, id: unknown): void {
    this.#made.set(label, { kind, id });
    this.#labels.set(`${kind} ${String(id)}`, label);
  }

  /** Things made so far belong to no play from now on. */
  leaveAll(): void {
    for (const { kind, id } of this.#made.values()) this.#leftovers.add(`${kind} ${String(id)}`);
  }

  /** Everything that was made, in order. */
  all(): { label: string; kind: ThingKind; id: unknown }[] {
    return [...this.#made].map(([label, made]) => ({ label, ...made }));
  }

  label(kind: ThingKind, key: unknown, shown?: Readonly<Record<string, unknown>>): string {
    const { keyFrom } = thing(kind);
    if (keyFrom === "interface") return String(key);
    const own = this.#labels.get(`${kind} ${String(key)}`);
    if (own !== undefined) return own;
    if (this.#leftovers.has(`${kind} ${String(key)}`)) return foreignMark + scratchPrefix;
    const name = shown?.["name"];
    const text = keyFrom === "gateway" && typeof name === "string" ? name : String(key);
    return text.startsWith(this.#prefix) ? text.slice(this.#prefix.length) : foreignMark + text;
  }

  text(text: string): string {
    const { provider, source } = this.#profile.virtualTags;
    if (text === provider) return "(provider)";
    if (text === source) return "(source)";
    return text.replaceAll(this.#prefix, "");
  }

  isOwn(label: string): boolean {
    return !label.startsWith(foreignMark);
  }

  isLeftover(label: string): boolean {
    return label.startsWith(foreignMark + scratchPrefix);
  }

  lookUp(reference: Reference): unknown {
    if ("$id" in reference) return this.#made.get(reference.$id)?.id;
    if ("$name" in reference) return this.#prefix + reference.$name;
    if ("$file" in reference) return this.files.get(reference.$file);
    const { provider, source } = this.#profile.virtualTags;
    return reference.$profile === "tagProvider" ? provider : source;
  }
}
