// What all parts of a running soak share.
import type { Clock, GatewayConnection, GatewayUnderTest, Profile } from "../../harness/index.ts";
import type { SoakEvent } from "../../record/index.ts";
import type { RunningGateway } from "../../rigs/index.ts";
import type { JournalLine } from "./sample.ts";
import type { Tally } from "./tally.ts";
import type { Mix } from "./mix.ts";

export interface Ground {
  readonly gateway: RunningGateway;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly mix: Mix;
  readonly connection: GatewayConnection;
  readonly tally: Tally;
  readonly write: (line: JournalLine) => void;
  /** Aborted when the soak ends, for any reason. */
  readonly stopped: AbortSignal;
  /** Seconds of soak until now, those before an interruption included. */
  readonly soakedSec: () => number;
  readonly tell: (kind: SoakEvent["kind"], text: string) => void;
}

/** Waits; the end of the soak ends the wait too. */
export async function sleep(
  { clock, stopped }: Pick<Ground, "clock" | "stopped">,
  ms: number,
): Promise<void> {
  await clock.delay(ms, stopped).catch(() => undefined);
}

/** A view of the gateway with a signal of its own: what it registers ends with it. */
export interface OwnView extends Disposable {
  readonly gateway: GatewayUnderTest;
}

export function ownView({ connection, tally }: Pick<Ground, "connection" | "tally">): OwnView {
  const own = new AbortController();
  return {
    gateway: connection.view(tally, own.signal),
    [Symbol.dispose]: () => own.abort(new Error("the view was closed")),
  };
}
