// Simulated field devices in a process of their own.
import { type ChildProcess, fork } from "node:child_process";
import type { FieldDevice } from "../field/device.ts";
import type { PointValue } from "../field/point.ts";
import { type InstantMs, machineOffsetMs } from "../host/instant.ts";
import type { Act, Message, Outcome, Request, StartedDevice } from "./messages.ts";
import type { SimulatedDevice } from "./simulated.ts";
import { type DeviceVitals, VitalSigns } from "./vitals.ts";

const program = new URL("./main.ts", import.meta.url);
const endWithinMs = 5000;

export interface FieldProcess extends AsyncDisposable {
  /** In the order of their descriptions. */
  readonly devices: readonly FieldDevice[];
  /** Longest time in milliseconds that the devices stood still since the instant (`performance.now()`). */
  stoodStillMs(sinceMs: number): number;
}

interface Pending {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: Error) => void;
}

/** Starts the devices; throws an Error that names the device or its address when one cannot be started. */
export async function startFieldProcess(descriptions: readonly SimulatedDevice[]): Promise<FieldProcess> {
  if (descriptions.length === 0)
    return { devices: [], stoodStillMs: () => 0, [Symbol.asyncDispose]: () => Promise.resolve() };
  const child = fork(program, {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const vitals = new VitalSigns();
  const pending = new Map<number, Pending>();
  const started = Promise.withResolvers<readonly StartedDevice[]>();
  let asked = 0;
  let over: Error | undefined;
  const end = (reason: Error): void => {
    over ??= reason;
    started.reject(over);
    for (const { reject } of pending.values()) reject(over);
    pending.clear();
  };
  child.on("message", (message: Message) => {
    switch (message.kind) {
      case "started":
        return started.resolve(message.devices);
      case "not-started":
        return end(new Error(message.error));
      case "vitals":
        return vitals.take(message.vitals);
      case "done":
        pending.get(message.id)?.resolve(message.outcome);
        break;
      case "failed":
        pending.get(message.id)?.reject(new Error(message.error));
    }
    pending.delete(message.id);
  });
  child.on("error", end);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void exited.then(() => end(new Error("the process of the simulated field devices has ended")));
  const send = (request: Request): void => void child.send(request, (thrown) => thrown && end(thrown));
  const ask = (device: number, what: Act): Promise<Outcome> => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    if (over === undefined) {
      asked += 1;
      pending.set(asked, { resolve, reject });
      send({ kind: "act", id: asked, device, what });
    } else reject(over);
    return promise;
  };
  try {
    send({ kind: "start", devices: descriptions });
    const facts = await started.promise;
    return {
      devices: descriptions.map((description, index) =>
        deviceAt(description, facts[index], {
          ask: (what) => ask(index, what),
          vitals: () => vitals.of(index),
        }),
      ),
      stoodStillMs: (sinceMs) => vitals.stoodStillMs(sinceMs + machineOffsetMs),
      [Symbol.asyncDispose]: () => stop(child, exited),
    };
  } catch (thrown) {
    await stop(child, exited);
    throw thrown;
  }
}

/** The process ends its devices when the channel closes. */
async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.connected) child.disconnect();
  const late = setTimeout(() => child.kill("SIGKILL"), endWithinMs);
  await exited;
  clearTimeout(late);
}

interface Link {
  readonly ask: (what: Act) => Promise<Outcome>;
  readonly vitals: () => DeviceVitals | undefined;
}

function deviceAt(
  { kind, name, points }: SimulatedDevice,
  facts: StartedDevice | undefined,
  link: Link,
): FieldDevice {
  const ask = async <Name extends Act["act"]>(
    what: Act & { readonly act: Name },
  ): Promise<Outcome & { readonly act: Name }> => {
    const outcome = await link.ask(what);
    if (!isOf(outcome, what.act)) throw new Error(`${name}: expected the outcome of ${what.act}`);
    return outcome;
  };
  const indexes = new Map(points.map((point, place) => [point, place]));
  const placeOf = (point: (typeof points)[number]): number => {
    const place = indexes.get(point);
    if (place === undefined) throw new Error(`unknown point ${point.id}`);
    return place;
  };
  const setAll = async (
    changes: Iterable<readonly [(typeof points)[number], PointValue]>,
  ): Promise<InstantMs> => {
    const placed = Array.from(changes, ([point, value]) => [placeOf(point), value] as const);
    const { at } = await ask({ act: "set", changes: placed });
    return { low: at.low - machineOffsetMs, high: at.high - machineOffsetMs };
  };
  return {
    name,
    kind,
    isSimulated: true,
    address: facts?.address ?? "",
    points,
    faults: facts?.faults ?? [],
    set: (point, value) => setAll([[point, value]]),
    setAll,
    get: async (point) => (await ask({ act: "get", point: placeOf(point) })).value,
    get requests() {
      return facts?.countsRequests === true ? (link.vitals()?.requests ?? 0) : undefined;
    },
    get unread() {
      return facts?.countsUnread === true ? (link.vitals()?.unread ?? 0) : undefined;
    },
    async fault(fault, options) {
      const begun = await ask({ act: "fault", fault, options });
      return {
        async [Symbol.asyncDispose]() {
          await ask({ act: "end-fault", fault: begun.fault });
        },
      };
    },
    check: async () => [...(await ask({ act: "check" })).checks],
    // All devices end with their process.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function isOf<Name extends Act["act"]>(
  outcome: Outcome,
  act: Name,
): outcome is Outcome & { readonly act: Name } {
  return outcome.act === act;
}
