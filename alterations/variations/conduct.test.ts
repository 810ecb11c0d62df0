// Gateways that choose otherwise where the interface leaves the choice.
import { expect, test } from "vitest";
import type { Group } from "../../reference-impl/foundation/gateway.ts";
import { EventLog } from "../../reference-impl/groups/events/eventLog.ts";
import { createLog } from "../../reference-impl/groups/log/log.ts";
import { LogFiles } from "../../reference-impl/groups/log/logFiles.ts";
import { createReboot } from "../../reference-impl/groups/reboot/reboot.ts";
import { createReset } from "../../reference-impl/groups/reboot/reset.ts";
import type { StreamSink } from "../../reference-impl/http/handler.ts";
import { plainProduct, type Product } from "../../reference-impl/product/product.ts";
import { callGroup, dataOf, testFoundation } from "../../reference-impl/testing/foundation.ts";
import { GatewayAlterations } from "../mechanism/gatewayAlterations.ts";
import { installVariations, readVariations } from "./index.ts";

function altered(words: string): GatewayAlterations {
  const at = new GatewayAlterations();
  installVariations(at, readVariations(words));
  return at;
}

const productOf = (words: string): Product => altered(words).edges().product(plainProduct);

test("ids of events have gaps or fall, and a stream continues after the last one that was read", () => {
  for (const [words, expected] of [
    ["event-ids-with-gaps", [10, 17, 24]],
    ["event-ids-falling", [1_999_999_997, 1_999_999_994, 1_999_999_991]],
  ] as const) {
    using foundation = testFoundation();
    const log = new EventLog(foundation.store, productOf(words).conduct.eventIds);
    const texts = { category: "c", event: "e", message: "", origin: "o", user: "", userOrigin: "" };
    const event = { ...texts, severity: "info", createdAt: "2026-01-15T12:00:00Z" } as const;
    expect(log.insert([event, event, event]).map(({ id }) => id)).toEqual(expected);
    expect(log.after(expected[1], {}, 10).map(({ id }) => id)).toEqual([expected[2]]);
  }
});

test("a reset of one scope takes effect in place, one of all scopes reboots", async () => {
  using foundation = testFoundation();
  const reboots: string[] = [];
  const group = createReset(
    { ...foundation, product: productOf("resets-in-place") },
    { parts: () => [], rebootAfterAnswer: (reason) => void reboots.push(reason) },
  );
  await dataOf(group, "resetToDefault", { query: { sync: true, scopes: ["account"] } });
  expect(reboots).toEqual([]);
  await dataOf(group, "resetToDefault", { query: { sync: true, scopes: ["all"] } });
  expect(reboots).toHaveLength(1);
});

test("crontab fields are meant in another time zone, and an instant is shown in it", async () => {
  using foundation = testFoundation();
  const reboot = createReboot({ ...foundation, product: productOf("local-crontab") });
  expect(await dataOf(reboot, "setReboot", { body: { at: "30 3 * * *" } })).toMatchObject({
    nextTriggerAt: "2026-01-15T22:00:00.000Z",
  });
  expect(await dataOf(reboot, "setReboot", { body: { at: "2026-01-15T18:35:00Z" } })).toMatchObject({
    at: { minute: "5", hour: "0", day: "16", month: "1", dayOfWeek: "*" },
  });
});

test("an integer beyond 2^53 is stored with every digit, until another one or a reset replaces it", async () => {
  using foundation = testFoundation();
  const edges = altered("exact-integers").edges();
  edges.store(foundation.store);
  const plain = createLog(foundation, new LogFiles(foundation.stateFolder, foundation.clock), () => []);
  const group: Group = {
    handlers: edges.handlers(plain.handlers),
    [Symbol.asyncDispose]: () => plain[Symbol.asyncDispose](),
  };
  const large = 2n ** 53n + 1n;
  for (const timeToLiveSec of [large, -large, 2n ** 64n]) {
    const body = { timeToLiveSec };
    expect(await dataOf(group, "setLog", { body })).toMatchObject(body);
    expect(await dataOf(group, "getLog")).toMatchObject(body);
    expect(await dataOf(group, "setLog", { body: { enable: true } })).toMatchObject(body);
  }
  plain.resetParts?.[0]?.reset();
  expect(await dataOf(group, "getLog")).toMatchObject({ timeToLiveSec: 0 });
  expect(await dataOf(group, "setLog", { body: { timeToLiveSec: 5 } })).toMatchObject({ timeToLiveSec: 5 });
  await expect(dataOf(group, "setLog", { body: { timeToLiveSec: 1.5 } })).rejects.toMatchObject({
    status: 400,
  });
});

test("a stream of changes opens without a value, one at an interval with the present one", async () => {
  const written: string[] = [];
  const none = (): undefined => undefined;
  const sink: StreamSink = {
    writeHead: () => sink,
    flushHeaders: none,
    write: (chunk) => written.push(Buffer.from(chunk).toString()) > 0,
    end: none,
    destroy: none,
    writableLength: 0,
    once: none,
    on: none,
  };
  const later: (() => void)[] = [];
  const handlers = altered("changes-only").alteredHandlers({
    monitorTags: () => ({
      kind: "stream",
      run(given) {
        given.write("data:1\n\n");
        later.push(() => void given.write("data:2\n\n"));
      },
    }),
  });
  const group: Group = { handlers, [Symbol.asyncDispose]: () => Promise.resolve() };
  for (const query of [{ onChanged: true }, { streamInterval: 100 }]) {
    const answer = await callGroup(group, "monitorTags", { query });
    if (answer.kind === "stream") answer.run(sink);
  }
  for (const write of later) write();
  expect(written).toEqual(["data:1\n\n", "data:2\n\n", "data:2\n\n"]);
});
