// Roles and users of ended cases, for reuse: the interface removes neither, and a nightly run needs some two hundred of each.

/** Under which the record of a case tells what it reused. */
export const spareKeys = ["spare role", "spare user", "resting role"] as const;

export interface Spare {
  readonly id: number;
  readonly name: string;
}

export class Spares {
  readonly #free = { role: [] as Spare[], user: [] as Spare[] };
  /** Id of a role without permissions; users that nobody uses have it alone. */
  restingRole: number | undefined;

  /** The one that rests longest. */
  take(kind: "role" | "user"): Spare | undefined {
    return this.#free[kind].shift();
  }

  keep(kind: "role" | "user", spare: Spare): void {
    this.#free[kind].push(spare);
  }
}
