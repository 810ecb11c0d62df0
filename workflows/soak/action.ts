import type { Clock, GatewayUnderTest, Profile, seededRandom } from "../../harness/index.ts";
import type { FieldDevice, FieldPoint } from "../../rigs/index.ts";
import type { EventWatch } from "./eventWatch.ts";
import type { ActionId } from "./actionId.ts";

/** A point of the rig that the mix may write. */
interface WritablePoint {
  readonly device: FieldDevice;
  readonly point: FieldPoint;
}

/** What all actions of a soak share. */
export interface Workplace {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly random: ReturnType<typeof seededRandom>;
  /** Tags that can be read at any time. */
  readonly readable: readonly FieldPoint["tag"][];
  readonly writable: readonly WritablePoint[];
  readonly events: EventWatch;
  /** A name that is recognisable as the suite's, and used once. */
  name(kind: string): string;
  /** Runs one at a time, for state that two actions must not change at once. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Registers what must be undone even when the soak is interrupted; call the answer when it was. */
  undo(what: string, action: (gateway: GatewayUnderTest) => Promise<unknown>): () => void;
}

export interface Action {
  readonly id: ActionId;
  /** Why this gateway does not offer it; undefined when it does. */
  whyNot(place: Workplace): string | undefined;
  run(gateway: GatewayUnderTest, place: Workplace): Promise<void>;
}
