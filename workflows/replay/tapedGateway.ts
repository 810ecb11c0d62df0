// A gateway's rig as a case sees it: every action and reading goes through the case's tape.
import type { FieldDevice, FieldRack, RunningGateway } from "../../rigs/index.ts";
import type { Tape } from "../../harness/index.ts";
import type { DeviceFacts, GatewayFacts } from "./gatewayFacts.ts";

/** The gateway for one case; without `live`, as its record tells. */
export function tapedGateway(facts: GatewayFacts, tape: Tape, live?: RunningGateway): RunningGateway {
  const { controls, field, canEnd, ...same } = facts;
  return {
    ...same,
    get console() {
      return live?.console ?? [];
    },
    get consoleGaps() {
      return live?.consoleGaps ?? [];
    },
    get sightings() {
      return live?.sightings ?? [];
    },
    get alarms() {
      return tape.read("alarms", () => live?.alarms ?? []);
    },
    ...Object.fromEntries(controls.map((part) => [part.name, tapedControl(part, tape, live?.[part.name])])),
    ...(field === undefined ? {} : { field: tapedField(field, tape, live?.field) }),
    ...(canEnd ? { ended: () => tape.read("gateway ended", () => live?.ended?.()) } : {}),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function tapedControl(
  { name: part, actions }: GatewayFacts["controls"][number],
  tape: Tape,
  live: object | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    actions.map((name) => [
      name,
      (...given: unknown[]) =>
        tape.ask(`${part} ${name}`, async () => {
          const action: unknown = live === undefined ? undefined : Reflect.get(live, name);
          return typeof action === "function" ? (Reflect.apply(action, live, given) as unknown) : undefined;
        }),
    ]),
  );
}

function tapedField(
  { devices, missing }: NonNullable<GatewayFacts["field"]>,
  tape: Tape,
  live: FieldRack | undefined,
): FieldRack {
  return {
    devices: devices.map((facts, index) => tapedDevice(facts, tape, live?.devices[index])),
    missing,
    stoodStillMs: (sinceMs) => tape.read("rig delay", () => live?.stoodStillMs(sinceMs) ?? 0),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function tapedDevice(facts: DeviceFacts, tape: Tape, live: FieldDevice | undefined): FieldDevice {
  const { setsAll, reportsWrites, countsRequests, countsUnread = false, ...same } = facts;
  const { name } = facts;
  const device = (): FieldDevice => {
    if (live === undefined) throw new Error(`${name} is not connected`);
    return live;
  };
  return {
    ...same,
    set: (point, value) => tape.ask(`${name} set ${point.id}`, () => device().set(point, value)),
    get: (point) => tape.ask(`${name} get ${point.id}`, () => device().get(point)),
    check: () => tape.ask(`${name} check`, () => device().check()),
    async fault(kind, options) {
      let handle: AsyncDisposable | undefined;
      await tape.ask(`${name} fault ${kind}`, async () => {
        handle = await device().fault(kind, options);
      });
      return {
        [Symbol.asyncDispose]: () =>
          tape.ask(`${name} end of ${kind}`, async () => handle?.[Symbol.asyncDispose]()),
      };
    },
    ...(setsAll
      ? {
          setAll: (changes) =>
            tape.ask(`${name} set all`, async () => {
              const at = await device().setAll?.(changes);
              if (at === undefined) throw new Error(`${name} cannot set many values`);
              return at;
            }),
        }
      : {}),
    ...(reportsWrites
      ? {
          onWrite: (listener) => {
            let isOver = false;
            const heard = tape.feed<Parameters<typeof listener>[0], Disposable | undefined>(
              `${name} writes`,
              (write) => {
                if (!isOver) listener(write);
              },
              (sink) => device().onWrite?.(sink),
            );
            return {
              [Symbol.dispose]() {
                isOver = true;
                heard?.[Symbol.dispose]();
              },
            };
          },
        }
      : {}),
    get requests() {
      return countsRequests ? tape.read(`${name} requests`, () => device().requests) : undefined;
    },
    get unread() {
      return countsUnread ? tape.read(`${name} unread`, () => device().unread) : undefined;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  } as FieldDevice;
}
