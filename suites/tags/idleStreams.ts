import type { CaseContext, TagStream } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { valuesOn, verifyReceived } from "../support/onStream.ts";
import { oneTimeReason, searchesOneTime } from "../support/pastSearch.ts";
import { type OwnTag, write } from "./ownTag.ts";
import { ifMet } from "../support/ifMet.ts";
import { takenIntervalMs } from "../support/streamInterval.ts";
import { nameOf } from "../support/virtualTag.ts";

/** Time without a change after which a stream must still deliver one. */
export const idleMs: Readonly<Record<CampaignLevel, number>> = {
  smoke: 0,
  // Longer than limits of half a minute; as long as a token of a websocket is tested beside it.
  nightly: 31_000,
  certification: 60_000,
};
/**
 * Longer than the longest interval to which a gateway may limit it by mistake, and no whole seconds; two of them pass
 * while nothing changes.
 */
const slowMs = 3900;
const tolerance = 0.2;
/**
 * More than two hours; 6 s where only 16 bits of them count, and 1.3 s where they become microseconds in 32 bits. Which
 * ones a gateway takes is not stated.
 */
const longIntervalsMs = [8_591_216, 70_000] as const;
/** The present value and the first one at an interval that a gateway limits to half a minute. */
const mostOnLong = 2;
/** A search reaches further back than its value is old. */
const olderMs = 2000;
/** A stream may notice the deletion of a tag late, but not that late. */
const deletedMs = 5000;

/** A stream may begin with the present value, and some time after it was opened. */
const firstValueMs = 5000;
/** A busy gateway may send its values this much late. */
const stallMs = 3000;

/** Streams of two tags, the first of which was deleted once a value of it had arrived. */
interface WithDeleted {
  readonly deleted: OwnTag;
  readonly kept: OwnTag;
  readonly paced: TagStream;
  readonly changes: TagStream;
}

async function openDeleted(context: CaseContext, streamInterval: number): Promise<WithDeleted> {
  const { gateway, scratch } = context;
  const deleted = await scratch.virtualTag({ dataType: "int32" });
  const kept = await scratch.virtualTag({ dataType: "int32" });
  for (const tag of [deleted, kept]) await write(context, tag, 1);
  const { provider, source } = deleted.path;
  const open = (query: object): Promise<TagStream> =>
    gateway.admin.openTagStream(
      { provider, source },
      { tags: `${deleted.tagName},${kept.tagName}`, ...query },
    );
  const paced = await open({ streamInterval });
  const changes = await open({ onChanged: true });
  await paced
    .next("the first value", ({ value }) => value.tagName === deleted.tagName)
    .catch(() => undefined);
  await gateway.admin.call("deleteVirtualTag", { json: nameOf(deleted) });
  return { deleted, kept, paced, changes };
}

interface Paced {
  readonly intervalMs: number;
  readonly stream: TagStream;
}

/** Streams of a tag that does not change for a while: one of changes, and one at an interval. */
export class IdleStreams implements AsyncDisposable {
  readonly #context: CaseContext;
  readonly #tag: OwnTag;
  readonly #changes: TagStream;
  readonly #slow: TagStream;
  readonly #paced: readonly Paced[];
  readonly #deleted: WithDeleted;
  readonly #openedMs: number;
  readonly #writtenMs: number;
  readonly #long: Paced[] = [];

  private constructor(
    context: CaseContext,
    tag: OwnTag,
    writtenMs: number,
    [changes, slow]: readonly [TagStream, TagStream],
    paced: readonly Paced[],
    deleted: WithDeleted,
  ) {
    this.#context = context;
    this.#tag = tag;
    this.#writtenMs = writtenMs;
    this.#changes = changes;
    this.#slow = slow;
    this.#paced = paced;
    this.#deleted = deleted;
    this.#openedMs = context.clock.nowMs();
  }

