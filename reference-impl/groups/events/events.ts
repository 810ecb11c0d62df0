// Group 10: the event log, its configuration, its catalogue and its streams.
import Type, { type Static } from "typebox";
import { eventOrigins } from "../../../interface/catalogue.ts";
import { type EventKind, type EventRecord, severities } from "../../../interface/resources/events.ts";
import { timestamp } from "../../base/clock.ts";
import { listDisks, stateDiskName } from "../../foundation/disks.ts";
import type { EventRaiser, Foundation, Group } from "../../foundation/gateway.ts";
import { type Answer, type Call, data, json } from "../../http/handler.ts";
import { openPushStream } from "../../http/pushStream.ts";
import { badInput } from "../../base/refusal.ts";
import { cacheSizeOf } from "../../store/cacheSize.ts";
import { openSetting } from "../../store/setting.ts";
import { zipOf } from "../../base/zip.ts";
import { EventLog, type NewEvent } from "./eventLog.ts";
import { type EventPageQuery, fits, readQuery } from "./eventQuery.ts";

export interface Events extends Group, EventRaiser {
  readonly log: EventLog;
  subscribe(listener: (event: EventRecord) => void): Disposable;
}

const Settings = Type.Object({
  desiredDiskCacheSizeMB: Type.Integer(),
  enable: Type.Boolean(),
  enableTimeToLiveSec: Type.Boolean(),
  reachThresholdPolicy: Type.Enum(["rotate", "stop"]),
  targetDiskName: Type.String(),
  timeToLiveSec: Type.Integer(),
});
type Settings = Static<typeof Settings>;

const Switches = Type.Record(Type.String(), Type.Boolean());
const sweepEveryMs = 500;
const maxTextLength = 4096;
const resumeLimit = 10_000;
const bytesPerMegabyte = 1024 * 1024;

