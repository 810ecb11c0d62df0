import type { StreamState } from "../../observation/observed.ts";
import type { Profile } from "../profile/profile.ts";
import type { Exchange } from "../../record/index.ts";
import type { Answer } from "./answer.ts";
import type { Removals } from "./removals.ts";
import type { Tape } from "./tape.ts";
import type { Transport } from "./transport.ts";

/** Shared by all sessions of one case. */
export interface SessionSurroundings {
  readonly profile: Profile;
  readonly transport: Transport;
  /** All that reaches the gateway goes through it. */
  readonly tape: Tape;
  readonly baseUrl: () => string;
  /** Added to each wait on a stream: what the line adds to an exchange. */
  readonly onTheLineMs: number;
  /** What the case itself removed: a gateway may give its id to another. */
  readonly removals: Removals;
  /** Stores an exchange in the case's record and gives it its number. */
  readonly record: {
    next(): number;
    keep(exchange: Exchange, answer?: Answer): void;
    /** A stream was opened by the exchange of this number; `state` tells how far it has come. */
    streaming?(number: number, state: () => StreamState): void;
    /** The case found that the gateway had restarted. */
    restarted?(): void;
    /** The gateway rejected the administrator's token. */
    signInEnded?(): void;
    /** The session waits for a gateway that limits the rate of requests. */
    paused?(waitMs: number): void;
  };
  readonly signal: AbortSignal;
}
