// The OPC UA rig, and the gateway's client and server, against each other and against the library's own client.
import { expect, test, vi } from "vitest";
import { systemClock } from "../reference-impl/base/clock.ts";
import { createOpcuaClient } from "../reference-impl/fieldbus/opcua/opcuaClient.ts";
import { createOpcuaServer } from "../reference-impl/fieldbus/opcua/opcuaServer.ts";
import { TagRegistry } from "../reference-impl/groups/tags/provider.ts";
import { ValueTable } from "../reference-impl/groups/tags/values.ts";
import { testFoundation } from "../reference-impl/testing/foundation.ts";
import type { FieldDevice } from "../rigs/field/device.ts";
import type { FieldPoint, PointValue } from "../rigs/field/point.ts";
import { freePort } from "../rigs/host/freePort.ts";
import { startOpcuaServer } from "../rigs/opcua/opcuaServer.ts";
import { connectOpcuaDevice } from "../rigs/opcua/realDevice.ts";
import { openTagBrowser } from "../rigs/opcua/tagBrowser.ts";
import { nodePoints } from "../rigs/process/embeddedPoints.ts";

const provider = "opcua_client";
const extremes: Partial<Record<FieldPoint["dataType"], PointValue>> = {
  uint64: 2n ** 64n - 1n,
  int64: -(2n ** 63n),
  double: Number.MIN_VALUE,
  float: -1.5,
  raw: Buffer.from([0, 255]).toString("base64"),
  string: "grüße",
  boolean: true,
  uint8: 255,
};

test("a secured server keeps every value exactly, reports writes, and its check names a node that does not exist", async () => {
  const points = nodePoints("ua");
  await using device = await startOpcuaServer({ name: "ua", security: "Basic256Sha256", points });
  const stranger: FieldPoint = {
    ...points[0],
    id: "ua/stranger",
    at: { kind: "opcua", nodeId: "ns=1;s=stranger" },
  } as FieldPoint;
  await using real = await connectOpcuaDevice({
    name: "real",
    endpoint: device.address,
    security: "Basic256Sha256",
    points: [...points, stranger],
  });
  const told: string[] = [];
  using _told = device.onWrite?.(({ point: { dataType } }) => void told.push(dataType)) ?? {
    [Symbol.dispose]: () => undefined,
  };
  for (const point of points) {
    const value = extremes[point.dataType];
    if (value === undefined) continue;
    await real.set(point, value);
    expect([point.dataType, await device.get(point), await real.get(point)]).toEqual([
      point.dataType,
      value,
      value,
    ]);
  }
  expect(told.toSorted()).toEqual(Object.keys(extremes).toSorted());
  expect(await device.check()).toMatchObject([{ ok: true }]);
  expect(await real.check()).toMatchObject([
    { ok: false, detail: expect.stringContaining("s=stranger") as string },
  ]);
  await using _bad = await device.fault("bad-quality");
  await expect(Promise.all(points.map((point) => real.get(point)))).rejects.toThrow("BadSensorFailure");
});

/** The gateway's client with the nodes of the device. */
function clientOf(device: FieldDevice, foundation: ReturnType<typeof testFoundation>) {
  const providers = new TagRegistry(() => true);
  const values = new ValueTable();
  const nodes = device.points.map(({ at, tag, dataType, dataSizeBytes, access }) => ({
    name: tag.tag,
    nodeId: at.kind === "opcua" ? at.nodeId : "",
    dataType,
    dataSize: dataSizeBytes,
    access,
    dataUnit: "",
    samplingIntervalMs: 0,
  }));
  const connection = {
    name: "ua",
    enable: true,
    endpoint: device.address,
    security: "None",
    publishingIntervalMs: 20,
    nodes,
  };
  const group = createOpcuaClient(
    { ...foundation, clock: systemClock, delivered: () => ({ connections: [connection] }) },
    { providers, values, isProviderRunning: () => true },
  );
  return { group, providers, values };
}

test("the gateway's client shows and writes nodes, refuses while the server is away, and finds it again", async () => {
  using foundation = testFoundation();
  await using device = await startOpcuaServer({ name: "ua", points: nodePoints("ua") });
  const { group, providers, values } = clientOf(device, foundation);
  await using _group = group;
  await group.start?.();
  const point = device.points.find(({ dataType }) => dataType === "uint64");
  const tag = providers.tags(provider).find(({ dataType }) => dataType === "uint64");
  if (point === undefined || tag === undefined) throw new Error("no uint64");
  await device.set(point, 2n ** 63n + 1n);
  await vi.waitFor(() => expect(values.latest(tag)?.value).toBe(2n ** 63n + 1n), { timeout: 10_000 });
  await providers.get(provider)?.write?.(tag, 12);
  expect(await device.get(point)).toBe(12);
  {
    await using _away = await device.fault("cut");
    await vi.waitFor(() => expect(providers.get(provider)?.read?.(tag)).rejects.toThrow("not connected"), {
      timeout: 5000,
    });
    expect(values.latest(tag)?.value).toBe(12);
  }
  await device.set(point, 13);
  await vi.waitFor(() => expect(values.latest(tag)?.value).toBe(13), { timeout: 10_000 });
});

test("the gateway's server offers tags by provider and source, to users alone", async () => {
  using foundation = testFoundation();
  const values = new ValueTable();
  const tag = {
    prvdName: "virtual",
    srcName: "line",
    tagName: "speed",
    dataType: "int32",
    dataSize: 4,
    dataUnit: "",
    access: "rw",
  } as const;
  values.set(tag, -5, 1000);
  const port = await freePort();
  const written: unknown[] = [];
  const settings = { enable: true, port, security: ["Basic256Sha256"], allowAnonymous: false };
  const group = createOpcuaServer(
    { ...foundation, clock: systemClock, delivered: () => settings },
    {
      address: "127.0.0.1",
      isRunning: () => true,
      tags: () => [tag],
      values,
      write: (_tag, value) => Promise.resolve(void written.push(value)),
      isUser: (name, password) => Promise.resolve(name === "plant" && password === "Right-1!"),
    },
  );
  await using _group = group;
  await group.start?.();
  const endpoint = `opc.tcp://127.0.0.1:${port}`;
  const open = (password: string) =>
    openTagBrowser({ endpoint, security: "Basic256Sha256", name: "plant", password });
  await using browser = await vi.waitFor(() => open("Right-1!"), { timeout: 10_000, interval: 200 });
  const nodeId = await browser.find(["virtual", "line", "speed"]);
  expect(await browser.readInt32(nodeId ?? "")).toBe(-5);
  expect(await browser.writeInt32(nodeId ?? "", 8)).toBe(true);
  expect(written).toEqual([8]);
  await expect(open("wrong")).rejects.toThrow(/BadUserAccessDenied|BadIdentityToken/);
});
