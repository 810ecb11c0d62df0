// A gateway's rig as a case sees it: every action and reading goes through the case's tape.
import type { FieldDevice, FieldRack, RunningGateway } from "../../rigs/index.ts";
import type { Tape } from "../../harness/index.ts";

type DeviceFacts = Pick<
  FieldDevice,
  "name" | "kind" | "isSimulated" | "address" | "points" | "polledBy" | "faults"
> & {
  readonly setsAll: boolean;
  readonly reportsWrites: boolean;
  readonly countsRequests: boolean;
};

const controls = ["power", "network", "storage", "clock"] as const;
type Control = (typeof controls)[number];

/** What never changes during a run: enough to replay its cases. */
export interface GatewayFacts extends Pick<RunningGateway, "kind" | "name" | "version" | "baseUrl"> {
  readonly fault?: string;
  readonly servers?: NonNullable<RunningGateway["servers"]>;
  readonly host?: NonNullable<RunningGateway["host"]>;
  /** Actions of each control that the rig has. */
  readonly controls: Readonly<Partial<Record<Control, readonly string[]>>>;
  readonly field?: { readonly devices: readonly DeviceFacts[]; readonly missing: readonly string[] };
  readonly canEnd: boolean;
}

const actions = ["cut", "restore", "reset", "fill", "free", "jump"];

export function factsOf(gateway: RunningGateway): GatewayFacts {
  const { kind, name, version, baseUrl, fault, servers, host, field } = gateway;
  return {
    kind,
    name,
    version,
    baseUrl,
    ...(fault === undefined ? {} : { fault }),
    ...(servers === undefined ? {} : { servers }),
    ...(host === undefined ? {} : { host }),
    controls: Object.fromEntries(
      controls.flatMap((part) => {
        const control: object | undefined = gateway[part];
        if (control === undefined) return [];
        return [[part, actions.filter((action) => typeof Reflect.get(control, action) === "function")]];
      }),
    ),
    ...(field === undefined
      ? {}
      : { field: { devices: field.devices.map(deviceFacts), missing: [...field.missing] } }),
    canEnd: gateway.ended !== undefined,
  };
}

function deviceFacts(device: FieldDevice): DeviceFacts {
  const { name, kind, isSimulated, address, points, polledBy, faults } = device;
  return {
    name,
    kind,
    isSimulated,
    address,
    points,
    ...(polledBy === undefined ? {} : { polledBy }),
    faults,
    setsAll: device.setAll !== undefined,
    reportsWrites: device.onWrite !== undefined,
    countsRequests: device.requests !== undefined,
  };
}

/** The gateway for one case; without `live`, as its record tells. */
export function tapedGateway(facts: GatewayFacts, tape: Tape, live?: RunningGateway): RunningGateway {
  const { controls: present, field, canEnd, ...same } = facts;
  return {
    ...same,
    get console() {
      return live?.console ?? [];
    },
    get sightings() {
      return live?.sightings ?? [];
    },
    get alarms() {
      return tape.read("alarms", () => live?.alarms ?? []);
    },
    ...Object.fromEntries(
      controls.flatMap((part) => {
        const names = present[part];
        return names === undefined ? [] : [[part, tapedControl(part, names, tape, live?.[part])]];
      }),
    ),
    ...(field === undefined ? {} : { field: tapedField(field, tape, live?.field) }),
    ...(canEnd ? { ended: () => tape.read("gateway ended", () => live?.ended?.()) } : {}),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function tapedControl(
  part: string,
  names: readonly string[],
  tape: Tape,
  live: object | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [
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
  const { setsAll, reportsWrites, countsRequests, ...same } = facts;
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
    [Symbol.asyncDispose]: () => Promise.resolve(),
  } as FieldDevice;
}
