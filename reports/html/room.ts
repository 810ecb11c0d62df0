import type { Html } from "../markup/template.ts";

/** How many characters of markup a part of the page may still take: the page must stay small enough to be mailed. */
export class Room {
  #charactersLeft: number;

  constructor(characters: number) {
    this.#charactersLeft = characters;
  }

  /** Whether the markup still fits; if so, its room is taken. */
  take(view: Html): boolean {
    if (view.markup.length > this.#charactersLeft) return false;
    this.#charactersLeft -= view.markup.length;
    return true;
  }

  /** The views that still fit, in order, ending at the first that does not; later ones are not even made. */
  *fitting<T>(items: Iterable<T>, view: (item: T) => Html): Generator<Html> {
    for (const item of items) {
      const made = view(item);
      if (!this.take(made)) return;
      yield made;
    }
  }
}
