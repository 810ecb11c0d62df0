// A soak: the mix runs against one gateway for a long time, and each interval is written to the journal.
import { randomBytes } from "node:crypto";
import {
  type Clock,
  GatewayConnection,
  type GatewayUnderTest,
  type Profile,
  scratchPrefix,
  seededRandom,
} from "../../harness/index.ts";
import { messageOf } from "../../record/index.ts";
import type { RunningGateway } from "../../rigs/index.ts";
import { chooseActions } from "./actions.ts";
import type { Workplace } from "./action.ts";
import { Follower } from "./follower.ts";
import { type FoundSettings, findSettings, restoreSettings } from "./foundState.ts";
import { type Ground, ownView, sleep } from "./ground.ts";
import { startControl } from "./control.ts";
import type { Course } from "./course.ts";
import { EventWatch } from "./eventWatch.ts";
import { FieldLoad, loadDevices } from "./fieldLoad.ts";
import { Intervals } from "./intervals.ts";
import type { JournalLine } from "./sample.ts";
import { Tally } from "./tally.ts";
import type { Mix } from "./mix.ts";
import { Pace } from "./pace.ts";
import { Restarts, scheduleReader } from "./restarts.ts";

export interface SoakOptions {
  readonly gateway: RunningGateway;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly mix: Mix;
  readonly seed: number;
  /** Seconds of soak in all; those of the course count. */
  readonly plannedSec: number;
  /** What the journal has so far. */
  readonly course: Course;
  /** Settings as the first process of the soak found them; absent for that one. */
  readonly found?: FoundSettings | undefined;
  readonly write: (line: JournalLine) => void;
  readonly signal: AbortSignal;
}

const watchEveryMs = 2000;
const rebootPatienceMs = 30_000;
const mostErrorsShown = 50;

/** Runs until the planned time has passed, the signal, or the gateway is lost; answers what could not be restored. */
export async function runSoak(options: SoakOptions): Promise<string[]> {
  const { gateway, profile, clock, course, mix, plannedSec, signal, write } = options;
  await using stack = new AsyncDisposableStack();
  const stop = new AbortController();
  const connection = stack.use(new GatewayConnection(gateway, profile, clock));
  const startedMs = clock.nowMs();
  const beforeSec = course.soakedSec;
  const soakedSec = (): number => beforeSec + (clock.nowMs() - startedMs) / 1000;
  const tell: Ground["tell"] = (kind, text) =>
    write({
      kind: "event",
      event: {
        sec: Math.round(soakedSec() * 10) / 10,
        at: new Date(clock.epochMs()).toISOString(),
        kind,
        text,
      },
    });
  let errors = 0;
  const tally = new Tally((operation, what) => {
    errors += 1;
    if (errors <= mostErrorsShown) tell("error", `${operation}: ${what}`);
  });
  const ground: Ground = {
    gateway,
    profile,
    clock,
    mix,
    connection,
    tally,
    write,
    stopped: stop.signal,
    soakedSec,
    tell,
  };
  const restarts = new Restarts(
    clock,
    {
      ordered: (text) => tell("ordered-reboot", text),
      unordered: (text) => tell("unordered-restart", text),
      note: (text) => tell("note", text),
      unreachable: (seconds) =>
        tell("unreachable", `the gateway has not answered for ${Math.round(seconds)} s`),
    },
    gateway.sightings ?? [],
    { boot: course.boot + 1, bootMs: profile.patience.bootMs },
  );
  const events = new EventWatch(clock, `soak ${randomBytes(4).toString("hex")}`, (text) =>
    tell("event-lost", text),
  );
  const load = gateway.field === undefined ? undefined : new FieldLoad(gateway.field, clock);
  const undo = new Map<string, (gateway: GatewayUnderTest) => Promise<unknown>>();
  const place = workplace(options, events, undo);
  const found = options.found ?? (await atFirst(ground));
  const { chosen, omitted } = chooseActions(mix.actions, place);
  write({ kind: "omitted", omitted });
  const control = stack.use(await startControl(clock));
  await load?.begin();
  const interrupted = (): void => restarts.interrupted();
  const follower = stack.use(new Follower(ground, events, load, interrupted));
  await follower.follow(true);
  const pace = new Pace(ground, place);

  const watch = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await sleep(ground, watchEveryMs);
      events.look();
      using view = ownView(ground);
      const isAlive = await restarts.look(scheduleReader(view.gateway));
      const lost = gateway.ended?.();
      if (lost !== undefined) {
        tell("unreachable", lost);
        return stop.abort(new Error("the gateway is lost"));
      }
      if (isAlive && !pace.isPaused && !stop.signal.aborted) await follower.follow(false);
    }
  };

  const reboots = async (): Promise<void> => {
    const everySec = mix.rebootEveryMinutes * 60;
    while (everySec > 0 && !stop.signal.aborted) {
      const dueSec = (Math.floor(soakedSec() / everySec) + 1) * everySec;
      await sleep(ground, (dueSec - soakedSec()) * 1000);
      if (stop.signal.aborted) return;
      using _paused = await pace.pause();
      restarts.order();
      using view = ownView(ground);
      await view.gateway.admin.call("setReboot", { json: { now: true } }).catch(() => undefined);
      await arrival(ground, restarts);
      await follower.follow(true);
    }
  };

  const work = [
    pace.run(chosen, interrupted),
    watch(),
    reboots(),
    new Intervals(ground, { restarts, events, load, control }).run(),
    ...(load === undefined || mix.changesPerSec === 0 ? [] : [load.run(mix.changesPerSec, stop.signal)]),
  ];
  const ended = clock
    .delay((plannedSec - beforeSec) * 1000, AbortSignal.any([signal, stop.signal]))
    .catch(() => undefined);
  try {
    // A part that fails ends the soak with its reason.
    await Promise.race([ended, ...work.map((part) => part.then(() => ended))]);
  } finally {
    stop.abort(new Error("the soak has ended"));
  }
  await Promise.all(work);
  return await restoreAll(ground, found, undo);
}