  static async open(context: CaseContext): Promise<IdleStreams> {
    const tag = await context.scratch.virtualTag({ dataType: "int32" });
    const writtenMs = context.clock.nowMs();
    await write(context, tag, 1);
    const { provider, source } = tag.path;
    const open = (query: object): Promise<TagStream> =>
      context.gateway.admin.openTagStream({ provider, source }, { tags: tag.tagName, ...query });
    const pacedMs = await takenIntervalMs(context, tag.path);
    // Hundreds of values within the time without a change.
    const fastMs = await takenIntervalMs(context, tag.path, 25);
    const deleted = await openDeleted(context, pacedMs);
    const changes = await open({ onChanged: true });
    const slow = await open({ streamInterval: slowMs });
    const paced: Paced[] = [];
    for (const intervalMs of [pacedMs, fastMs])
      paced.push({ intervalMs, stream: await open({ streamInterval: intervalMs }) });
    return new IdleStreams(context, tag, writtenMs, [changes, slow], paced, deleted);
  }

  /** Opens a stream with a long interval, beside the others. */
  async openLong(): Promise<void> {
    const { gateway } = this.#context;
    for (const intervalMs of longIntervalsMs) {
      const query = { tags: this.#tag.tagName, streamInterval: intervalMs };
      const stream = await ifMet(gateway.admin.openTagStream(this.#tag.path, query));
      if (stream === undefined) return;
      this.#long.push({ intervalMs, stream });
      if (stream.status === 200) return;
    }
  }

  /** Checks both streams after at least so much time without a change. */
  async verify(leastIdleMs: number): Promise<void> {
    const { clock, signal, verify } = this.#context;
    await clock.delay(Math.max(0, leastIdleMs - (clock.nowMs() - this.#openedMs)), signal);
    const sinceMs = clock.nowMs();
    if (sinceMs - this.#openedMs > 2.5 * slowMs) {
      this.#verifySlow();
      this.#verifyPaced();
      this.#verifyLong();
    }
    if (sinceMs - this.#openedMs > 2 * deletedMs) {
      this.#verifyDeleted(sinceMs);
      this.#verifySilent();
      this.#verifyGoing(sinceMs);
      await this.#verifyLasting();
    } else {
      const reason = "the stream was open too shortly";
      verify("CORE-FIELD-30").notApplicable("values of a deleted tag", reason);
      for (const requirement of ["CORE-TAG-30", "CORE-TAG-48"])
        verify(requirement).notApplicable("a value that was written long ago", reason);
    }
    await this.#verifyHistory();
    await this.#verifyKept(sinceMs);
    const idleSec = ((sinceMs - this.#openedMs) / 1000).toFixed(1);
    for (const value of [2, 3, 4]) {
      await write(this.#context, this.#tag, value);
      await clock.delay(30, signal);
    }
    await this.#changes.next("the last change", ({ value }) => value.dataValue === 4).catch(() => undefined);
    verifyReceived(
      verify("CORE-TAG-52"),
      this.#changes,
      valuesOn(this.#changes).filter(({ shown }) => shown !== 1),
      [2, 3, 4],
      `changes received on a stream after ${idleSec} s without a change`,
    );
    for (const { intervalMs, stream } of this.#paced) {
      const next = await stream
        .next("a further value", ({ receivedMs }) => receivedMs >= sinceMs)
        .catch(() => undefined);
      verify("CORE-TAG-51").that(next !== undefined, {
        what: `values on a stream with streamInterval=${intervalMs} after ${idleSec} s`,
        expected: "a further value within 5 s",
        observed: next === undefined ? "no value within 5 s" : "a further value within 5 s",
        evidence: stream,
      });
    }
  }

  #verifyDeleted(sinceMs: number): void {
    const { deleted, paced } = this.#deleted;
    const late = valuesOn(paced, deleted.tagName).filter(
      ({ receivedMs }) => receivedMs > sinceMs - deletedMs,
    );
    this.#context.verify("CORE-FIELD-30").that(late.length === 0, {
      what: `values of a deleted tag on a stream that was open when it was deleted, in the last ${deletedMs / 1000} s`,
      expected: "none",
      observed: late.length === 0 ? "none" : `${late.length} values`,
      evidence: paced,
    });
  }

  /** A value that stays the same is no change, however long ago the last one was. */
  #verifySilent(): void {
    for (const [stream, tag] of [
      [this.#changes, this.#tag],
      [this.#deleted.changes, this.#deleted.kept],
    ] as const) {
      const repeated = valuesOn(stream, tag.tagName).filter(
        ({ receivedMs }) => receivedMs > this.#openedMs + firstValueMs,
      );
      this.#context.verify("CORE-TAG-53").equal(
        repeated.map(({ shown }) => shown),
        [],
        `values of an unchanged tag on a stream of changes, later than ${firstValueMs / 1000} s after it was opened`,
        stream,
      );
    }
  }

  /** Values at an interval come as long as the stream is open, however old the value is. */
  #verifyGoing(sinceMs: number): void {
    const [first] = this.#paced;
    const slow = { intervalMs: slowMs, stream: this.#slow };
    for (const { intervalMs, stream } of first === undefined ? [slow] : [first, slow]) {
      const last = valuesOn(stream).at(-1);
      if (stream.ended || stream.status !== 200 || last === undefined) continue;
      const withinMs = 2 * intervalMs + stallMs;
      this.#context.verify("CORE-TAG-51").that(sinceMs - last.receivedMs < withinMs, {
        what: `time since the last value on a stream with streamInterval=${intervalMs} of an unchanged tag`,
        expected: `less than ${withinMs} ms`,
        observed: `${Math.round(sinceMs - last.receivedMs)} ms`,
        evidence: stream,
      });
    }
  }

  /** A value is shown until the next one is written. */
  async #verifyLasting(): Promise<void> {
    const { gateway, verify } = this.#context;
    const { path, tagName } = this.#tag;
    const [read, monitored] = await Promise.all([
      gateway.admin.call("readTag", { path }),
      gateway.admin.call("monitorTags", { path, query: { tags: tagName } }),
    ]);
    const what = `of a tag that was written more than ${(2 * deletedMs) / 1000} s ago`;
    verify("CORE-TAG-30").equal(
      read.accepted ? read.body().dataValue : read.summary(),
      1,
      `direct read ${what}`,
      read,
    );
    verify("CORE-TAG-48").equal(
      [monitored.data()].flat().map(({ dataValue }) => dataValue),
      [1],
      `monitored values ${what}`,
      monitored,
    );
  }

  /** The other tag of the streams still gets its values. Whether a stream outlives the deletion is not stated. */
  async #verifyKept(sinceMs: number): Promise<void> {
    const { kept, paced, changes } = this.#deleted;
    await write(this.#context, kept, 2);
    for (const [requirement, stream, query] of [
      ["CORE-TAG-51", paced, "streamInterval"],
      ["CORE-TAG-52", changes, "onChanged"],
    ] as const) {
      const next = await stream
        .next(
          "a value of the other tag",
          ({ value, receivedMs }) =>
            receivedMs >= sinceMs && value.tagName === kept.tagName && value.dataValue === 2,
        )
        .catch(() => undefined);
      if (next === undefined && (stream.ended || stream.status !== 200)) continue;
      this.#context.verify(requirement).that(next !== undefined, {
        what: `written value of a tag on a stream with ${query} that also names a tag which was deleted`,
        expected: "2 within 5 s",
        observed: next === undefined ? "not received within 5 s" : "2 within 5 s",
        evidence: stream,
      });
    }
  }

  /** The interval of the slow stream is its own, although another stream of the tag has a shorter one. */
  #verifySlow(): void {
    if (this.#slow.status >= 400 && this.#slow.status < 500)
      return this.#context
        .verify("CORE-TAG-51")
        .notApplicable(`a stream with streamInterval=${slowMs}`, "the gateway rejects this interval");
    const arrivals = valuesOn(this.#slow).map(({ receivedMs }) => receivedMs);
    const gapsMs = arrivals.slice(1).map((ms, index) => ms - (arrivals[index] ?? ms));
    // Whether the first value comes at once, or in step with other streams, is not stated; a single one may be late.
    const regular = gapsMs.slice(gapsMs.length > 1 ? 1 : 0).toSorted((a, b) => a - b);
    const usualMs = regular[Math.floor((regular.length - 1) / 2)] ?? 0;
    this.#context
      .verify("CORE-TAG-51")
      .that(usualMs > slowMs * (1 - tolerance) && usualMs < slowMs * (1 + tolerance), {
        what: `time between values on a stream with streamInterval=${slowMs} beside shorter ones`,
        expected: `${(1 - tolerance) * slowMs} to ${(1 + tolerance) * slowMs} ms`,
        observed:
          gapsMs.length === 0
            ? "fewer than two values"
            : `${gapsMs.slice(0, 5).map(Math.round).join(", ")} ms`,
        evidence: this.#slow,
      });
  }

  /** Streams that were opened after the slow one have a shorter interval than it. */
  #verifyPaced(): void {
    const [first] = this.#paced;
    const arrivals = first === undefined ? [] : valuesOn(first.stream);
    // One that has ended is noticed by its next value.
    if (first === undefined || first.stream.ended || first.stream.status !== 200) return;
    const spanMs = (arrivals.at(-1)?.receivedMs ?? 0) - (arrivals[0]?.receivedMs ?? 0);
    const meanMs = spanMs / Math.max(1, arrivals.length - 1);
    this.#context.verify("CORE-TAG-51").that(arrivals.length > 1 && meanMs < slowMs / 2, {
      what: `mean time between values on a stream with streamInterval=${first.intervalMs} beside one with ${slowMs}`,
      expected: `less than ${slowMs / 2} ms`,
      observed: arrivals.length < 2 ? "fewer than two values" : `${Math.round(meanMs)} ms`,
      evidence: first.stream,
    });
  }

