// How long after its answer a change is shown, and after its opening a stream delivers. The interface states neither: where
// a case fails, or lacks its precondition, both are measured once, and each later change and stream is followed by the time.
import type { GatewayConnection } from "../client/connection.ts";
import { isOffered } from "../../interface/operations/capabilities.ts";
import { seededRandom } from "../suite/random.ts";
import { Recorder } from "./recorder.ts";
import type { GatewayUnderTest } from "../suite/gatewayUnderTest.ts";
import type { Answer } from "../transport/answer.ts";
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
    const times = (): string => `${transport.shownAfterMs} ms, ${transport.deliversAfterMs} ms`;
    const before = times();
    const first = await attempt();
    const { verdict, reasonCode } = first.record;
    const isOpen =
      verdict === "fail" || reasonCode === "precondition-unmet" || reasonCode === "undecided-check";
    if (!isOpen || signal.aborted) return first;
    await (this.#measured ??= this.#measure());
    if (times() === before) return first;
    const again = await attempt();
    const { shownAfterMs, deliversAfterMs } = transport;
    const late = [
      ...(shownAfterMs > 0 ? [`a change is shown up to ${shownAfterMs} ms after its answer`] : []),
      ...(deliversAfterMs > 0 ? [`a stream delivers from ${deliversAfterMs} ms after its opening on`] : []),
    ];
    again.record.notes.push(`run again: ${late.join(", and ")}; each is followed by that time`);
    return again;
  }

  async #measure(): Promise<void> {
    const { profile, clock } = this.#connection;
    const view = this.#connection.view(new Recorder(), new AbortController().signal);
    const random = seededRandom(Math.round(clock.epochMs()), "shown after");
    const scratch = new CaseScratch(view, profile, random);
    // A gateway on which neither can be measured is tested without pauses.
    await this.#measureChanges(view, scratch).catch(() => undefined);
    await this.#measureStreams(view, scratch).catch(() => undefined);
    await scratch.clean(() => undefined);
  }

  /** Creates a role, and waits until the list has it. */
  async #measureChanges({ admin }: GatewayUnderTest, scratch: CaseScratch): Promise<void> {
    const { profile, clock, transport } = this.#connection;
    if (!isOffered(profile, "createRole") || !isOffered(profile, "listRoles")) return;
    const listed = async (): Promise<readonly number[]> =>
      (await admin.call("listRoles")).data().map(({ id }) => id);
    await listed();
    const { id } = await scratch.role(profile.permissions.slice(0, 1));
    const answeredMs = clock.nowMs();
    for (let readings = 1; clock.nowMs() - answeredMs < mostMs; readings++) {
      const isListed = (await listed()).includes(id);
      if (isListed && readings > 1) transport.shownAfterMs = wholeOf(clock.nowMs() - answeredMs);
      if (isListed) return;
      await clock.delay(everyMs);
    }
  }

  /** Writes a tag again and again, until a stream of its changes has sent one of the values. */
  async #measureStreams({ admin }: GatewayUnderTest, scratch: CaseScratch): Promise<void> {
    const { profile, clock, transport } = this.#connection;
    if (!profile.capabilities.has("tag-stream") || !profile.capabilities.has("virtual-tags")) return;
    const { path, tagName } = await scratch.virtualTag({ dataType: "int32" });
    const write = (dataValue: number): Promise<Answer> =>
      admin.call("writeTag", { path, json: { dataType: "int32", dataValue } });
    await write(0);
    await using stream = await admin.openTagStream(path, { tags: tagName, onChanged: true });
    const openedMs = clock.nowMs();
    const writtenMs: number[] = [];
    while (clock.nowMs() - openedMs < mostMs) {
      writtenMs.push(clock.nowMs() - openedMs);
      await write(writtenMs.length);
      await clock.delay(everyMs);
      const sent = stream.received.map(({ value }) => Number(value.dataValue)).filter((value) => value > 0);
      const [first] = sent;
      if (first === undefined) continue;
      if (first > 1) transport.deliversAfterMs = wholeOf(writtenMs[first - 1] ?? 0);
      return;
    }
  }
}
