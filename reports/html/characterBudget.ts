import type { Html } from "../markup/template.ts";

/** Limits the markup of one part of the page: the page must stay small enough for an e-mail. */
export class CharacterBudget {
  #charactersLeft: number;

  constructor(characters: number) {
    this.#charactersLeft = characters;
  }

  /** Whether the markup fits; if so, its characters are subtracted. */
  take(view: Html): boolean {
    if (view.markup.length > this.#charactersLeft) return false;
    this.#charactersLeft -= view.markup.length;
    return true;
  }

  /** The views that fit, in order, up to the first that does not; later ones are not rendered. */
  *fitting<T>(items: Iterable<T>, view: (item: T) => Html): Generator<Html> {
    for (const item of items) {
      const made = view(item);
      if (!this.take(made)) return;
      yield made;
    }
  }
}
