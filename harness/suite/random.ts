// Seeded choices: the same seed gives a case the same choices again.

export interface Random {
  readonly seed: number;
  /** Integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T;
  /** Lower-case letters and digits, first a letter. */
  word(length: number): string;
  /** The items in another order. */
  shuffle<T>(items: readonly T[]): T[];
}

/** A generator of its own for each case, from the campaign's seed and the case's id. */
export function seededRandom(seed: number, caseId = ""): Random {
  let state = mix(seed, caseId);
  // mulberry32: small, fast and good enough to choose test data.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return {
    seed,
    integer,
    pick: (items) => items[integer(0, items.length - 1)] as (typeof items)[number],
    word: (length) =>
      Array.from({ length }, (_, i) => {
        const alphabet = i === 0 ? letters : `${letters}0123456789`;
        return alphabet[integer(0, alphabet.length - 1)];
      }).join(""),
    shuffle(items) {
      const shuffled = [...items];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = integer(0, i);
        [shuffled[i], shuffled[j]] = [
          shuffled[j] as (typeof items)[number],
          shuffled[i] as (typeof items)[number],
        ];
      }
      return shuffled;
    },
  };
}

function mix(seed: number, text: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
