// Roles and users of ended cases, for reuse: the interface removes neither, and a nightly run needs some two hundred of each.

/** `rejected user`: a sign-in of this user failed, and gateways lock such accounts for a while. */
export type SpareKind = "role" | "user" | "rejected user";

export interface Spare {
  readonly id: number;
  readonly name: string;
}

/** Under which the record of a case tells what it reused. */
export const spareKeys = ["spare role", "spare user", "spare rejected user", "resting role"] as const;

export class Spares {
  readonly #free: Readonly<Record<SpareKind, Spare[]>> = { role: [], user: [], "rejected user": [] };
  /** Id of a role without permissions; users that nobody uses have it alone. */
  restingRole: number | undefined;

  /** The one that rests longest. */
  take(kind: SpareKind): Spare | undefined {
    return this.#free[kind].shift();
  }

  keep(kind: SpareKind, spare: Spare): void {
    this.#free[kind].push(spare);
  }
}
