import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { type TagBrowser, openTagBrowser } from "../../rigs/index.ts";
import { onePerForm, pathOf, settleMs } from "../support/fieldPoints.ts";
import { requireFollowing } from "../support/following.ts";

/** A server may have to create its certificate first. */
const comeUpWithinMs = 20_000;

export const opcuaServerCases: readonly TestCase[] = [
  testCase({
    id: "field/opcua-server",
    title: "OPC UA clients browse, read and write tags over a secured channel",
    group: "tags",
    effect: "reversible",
    touches: ["field-devices", "services", "apps", "event-log"],
    equipment: ["field-devices"],
    capabilities: ["tags", "services"],
    requirements: ["CORE-FIELD-27"],
    deadlineMs: 120_000,
    async run(context) {
      const { gateway, verify, scratch, servers, profile, field, clock, signal } = context;
      const endpoint = servers.opcua;
      if (endpoint === undefined)
        return context.notApplicable("the rack file names no OPC UA server of the gateway");
      const placed = onePerForm(field).find(
        ({ point, device }) => point.access === "rw" && point.dataType === "int32" && device.kind !== "opcua",
      );
      if (placed === undefined)
        return context.notApplicable("the rack has no writable int32 point of a Modbus device");
      const { device, point } = placed;
      await requireFollowing(context, placed);
      const enabled = await gateway.admin.call("enableService", { path: { id: "opcuaserver" } });
      if (!enabled.accepted) context.unmet(`enabling the OPC UA server failed: ${enabled.summary()}`);
      scratch.undo("OPC UA server", () =>
        gateway.admin.call("disableService", { path: { id: "opcuaserver" } }),
      );
      await using stack = new AsyncDisposableStack();
      const withinMs = Math.max(comeUpWithinMs, 2 * profile.patience.settleMs);
      const startedMs = clock.nowMs();
      let browser: TagBrowser | undefined;
      let last = "";
      while (browser === undefined && clock.nowMs() - startedMs < withinMs) {
        browser = await tapedBrowser(context, {
          endpoint,
          security: "Basic256Sha256",
          ...profile.credentials,
        }).catch((thrown: unknown) => {
          last = String(thrown);
          return undefined;
        });
        if (browser === undefined) await clock.delay(200, signal);
      }
      verify("CORE-FIELD-27").that(browser !== undefined, {
        what: `Basic256Sha256 session with ${endpoint} as the administrator`,
        expected: `open within ${withinMs / 1000} s of enabling the service`,
        observed: browser === undefined ? last : `open within ${withinMs / 1000} s`,
      });
      if (browser === undefined) return;
      stack.use(browser);
      const { provider, source, tag } = pathOf(point);
      const nodeId = await browser.find([provider, source, tag]);
      verify("CORE-FIELD-27").that(nodeId !== undefined, {
        what: "node of a tag, found by browsing provider, source and name",
        expected: [provider, source, tag].join("/"),
        observed: nodeId ?? "no node of that path",
      });
      if (nodeId === undefined) return;
      await device.set(point, 4711);
      const setMs = clock.nowMs();
      let shown = await browser.readInt32(nodeId);
      while (shown !== 4711 && clock.nowMs() - setMs < settleMs(context, point)) {
        await clock.delay(point.pollIntervalMs, signal);
        shown = await browser.readInt32(nodeId);
      }
      verify("CORE-FIELD-27").equal(shown, 4711, `value of ${point.id} read by an OPC UA client`);
      verify("CORE-FIELD-27").equal(
        await browser.writeInt32(nodeId, -815),
        true,
        `acceptance of a write of ${point.id} by an OPC UA client`,
      );
      verify("CORE-FIELD-27").equal(
        await device.get(point),
        -815,
        `value of ${point.id} in the field device after the OPC UA write`,
      );
    },
  }),
];

/** A session whose answers are recorded. */
async function tapedBrowser(
  { outside }: CaseContext,
  options: Parameters<typeof openTagBrowser>[0],
): Promise<TagBrowser> {
  let live: TagBrowser | undefined;
  await outside.ask("OPC UA session", async () => {
    live = await openTagBrowser(options);
  });
  return {
    find: (names) => outside.ask("OPC UA find", async () => live?.find(names)),
    readInt32: (nodeId) => outside.ask("OPC UA read", async () => live?.readInt32(nodeId)),
    writeInt32: (nodeId, value) =>
      outside.ask("OPC UA write", async () => (await live?.writeInt32(nodeId, value)) === true),
    [Symbol.asyncDispose]: async () => live?.[Symbol.asyncDispose](),
  };
}
