// Where tags come from, and the providers that this gateway has.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { TagValue } from "./dataTypes.ts";
import type { Sample } from "./history.ts";

/**
 * A built-in source of tags: the system itself, a simulator, a field bus. It puts the values of its tags into the
 * value table whenever it has them; what follows (monitoring, history, streams) is not its business.
 */
export interface TagProvider {
  readonly name: string;
  /** Its tags at this moment; the same objects as long as a tag stays the same. */
  tags(): readonly Tag[];
  /** Puts the present values of a source into the table; providers that push by themselves leave it out. */
  refresh?(source: string): void;
  /** Reads one value from the device itself; without it a direct read answers the last value in the table. */
  read?(tag: Tag): Promise<Sample>;
  /** Writes a checked value to the device; absent where tags are never written. Throws a Refusal when it cannot. */
  write?(tag: Tag, value: TagValue): void | Promise<void>;
}

/** The built-in providers. The tags of a provider whose app does not run are not there. */
export class TagRegistry {
  readonly #providers = new Map<string, TagProvider>();
  readonly #isRunning: (provider: string) => boolean;

  constructor(isRunning: (provider: string) => boolean) {
    this.#isRunning = isRunning;
  }

  /** Plugs a provider in; disposing the answer takes it out again. The name must be free. */
  add(provider: TagProvider): Disposable {
    if (this.#providers.has(provider.name))
      throw new Error(`there is a tag provider ${provider.name} already`);
    this.#providers.set(provider.name, provider);
    return { [Symbol.dispose]: () => void this.#providers.delete(provider.name) };
  }

  get(name: string): TagProvider | undefined {
    return this.#providers.get(name);
  }

  /** Tags of one provider, or of all. */
  tags(name?: string): readonly Tag[] {
    if (name === undefined) return [...this.#providers.keys()].flatMap((one) => this.tags(one));
    const provider = this.#providers.get(name);
    return provider !== undefined && this.#isRunning(name) ? provider.tags() : [];
  }
}