/** Reads the settings before the first change, and writes them to the journal. */
async function atFirst(ground: Ground): Promise<FoundSettings> {
  using view = ownView(ground);
  const settings = await findSettings(view.gateway);
  ground.write({ kind: "found", settings });
  return settings;
}

/** Waits until the gateway has been down and answers the administrator again. */
async function arrival(ground: Ground, restarts: Restarts): Promise<void> {
  const { clock, profile, stopped } = ground;
  const sinceMs = clock.nowMs();
  const limitMs = profile.patience.bootMs + rebootPatienceMs;
  while (!stopped.aborted && clock.nowMs() - sinceMs < limitMs) {
    await sleep(ground, 500);
    using view = ownView(ground);
    if (await restarts.hasArrived(scheduleReader(view.gateway))) return;
  }
  if (!stopped.aborted)
    ground.tell("unreachable", `no answer within ${limitMs / 1000} s after an ordered reboot`);
}

async function restoreAll(
  ground: Ground,
  found: FoundSettings,
  undo: ReadonlyMap<string, (gateway: GatewayUnderTest) => Promise<unknown>>,
): Promise<string[]> {
  if (ground.gateway.ended?.() !== undefined) return ["the gateway is lost: nothing was restored"];
  using view = ownView(ground);
  const left: string[] = [];
  for (const [what, action] of undo) {
    await action(view.gateway).catch((thrown: unknown) => void left.push(`${what}: ${messageOf(thrown)}`));
  }
  return [...left, ...(await restoreSettings(view.gateway, ground.profile, found))];
}

function workplace(
  { gateway, profile, clock, seed, course }: SoakOptions,
  events: EventWatch,
  undo: Map<string, (gateway: GatewayUnderTest) => Promise<unknown>>,
): Workplace {
  // Requests of the mix to a device of the load could be mistaken for polls.
  const forLoad = gateway.field === undefined ? [] : loadDevices(gateway.field);
  const devices = gateway.field?.devices.filter((device) => !forLoad.includes(device)) ?? [];
  const points = devices.flatMap((device) => device.points.map((point) => ({ device, point })));
  const live = profile.liveTags;
  const own = randomBytes(3).toString("hex");
  let made = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    profile,
    clock,
    // A resumed soak makes other choices, not the same ones again.
    random: seededRandom(seed, `soak from ${course.soakedSec}`),
    readable:
      points.length > 0
        ? points.filter(({ point }) => point.access !== "w").map(({ point }) => point.tag)
        : (live?.tags ?? []).map((tag) => ({
            provider: live?.provider ?? "",
            source: live?.source ?? "",
            tag,
          })),
    writable: points.filter(
      ({ device, point }) =>
        device.isSimulated &&
        point.access === "rw" &&
        point.dataType === "uint16" &&
        point.at.kind === "modbus",
    ),
    events,
    name: (kind) => `${scratchPrefix}soak-${kind}-${own}-${++made}`,
    alone: (work) => {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    undo: (what, action) => {
      undo.set(what, action);
      return () => void undo.delete(what);
    },
  };
}
