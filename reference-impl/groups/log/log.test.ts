import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fromBufferPromise } from "yauzl";
import { callGroup, dataOf, testFoundation } from "../../testing/foundation.ts";
import { createLog } from "./log.ts";
import { LogFiles } from "./logFiles.ts";

const stamp = "2026-01-15T12:00:00.000Z ";

function logBench() {
  const foundation = testFoundation();
  const files = new LogFiles(foundation.stateFolder, foundation.clock);
  const group = createLog(foundation, files, () => ["system", "edge-web"]);
  const lines = (): string[] =>
    files
      .contents()
      .flatMap(({ content }) => content.toString().trimEnd().split("\n"))
      .map((line) => line.slice(stamp.length));
  return { foundation, files, group, lines, [Symbol.dispose]: () => foundation[Symbol.dispose]() };
}

/** Names and texts of the zip that a download answers. */
async function download({ group }: ReturnType<typeof logBench>, appName?: string): Promise<object> {
  const answer = await callGroup(group, "getLog", {
    query: { download: true, ...(appName === undefined ? {} : { appName }) },
  });
  if (answer.kind !== "file" || !Buffer.isBuffer(answer.content)) throw new Error("no file in memory");
  expect(answer.contentType).toBe("application/zip");
  const zip = await fromBufferPromise(answer.content);
  const found: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  return found;
}

test("a download is a zip with the log of the app, or of all apps", async () => {
  using bench = logBench();
  bench.files.write("system", "up");
  bench.files.write("edge-web", "ready");
  expect(await download(bench, "edge-web")).toEqual({ "edge-web.log": `${stamp}ready\n` });
  expect(Object.keys(await download(bench))).toEqual(["edge-web.log", "system.log"]);
  await expect(download(bench, "../gateway")).rejects.toMatchObject({ status: 404 });
});

test("the size is given as text and returned as a number; unknown disks and malformed numbers are rejected", async () => {
  using bench = logBench();
  const set = (body: Record<string, unknown>) => dataOf(bench.group, "setLog", { body });
  expect(await set({ desiredDiskCacheSizeMB: "12" })).toMatchObject({ desiredDiskCacheSizeMB: 12 });
  await expect(set({ desiredDiskCacheSizeMB: "much" })).rejects.toMatchObject({ status: 400 });
  await expect(set({ targetDiskName: "nosuch" })).rejects.toMatchObject({ status: 400 });
});

test("a disabled log records no line", async () => {
  using bench = logBench();
  await callGroup(bench.group, "setLog", { body: { enable: false } });
  bench.files.write("system", "lost");
  await callGroup(bench.group, "setLog", { body: { enable: true } });
  bench.files.write("system", "kept");
  expect(bench.lines()).toEqual(["kept"]);
});

test("lines that are too old are removed one by one, with their continuation lines", async () => {
  using bench = logBench();
  await bench.group.start?.();
  bench.files.write("system", "old\nand more of it");
  bench.foundation.clock.advance(3_600_000);
  bench.files.write("system", "new");
  const body = { enableTimeToLiveSec: true, timeToLiveSec: 1800 };
  await callGroup(bench.group, "setLog", { body });
  expect(bench.lines()).toEqual(["new"]);
  bench.foundation.clock.advance(3_600_000);
  expect(bench.lines()).toEqual([]);
  await callGroup(bench.group, "setLog", { body: { ...body, timeToLiveSec: Number.MAX_SAFE_INTEGER } });
});

test("all files together stay within the size, and the newest lines stay", async () => {
  using bench = logBench();
  const filler = "x".repeat(10_000);
  for (let index = 0; index < 300; index += 1) bench.files.write("system", `${index} ${filler}`);
  await callGroup(bench.group, "setLog", { body: { desiredDiskCacheSizeMB: "1" } });
  const bytes = bench.files.contents().reduce((sum, { content }) => sum + content.length, 0);
  expect(bytes).toBeLessThanOrEqual(1024 * 1024);
  expect(bench.lines().some((line) => line.startsWith("299 "))).toBe(true);
});
