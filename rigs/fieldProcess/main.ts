// The process of the simulated devices: work of the harness does not delay their answers. It ends with its starter.
import type { FieldDevice } from "../field/device.ts";
import { type InstantMs, machineOffsetMs } from "../host/instant.ts";
import type { Act, Message, Outcome, Request } from "./messages.ts";
import { type SimulatedDevice, startSimulated } from "./simulated.ts";
import { reportVitals } from "./vitals.ts";

const devices: FieldDevice[] = [];
const faults = new Map<number, AsyncDisposable>();
const stack = new AsyncDisposableStack();
let faultCount = 0;

// The starter may end at any time.
const tell = (message: Message): void => void process.send?.(message, undefined, undefined, () => undefined);
const textOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

async function start(descriptions: readonly SimulatedDevice[]): Promise<Message> {
  for (const description of descriptions) devices.push(stack.use(await startSimulated(description)));
  stack.use(
    reportVitals(
      () => devices.map(({ requests, unread }) => ({ requests, unread })),
      (vitals) => tell({ kind: "vitals", vitals }),
    ),
  );
  return {
    kind: "started",
    devices: devices.map(({ address, faults: known, requests, unread }) => ({
      address,
      faults: known,
      countsRequests: requests !== undefined,
      countsUnread: unread !== undefined,
    })),
  };
}

async function carryOut(device: FieldDevice, what: Act): Promise<Outcome> {
  switch (what.act) {
    case "set": {
      const changes = what.changes.map(([index, value]) => [pointOf(device, index), value] as const);
      const at = await device.setAll?.(changes);
      if (at === undefined) throw new Error(`${device.name}: a simulated device sets any value`);
      return { act: "set", at: onMachine(at) };
    }
    case "get":
      return { act: "get", value: await device.get(pointOf(device, what.point)) };
    case "fault": {
      const begun = await device.fault(what.fault, what.options);
      faultCount += 1;
      faults.set(faultCount, begun);
      return { act: "fault", fault: faultCount };
    }
    case "end-fault": {
      const begun = faults.get(what.fault);
      faults.delete(what.fault);
      await begun?.[Symbol.asyncDispose]();
      return { act: "end-fault" };
    }
    case "check":
      return { act: "check", checks: await device.check() };
  }
}

function pointOf(device: FieldDevice, index: number): FieldDevice["points"][number] {
  const point = device.points[index];
  if (point === undefined) throw new Error(`${device.name}: point ${index} not found`);
  return point;
}

function onMachine({ low, high }: InstantMs): InstantMs {
  return { low: low + machineOffsetMs, high: high + machineOffsetMs };
}

process.on("message", (request: Request) => {
  if (request.kind === "start") {
    start(request.devices).then(tell, (thrown: unknown) =>
      tell({ kind: "not-started", error: textOf(thrown) }),
    );
    return;
  }
  const { id, device: index, what } = request;
  const device = devices[index];
  if (device === undefined) tell({ kind: "failed", id, error: `field device ${index} not found` });
  else
    carryOut(device, what).then(
      (outcome) => tell({ kind: "done", id, outcome }),
      (thrown: unknown) => tell({ kind: "failed", id, error: textOf(thrown) }),
    );
});
process.on("disconnect", () => void stack.disposeAsync().finally(() => process.exit(0)));
// An interruption of the run reaches its whole group; the devices answer until the run has ended.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
