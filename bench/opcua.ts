// From a change at the rig's OPC UA server to the notification at a client: 1,000 items that change every 100 ms.
import type { ClientSession } from "node-opcua";
import type { FieldPoint } from "../rigs/field/point.ts";
import { openOpcuaSession } from "../rigs/opcua/session.ts";
import { startOpcuaServer } from "../rigs/opcua/opcuaServer.ts";
import { type BenchRow, median, outcomeOf } from "./table.ts";

const items = 1000;
const changeEveryMs = 100;
const changes = 30;

const points = Array.from({ length: items }, (_, index): FieldPoint => ({
  id: `ua/item${index}`,
  device: "ua",
  tag: { provider: "opcua_client", source: "ua", tag: `item${index}` },
  dataType: "uint32",
  dataSizeBytes: 4,
  access: "r",
  pollIntervalMs: changeEveryMs,
  at: { kind: "opcua", nodeId: `ns=1;s=item${index}` },
}));

export async function benchOpcua(): Promise<BenchRow[]> {
  const own = await latency({ samplingMs: 0, publishingMs: 10 });
  const peer = await latency({ samplingMs: 100, publishingMs: 100 });
  return [
    {
      what: `OPC UA change at the rig to notification, ${items} items every ${changeEveryMs} ms, p50`,
      measured: `${own.p50.toFixed(1)} ms (p99 ${own.p99.toFixed(1)}, ${own.seen} of ${items * changes} seen)`,
      peer: `sampling and publishing at 100 ms: ${peer.p50.toFixed(0)} ms`,
      ratio: "-",
      limit: "under 15 ms",
      outcome: outcomeOf(own.p50 < 15 && own.seen === items * changes),
    },
  ];
}

async function latency(pace: {
  samplingMs: number;
  publishingMs: number;
}): Promise<{ p50: number; p99: number; seen: number }> {
  await using stack = new AsyncDisposableStack();
  const device = stack.use(await startOpcuaServer({ name: "ua", security: "none", points }));
  const session = await openOpcuaSession(stack, { endpoint: device.address });
  const changedMs: number[] = [];
  const lateMs: number[] = [];
  await subscribe(session, pace, (value) => {
    const at = changedMs[value - 1];
    if (at !== undefined) lateMs.push(performance.now() - at);
  });
  for (let number = 1; number <= changes; number++) {
    const dueMs = performance.now() + changeEveryMs;
    changedMs.push(performance.now());
    await device.setAll?.(points.map((point) => [point, number]));
    await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  const sorted = lateMs.toSorted((a, b) => a - b);
  return {
    seen: lateMs.length,
    p50: median(sorted),
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
  };
}

async function subscribe(
  session: ClientSession,
  { samplingMs, publishingMs }: { samplingMs: number; publishingMs: number },
  take: (value: number) => void,
): Promise<void> {
  const { AttributeIds, ClientMonitoredItemGroup, ClientSubscription, TimestampsToReturn } =
    await import("node-opcua");
  const subscription = ClientSubscription.create(session, {
    requestedPublishingInterval: publishingMs,
    requestedLifetimeCount: 600,
    requestedMaxKeepAliveCount: 20,
    maxNotificationsPerPublish: 0,
    publishingEnabled: true,
    priority: 1,
  });
  const group = ClientMonitoredItemGroup.create(
    subscription,
    points.map(({ at }) => ({
      nodeId: at.kind === "opcua" ? at.nodeId : "",
      attributeId: AttributeIds.Value,
    })),
    { samplingInterval: samplingMs, discardOldest: true, queueSize: 10 },
    TimestampsToReturn.Both,
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  group.once("initialized", resolve);
  group.on("changed", (_item, value) => take(Number(value.value.value)));
  await promise;
}
