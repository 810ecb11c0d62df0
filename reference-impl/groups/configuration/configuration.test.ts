import { writeFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { expect, test } from "vitest";
import type { SshConfiguration } from "../../../interface/resources/services.ts";
import { callGroup, dataOf, testFoundation } from "../../testing/foundation.ts";
import { createProvision } from "../provision/provision.ts";
import { createServices } from "../services/services.ts";
import { createConfiguration } from "./configuration.ts";

const own = { model: "RP-1000", tpeversion: "2.3.0" };
const manifest = JSON.stringify({ format: "core-configuration@1", ...own });
const plain = { encryption: false };

function configurationBench() {
  const foundation = testFoundation();
  const services = createServices(foundation, () => []);
  const provision = createProvision(foundation);
  const reboots: number[] = [];
  const group = createConfiguration(foundation, {
    sections: () => services.sections ?? [],
    settings: () => provision.settings ?? [],
    rebootAfter: (delayMs) => void reboots.push(delayMs),
    rebootDelayMs: 5000,
  });
  return {
    foundation,
    reboots,
    provision: () => dataOf(provision, "getProvision"),
    setProvision: (disableAfterSec: number) =>
      callGroup(provision, "setProvision", { body: { schedule: { disableAfterSec } } }),
    ssh: async () => (await dataOf(services, "getSsh")) as SshConfiguration,
    setSsh: (port: number) => callGroup(services, "setSsh", { body: { enable: true, port } }),
    profile: (query: object) =>
      dataOf(group, "exportConfiguration", { query: { action: "get-profile", ...query } }),
    async export(query: object, headers: Record<string, string> = {}): Promise<Buffer> {
      const answer = await callGroup(group, "exportConfiguration", {
        query: { action: "download", ...query },
        headers,
      });
      if (answer.kind !== "file" || !Buffer.isBuffer(answer.content)) throw new Error("no file in memory");
      expect(answer.contentType).toBe("application/tar+gz");
      return answer.content;
    },
    upload(bytes: Buffer, body: Record<string, unknown>): Promise<unknown> {
      const path = join(foundation.stateFolder, "incoming");
      writeFileSync(path, bytes);
      const file = { fieldName: "file", fileName: "../../x.tar.gz", path, size: bytes.length };
      return dataOf(group, "uploadConfiguration", { body, files: [file] });
    },
    apply: (filename: string) => dataOf(group, "applyConfiguration", { path: { filename } }),
    kept: () =>
      readdirSync(foundation.stateFolder).includes("uploads")
        ? readdirSync(join(foundation.stateFolder, "uploads"))
        : [],
    [Symbol.dispose]: () => foundation[Symbol.dispose](),
  };
}

async function tarGz(
  ...entries: readonly { readonly name: string; readonly content: string }[]
): Promise<Buffer> {
  const tar = pack();
  for (const { name, content } of entries) tar.entry({ name }, content);
  tar.finalize();
  return gzipSync(await buffer(tar));
}

const archive = (name: string, content: string): Promise<Buffer> =>
  tarGz({ name: "manifest.json", content: manifest }, { name, content });

test.each([
  ["the serial number", {}, {}],
  ["a password", { password: "s3cret!" }, { password: "s3cret!" }],
])("export, change, upload, apply: the old settings are restored, with %s", async (_how, headers, body) => {
  using bench = configurationBench();
  await bench.setSsh(2222);
  await bench.setProvision(222);
  const file = await bench.export({}, headers);
  await bench.setSsh(3333);
  await bench.setProvision(333);
  const sent = (await bench.upload(file, body)) as { fileName: string };
  expect(sent).toMatchObject({ diff: null, fileSize: file.length });
  expect([(await bench.ssh()).port, bench.reboots]).toEqual([3333, []]);

  expect(await bench.apply(sent.fileName)).toEqual({ ...sent });
  expect(await bench.ssh()).toEqual({ enable: true, port: 2222 });
  expect(await bench.provision()).toMatchObject({ schedule: { disableAfterSec: 222 } });
  expect([bench.reboots, bench.foundation.raised]).toEqual([[5000], [2]]);
});

test("select names the exported sections, and filter excludes some of them", async () => {
  using bench = configurationBench();
  const names = async (query: object): Promise<string[]> =>
    ((await bench.profile(query)) as { section: string }[]).map(({ section }) => section);
  expect(await names({ select: '[{"section":"wifi"},{"section":"time"}]' })).toEqual(["time", "wifi"]);
  expect(
    await names({ select: '[{"section":"wifi"},{"section":"time"}]', filter: '[{"labels":["network"]}]' }),
  ).toEqual(["time"]);
  for (const query of [{ select: "wifi" }, { filter: '{"app":"system"}' }, { select: '[{"apps":1}]' }])
    await expect(names(query)).rejects.toMatchObject({ status: 400 });
});

test("an exported file opens with its own password only, and not when a byte was changed", async () => {
  using bench = configurationBench();
  const file = await bench.export({}, { password: "s3cret!" });
  const changed = Buffer.from(file);
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
  for (const [bytes, body] of [
    [file, { password: "wr0ng!" }],
    [file, {}],
    [file, plain],
    [changed, { password: "s3cret!" }],
    [await bench.export(plain), {}],
  ] as const)
    await expect(bench.upload(bytes, body)).rejects.toMatchObject({ status: 400, code: 10_001 });
  await expect(bench.export({}, { password: "nodigit!" })).rejects.toMatchObject({ status: 400 });
  await expect(bench.export({}, { password: "n0special" })).rejects.toMatchObject({ status: 400 });
});

test("a rejected archive leaves no file", async () => {
  using bench = configurationBench();
  await expect(bench.upload(await archive("../gps.json", "{}"), plain)).rejects.toMatchObject({
    status: 400,
    code: 10_001,
  });
  expect(bench.kept()).toEqual([]);
});

test("an invalid document is rejected before any section is written, and recorded as a failure", async () => {
  using bench = configurationBench();
  await bench.setSsh(2222);
  for (const [name, content] of [
    ["system/general.json", '{"ssh":{"enable":true,"port":99999},"services":{}}'],
    ["system/gps.json", '{"position":12345678901234567890}'],
    ["system/gps.json", `{"deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["nosuch/general.json", "{}"],
  ] as const) {
    const { fileName } = (await bench.upload(await archive(name, content), plain)) as { fileName: string };
    await expect(bench.apply(fileName)).rejects.toMatchObject({ status: 400 });
  }
  expect(bench.foundation.raised).toEqual([1, 1, 1, 1]);
  expect([(await bench.ssh()).port, bench.reboots]).toEqual([2222, []]);
});

test("with apply, a file of another model is rejected with a diff", async () => {
  using bench = configurationBench();
  const content = JSON.stringify({ format: "core-configuration@1", ...own, model: "RP-2000" });
  const file = await tarGz({ name: "manifest.json", content });
  await expect(bench.upload(file, { ...plain, apply: true })).rejects.toMatchObject({
    status: 400,
    data: { diff: { current: own, imported: { ...own, model: "RP-2000" } }, fileSize: file.length },
  });
  expect(bench.reboots).toEqual([]);
});

test("a flag that is neither true nor false is rejected", async () => {
  using bench = configurationBench();
  const file = await bench.export(plain);
  await expect(bench.upload(file, { ...plain, apply: "maybe" })).rejects.toMatchObject({ status: 400 });
  await expect(bench.upload(file, { encryption: "no" })).rejects.toMatchObject({ status: 400 });
});

test("only file names issued by uploads can be applied, and only the latest files are stored", async () => {
  using bench = configurationBench();
  for (const name of ["../gateway.db", "configuration.tar.gz", ""])
    await expect(bench.apply(name)).rejects.toMatchObject({ status: 404 });
  const file = await bench.export(plain);
  const names: string[] = [];
  for (let index = 0; index < 18; index += 1)
    names.push(((await bench.upload(file, plain)) as { fileName: string }).fileName);
  expect(bench.kept().toSorted()).toEqual(names.slice(2).toSorted());
  await expect(bench.apply(names[0] ?? "")).rejects.toMatchObject({ status: 404 });
});
