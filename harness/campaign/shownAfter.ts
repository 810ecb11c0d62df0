// How long after its answer a change is shown. The interface does not state it: where a case fails, or lacks its
// precondition, it is measured once, and each later change is followed by that time.
import type { GatewayConnection } from "../client/connection.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { seededRandom } from "../suite/random.ts";
import { Recorder } from "./recorder.ts";
import { CaseScratch } from "./scratch.ts";
import type { FinishedCase } from "./caseRun.ts";

/** Later than this a change counts as one that was not made. */
const mostMs = 1000;
const everyMs = 20;
/** One change may be shown later than another. */
const wholeOf = (measuredMs: number): number => Math.ceil(2 * measuredMs) + 100;

export class ShownAfter {
  readonly #connection: GatewayConnection;
  #measured: Promise<void> | undefined;

  constructor(connection: GatewayConnection) {
    this.#connection = connection;
  }

  /** Runs the case; once more where it may have read what the gateway did not show yet. */
  async run(attempt: () => Promise<FinishedCase>, signal: AbortSignal): Promise<FinishedCase> {
    const { transport } = this.#connection;
    const beforeMs = transport.shownAfterMs;
    const first = await attempt();
    const { verdict, reasonCode } = first.record;
    const isOpen =
      verdict === "fail" || reasonCode === "precondition-unmet" || reasonCode === "undecided-check";
    if (!isOpen || signal.aborted) return first;
    await (this.#measured ??= this.#measure().catch(() => undefined));
    if (transport.shownAfterMs === beforeMs) return first;
    const again = await attempt();
    again.record.notes.push(
      `run again: a change is shown up to ${transport.shownAfterMs} ms after its answer, and each is followed by that time`,
    );
    return again;
  }

  /** Creates a role, and waits until the list has it. */
  async #measure(): Promise<void> {
    const { profile, clock, transport } = this.#connection;
    if (!isOffered(profile, "createRole") || !isOffered(profile, "listRoles")) return;
    const view = this.#connection.view(new Recorder(), new AbortController().signal);
    const scratch = new CaseScratch(view, profile, seededRandom(Math.round(clock.epochMs()), "shown after"));
    const listed = async (): Promise<readonly number[]> =>
      (await view.admin.call("listRoles")).data().map(({ id }) => id);
    await listed();
    try {
      const { id } = await scratch.role(profile.permissions.slice(0, 1));
      const answeredMs = clock.nowMs();
      for (let readings = 1; clock.nowMs() - answeredMs < mostMs; readings++) {
        const isListed = (await listed()).includes(id);
        if (isListed && readings > 1) transport.shownAfterMs = wholeOf(clock.nowMs() - answeredMs);
        if (isListed) return;
        await clock.delay(everyMs);
      }
    } finally {
      await scratch.clean(() => undefined);
    }
  }
}
