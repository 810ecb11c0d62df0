import { afterEach, beforeEach, expect, test } from "vitest";
import type { Tag, TagDataType } from "../../../interface/resources/tags.ts";
import { callGroup, dataOf, type TestFoundation, testFoundation } from "../../testing/foundation.ts";
import { createTags, type Tags } from "./tags.ts";

let foundation: TestFoundation;
let tags: Tags;
let isDeviceRunning: boolean;

const boot = (): Tags =>
  createTags(foundation, {
    isProviderRunning: (provider) => provider !== "device" || isDeviceRunning,
    isStillAllowed: () => true,
  });

beforeEach(() => {
  isDeviceRunning = true;
  foundation = testFoundation();
  tags = boot();
});

afterEach(async () => {
  await tags[Symbol.asyncDispose]();
  foundation[Symbol.dispose]();
});

const name = { prvdName: "plant", srcName: "line", tagName: "speed" };
const path = { provider: "plant", source: "line", tag: "speed" };
const create = (part: Partial<Tag> = {}): Promise<unknown> =>
  dataOf(tags, "createVirtualTag", { body: { ...name, dataType: "int32", access: "rw", ...part } });
const write = (dataType: TagDataType, dataValue: unknown): Promise<unknown> =>
  callGroup(tags, "writeTag", { path, body: { dataType, dataValue } });
const read = async (): Promise<unknown> => {
  const answer = await callGroup(tags, "readTag", { path });
  return answer.kind === "json" ? answer.body : undefined;
};
const monitor = async (query: Record<string, unknown>): Promise<{ tagName: string; dataValue: unknown }[]> =>
  (await dataOf(tags, "monitorTags", { path: { provider: "plant", source: "line" }, query })) as {
    tagName: string;
    dataValue: unknown;
  }[];

test("a virtual tag keeps its definition, its last value and when it was written over a restart", async () => {
  await create({ dataType: "uint64" });
  foundation.clock.advance(1000);
  await write("uint64", 18_446_744_073_709_551_615n);
  const before = await read();
  await tags[Symbol.asyncDispose]();
  foundation.clock.advance(5000);
  tags = boot();
  expect(await read()).toEqual(before);
  expect(before).toEqual({
    ...name,
    timestamp: String(foundation.clock.nowMs() - 5000),
    dataType: "uint64",
    dataValue: 18_446_744_073_709_551_615n,
  });
});

test.each([
  ["an empty name", { tagName: "" }, /^tagName: /],
  ["the name of a built-in provider", { prvdName: "system" }, /^prvdName: /],
])("%s is refused", async (_what, part, message) => {
  await expect(create(part)).rejects.toThrow(message);
});

test("a virtual tag is created once, updated and deleted only where it is", async () => {
  await create();
  await expect(create()).rejects.toMatchObject({ status: 400 });
  const other = { ...name, tagName: "other", dataType: "int32", access: "r" };
  await expect(callGroup(tags, "updateVirtualTag", { body: other })).rejects.toMatchObject({ status: 404 });
  await expect(callGroup(tags, "deleteVirtualTag", { body: other })).rejects.toMatchObject({ status: 404 });
  await create({ tagName: "other" });
  expect(await dataOf(tags, "deleteVirtualTag", { body: name })).toMatchObject([{ tagName: "other" }]);
  await expect(read()).rejects.toMatchObject({ status: 404 });
});

test("an update keeps the value and its time while it still fits, and not under another data type", async () => {
  await create({ dataType: "string" });
  await write("string", "hello");
  const before = await read();
  foundation.clock.advance(50);
  await dataOf(tags, "updateVirtualTag", { body: { ...name, dataType: "string", access: "r", dataSize: 5 } });
  expect(await read()).toEqual(before);
  await dataOf(tags, "updateVirtualTag", {
    body: { ...name, dataType: "string", access: "rw", dataSize: 4 },
  });
  expect(await read()).toMatchObject({ dataValue: "" });
  await write("string", "four");
  await dataOf(tags, "updateVirtualTag", { body: { ...name, dataType: "int8", access: "rw" } });
  expect((await monitor({ ms: 60_000 })).map(({ dataValue }) => dataValue)).toEqual([0]);
});

test("direct access respects the access, the type and the range of the tag", async () => {
  await create({ access: "w" });
  await expect(read()).rejects.toMatchObject({ status: 400 });
  await expect(write("int16", 1)).rejects.toThrow(/^dataType: /);
  await expect(write("int32", 2 ** 31)).rejects.toThrow(/^dataValue: /);
  const counter = { provider: "device", source: "simulator", tag: "counter" };
  await expect(
    callGroup(tags, "writeTag", { path: counter, body: { dataType: "uint32", dataValue: 1 } }),
  ).rejects.toThrow(/^access: /);
});

test("monitoring answers named tags, no write-only ones, and with ms the values of the last milliseconds", async () => {
  await create();
  await create({ tagName: "quiet" });
  await create({ tagName: "hidden", access: "w" });
  for (const value of [1, 2, 3]) {
    foundation.clock.advance(100);
    await write("int32", value);
  }
  expect((await monitor({})).map(({ tagName }) => tagName)).toEqual(["speed", "quiet"]);
  expect(await monitor({ tags: "nobody" })).toEqual([]);
  expect((await monitor({ tags: "speed,nobody", ms: 150 })).map(({ dataValue }) => dataValue)).toEqual([
    2, 3,
  ]);
  await expect(monitor({ streamInterval: 9 })).rejects.toThrow(/streamInterval/);
});

test("the simulator has a tag of each data type, and none while its app does not run", async () => {
  const listed = async (): Promise<Tag[]> =>
    (await dataOf(tags, "listTags", { query: { provider: "device" } })) as Tag[];
  expect(new Set((await listed()).map(({ dataType }) => dataType)).size).toBe(13);
  isDeviceRunning = false;
  expect(await listed()).toEqual([]);
  await expect(
    callGroup(tags, "monitorTags", { path: { provider: "device", source: "simulator" } }),
  ).rejects.toMatchObject({ status: 404 });
});

test("the tags that the disk entries name can be read", async () => {
  for (const tag of ["storageFree", "storageUsed", "storagePercent"]) {
    const answer = await callGroup(tags, "readTag", { path: { provider: "system", source: "storage", tag } });
    expect(answer).toMatchObject({ kind: "json", body: { dataValue: expect.any(Number) as number } });
  }
});

test("the configuration section carries the definitions; an invalid document is rejected as a whole", async () => {
  await create({ dataUnit: "m/s" });
  const [section] = tags.sections ?? [];
  const document = section?.read() as { tags: Tag[] };
  const [tag] = document.tags;
  for (const wrong of [
    {},
    { tags: [{ ...tag, dataType: "int128" }] },
    { tags: [{ ...tag, prvdName: "system" }] },
    { tags: [tag, tag] },
  ]) {
    expect(() => section?.check(wrong)).toThrow(/tagservice|prvdName/);
  }
  await write("int32", 5);
  section?.write({ tags: [tag, { ...tag, tagName: "new" }] });
  await tags[Symbol.asyncDispose]();
  tags = boot();
  expect(section?.read()).toMatchObject({ tags: [{ tagName: "speed" }] });
  expect((await monitor({})).map(({ tagName, dataValue }) => [tagName, dataValue])).toEqual([
    ["speed", 5],
    ["new", 0],
  ]);
  tags.resetParts?.[0]?.reset();
  expect(await dataOf(tags, "listTags", { query: { provider: "plant" } })).toEqual([]);
});
