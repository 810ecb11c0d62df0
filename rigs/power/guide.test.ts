// The driver that docs/add-a-rig.md shows is code that works.
import { readFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { DrivenSwitch } from "./driver.ts";

const guide = new URL("../../docs/add-a-rig.md", import.meta.url);

interface Driver {
  readonly acmeSwitch: (settings: object) => DrivenSwitch;
}

/** A relay board that keeps the state of its relays, and its port. */
async function relayBoard(states: Map<string, string>): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void text(socket).then((line) => {
      const [relay = "", word = ""] = line.trim().split(" ");
      if (word !== "?") states.set(relay, word);
      socket.end(`${states.get(relay) ?? "off"}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("the driver of the guide switches a relay and reads its state", async () => {
  const [, code] = /```ts\n(.*?)```/s.exec(await readFile(guide, "utf8")) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "rackproof-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "acmeRelay.ts");
  const here = (name: string): string => new URL(name, import.meta.url).href;
  await writeFile(
    file,
    (code ?? "")
      .replace('"./driver.ts"', JSON.stringify(here("driver.ts")))
      .replace('"typebox"', JSON.stringify(import.meta.resolve("typebox"))),
  );
  const { acmeSwitch } = (await import(file)) as Driver;
  const states = new Map<string, string>();
  const relay = acmeSwitch({ driver: "acme", host: "127.0.0.1", port: await relayBoard(states), relay: 3 });
  expect(await relay.read?.()).toBe(false);
  await relay.set(true);
  expect(await relay.read?.()).toBe(true);
  await relay.set(false);
  expect(await relay.read?.()).toBe(false);
  expect([...states]).toEqual([["3", "off"]]);
});