export function createEvents(foundation: Omit<Foundation, "events">): Events {
  const { clock, product, stateFolder } = foundation;
  const log = new EventLog(foundation.store, product.conduct.eventIds);
  const settings = openSetting(foundation.store, "events", Settings, () => ({
    desiredDiskCacheSizeMB: 64,
    enable: true,
    enableTimeToLiveSec: false,
    reachThresholdPolicy: "rotate" as const,
    targetDiskName: stateDiskName,
    timeToLiveSec: 0,
  }));
  const switches = openSetting(foundation.store, "event-kinds", Switches, () => ({}));
  let sweeper: Disposable | undefined;
  /** Entries that were answered and are recorded later. */
  const waiting = new Map<Disposable, NewEvent>();
  /** The kinds before their last change, which may take effect later than it is answered. */
  let former: { readonly kinds: readonly EventKind[]; readonly atMs: number } = {
    kinds: [],
    atMs: -Infinity,
  };
  const arrivals: { readonly atMs: number; readonly newest: number }[] = [];

  const now = (): string => {
    const { eventTimeStepMs } = product.conduct;
    return timestamp(Math.floor(clock.nowMs() / eventTimeStepMs) * eventTimeStepMs);
  };
  const kinds = (): EventKind[] => {
    const changed = switches.get();
    return product.eventKinds.map((kind) => ({ ...kind, enable: changed[String(kind.id)] ?? kind.enable }));
  };
  const isFull = (): boolean => log.bytes >= settings.get().desiredDiskCacheSizeMB * bytesPerMegabyte;

  const isAccepting = (): boolean => {
    const { enable, reachThresholdPolicy } = settings.get();
    return enable && !(reachThresholdPolicy === "stop" && isFull());
  };
  /** Records unless recording is off or the log is full and must not rotate; answers whether it was recorded. */
  const record = (event: NewEvent): boolean => {
    if (!isAccepting()) return false;
    if (isFull()) log.shrinkTo(settings.get().desiredDiskCacheSizeMB * bytesPerMegabyte);
    log.insert([event]);
    return true;
  };
  const recordLater = (event: NewEvent, delayMs: number): boolean => {
    if (!isAccepting()) return false;
    const timer = clock.after(delayMs, () => {
      waiting.delete(timer);
      record(event);
    });
    waiting.set(timer, event);
    return true;
  };

  const sweep = (): void => {
    const { enableTimeToLiveSec, timeToLiveSec, reachThresholdPolicy, desiredDiskCacheSizeMB } =
      settings.get();
    const { agesFromArrival, hidesOldEvents } = product.conduct;
    if (agesFromArrival && arrivals.at(-1)?.newest !== log.newest)
      arrivals.push({ atMs: clock.nowMs(), newest: log.newest });
    const limitMs = clock.nowMs() - timeToLiveSec * 1000;
    const isLimited = enableTimeToLiveSec && timeToLiveSec > 0;
    if (hidesOldEvents) log.hideOlderThan(isLimited ? limitMs : undefined);
    else if (isLimited)
      if (agesFromArrival) log.removeUpTo(arrivals.findLast(({ atMs }) => atMs < limitMs)?.newest ?? 0);
      else log.removeOlderThan(limitMs);
    if (reachThresholdPolicy === "rotate") log.shrinkTo(desiredDiskCacheSizeMB * bytesPerMegabyte);
    sweeper = clock.after(sweepEveryMs, sweep);
  };

  const raise: EventRaiser["raise"] = (kindId, detail) => {
    const kind = kinds().find((one) => one.id === kindId);
    const isFollowing = clock.nowMs() - former.atMs < product.conduct.eventKindsFollowAfterMs;
    const isEnabled = isFollowing ? former.kinds.find(({ id }) => id === kindId)?.enable : kind?.enable;
    if (kind === undefined || isEnabled !== true) return;
    record({
      category: kind.category,
      event: kind.event,
      severity: kind.severity,
      message: detail.message,
      origin: detail.origin ?? "system",
      user: detail.user ?? "",
      userOrigin: detail.userOrigin ?? "",
      createdAt: now(),
    });
  };

  const createEvent = (call: Call): Answer => {
    const body = call.body as Partial<NewEvent> & { category: string; event: string; origin: string };
    for (const [name, value] of Object.entries(body)) {
      if (typeof value === "string" && value.length > maxTextLength)
        throw badInput(`${name}: expected at most ${maxTextLength} characters`);
    }
    for (const name of ["category", "event", "origin"] as const)
      if (body[name] === "") throw badInput(`${name}: expected a text, found an empty one`);
    const { recordsAfterMs, rejectsLostEvents } = product.conduct;
    const entry = {
      category: body.category,
      event: body.event,
      origin: body.origin,
      message: body.message ?? "",
      severity: body.severity ?? "info",
      user: body.user ?? call.caller?.name ?? "",
      userOrigin: body.userOrigin ?? call.address,
      createdAt: body.createdAt ?? now(),
    };
    const isRecorded = recordsAfterMs > 0 ? recordLater(entry, recordsAfterMs) : record(entry);
    if (!isRecorded && rejectsLostEvents)
      throw badInput("the event log accepts no entries: it is disabled, or full with the policy stop");
    return data("ok");
  };

  const getEvents = async (call: Call): Promise<Answer> => {
    const query = readQuery(call, product.conduct.keywordsFitParts);
    if (call.query["event"] === true) return stream(call, query);
    if (call.query["download"] === true) {
      const lines = log
        .page({ ...query, limit: call.query["limit"] === undefined ? 1_000_000 : query.limit })
        .map((event) => JSON.stringify(event));
      const content = await zipOf([
        { name: "events.jsonl", content: Buffer.from(lines.map((line) => `${line}\n`).join("")) },
      ]);
      return { kind: "file", contentType: "application/zip", fileName: "events.zip", content };
    }
    const page = log.page(query);
    return json({
      count: page.length,
      data: page,
      limit: query.limit,
      offset: query.offset,
      total: log.total(query),
    });
  };

  const stream = (call: Call, query: EventPageQuery): Answer => ({
    kind: "stream",
    run(response) {
      let subscription: Disposable | undefined;
      const push = openPushStream(response, call.signal, clock, () => subscription?.[Symbol.dispose]());
      push.write(": connected\n\n");
      const send = (event: EventRecord): void =>
        push.write(`id:${event.id}\nevent:message\ndata:${JSON.stringify(event)}\n\n`);
      const lastId = Number(call.headers["last-event-id"]);
      if (Number.isSafeInteger(lastId) && call.headers["last-event-id"] !== undefined)
        log.after(lastId, query, resumeLimit).forEach(send);
      subscription = log.subscribe((event) => void (fits(query, event) && send(event)));
    },
  });

  const showSettings = (): object => ({
    ...settings.get(),
    disks: listDisks(stateFolder, product.moreDisks),
  });
  const setConfiguration = (call: Call): Answer => {
    const body = call.body as Partial<Settings>;
    const present = settings.get();
    if (
      body.targetDiskName !== undefined &&
      !listDisks(stateFolder, product.moreDisks).some((disk) => disk.name === body.targetDiskName)
    ) {
      throw badInput(`targetDiskName: ${JSON.stringify(body.targetDiskName)} is no disk of this gateway`);
    }
    settings.set({
      desiredDiskCacheSizeMB: cacheSizeOf(
        call.body["desiredDiskCacheSizeMB"],
        present.desiredDiskCacheSizeMB,
      ),
      enable: body.enable ?? present.enable,
      enableTimeToLiveSec: body.enableTimeToLiveSec ?? present.enableTimeToLiveSec,
      reachThresholdPolicy: body.reachThresholdPolicy ?? present.reachThresholdPolicy,
      targetDiskName: body.targetDiskName ?? present.targetDiskName,
      timeToLiveSec: body.timeToLiveSec ?? present.timeToLiveSec,
    });
    return data(showSettings());
  };

  const catalogue = (): Answer =>
    data({
      categories: [
        ...new Set([...product.eventCategories, ...product.eventKinds.map((kind) => kind.category)]),
      ],
      eventNames: [...new Set(product.eventKinds.map((kind) => kind.event))],
      events: kinds(),
      origins: [...eventOrigins],
      severities: [...severities],
    });
  const updateKinds = (call: Call): Answer => {
    const { events } = call.body as {
      events: { id?: number; category?: string; event?: string; enable: boolean }[];
    };
    const next = { ...switches.get() };
    for (const { id, category, event, enable } of events) {
      const kind = product.eventKinds.find((one) =>
        id === undefined ? one.category === category && one.event === event : one.id === id,
      );
      if (kind === undefined)
        throw badInput(`events: ${JSON.stringify(id ?? `${category}/${event}`)} is no event kind`);
      next[String(kind.id)] = enable;
    }
    former = { kinds: kinds(), atMs: clock.nowMs() };
    switches.set(next);
    return catalogue();
  };

  return {
    log,
    raise,
    subscribe: (listener) => log.subscribe(listener),
    handlers: {
      getEvents,
      createEvent,
      clearEvents: () => {
        log.clear();
        return data("ok");
      },
      getEventConfiguration: () => data(showSettings()),
      setEventConfiguration: setConfiguration,
      getEventCatalogue: catalogue,
      updateEventKinds: updateKinds,
    },
    services: [
      {
        id: "eventlog",
        isAvailable: () => true,
        isEnabled: () => settings.get().enable,
        switchTo: (enable) => void settings.update({ enable }),
      },
    ],
    settings: [settings, switches],
    resetParts: [
      {
        scopes: ["eventlog"],
        reset() {
          settings.reset();
          switches.reset();
          log.clear();
        },
      },
    ],
    start: sweep,
    [Symbol.asyncDispose]() {
      sweeper?.[Symbol.dispose]();
      for (const [timer, event] of waiting) {
        timer[Symbol.dispose]();
        record(event);
      }
      return Promise.resolve();
    },
  };
}