  /** Nothing was written since the stream was opened. */
  #verifyLong(): void {
    for (const { intervalMs, stream } of this.#long) {
      if (stream.status !== 200) continue;
      const { length } = valuesOn(stream);
      this.#context.verify("CORE-TAG-51").that(length <= mostOnLong, {
        what: `number of values on a stream with streamInterval=${intervalMs} that was open for half a minute`,
        expected: `at most ${mostOnLong}`,
        observed: length,
        evidence: stream,
      });
    }
  }

  /** A value that was written when the case began is part of the history, where that is declared to reach so far back. */
  async #verifyHistory(): Promise<void> {
    const { clock, gateway, profile, verify } = this.#context;
    const { provider, source } = this.#tag.path;
    const { tagName } = this.#tag;
    const ageMs = clock.nowMs() - this.#writtenMs;
    const ms = Math.ceil(ageMs / 1000) * 1000 + olderMs;
    const what = `value written ${Math.round(ageMs / 1000)} s ago, with \`ms=${ms}\``;
    const answer = await gateway.admin.call("monitorTags", {
      path: { provider, source },
      query: { tags: tagName, ms },
    });
    const decided = verify("CORE-TAG-50");
    if (answer.rejected) return decided.notApplicable(what, "the gateway rejects the search");
    const isShown = [answer.data()].flat().some(({ dataValue }) => dataValue === 1);
    if (!isShown && (await searchesOneTime(this.#context))) return decided.notApplicable(what, oneTimeReason);
    // How long a gateway keeps values is not stated.
    if (!isShown && ageMs > (profile.tagHistorySec ?? 0) * 1000)
      return decided.notApplicable(
        what,
        "the profile does not declare a history of this length (tagHistorySec)",
      );
    decided.that(isShown, {
      what,
      expected: "shown",
      observed: isShown ? "shown" : "missing",
      evidence: answer,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const paced = [...this.#paced, ...this.#long].map(({ stream }) => stream);
    const streams = [this.#changes, this.#slow, this.#deleted.paced, this.#deleted.changes, ...paced];
    await Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()));
  }
}
