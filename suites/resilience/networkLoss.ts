import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import { answersAgain } from "../support/restart.ts";
import { startUpgradeServer } from "../support/upgradeServer.ts";

const awayMs = 2500;
const fileBytes = 512 * 1024;

/** Cuts the network for a while; it is restored when this returns, and at the end of the case in any event. */
async function networkAway({ network, clock, scratch, signal }: CaseContext): Promise<void> {
  let isAway = true;
  scratch.undo("network", async () => void (isAway && (await network.restore())));
  await network.cut();
  await clock.delay(awayMs, signal);
  await network.restore();
  isAway = false;
}

const shared = {
  group: "general",
  // No lasting effect, but no other case can use the gateway in the meantime.
  effect: "reboots",
  touches: ["everything"],
  equipment: ["network"],
  deadlineMs: 300_000,
} as const;

export const networkLossCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "resilience/network-cut-during-download",
    title: "A download interrupted by a network loss completes after its return",
    requirements: ["CORE-POWER-09"],
    capabilities: ["upgrade", "upgrade-jobs"],
    async run(context) {
      const { gateway, verify, waitFor, scratch, clock, profile, note } = context;
      const { admin } = gateway;
      const { retryCount, retryInterval } = (await admin.call("getUpgradeConfiguration")).data();
      scratch.undo("retry settings", () =>
        admin.call("updateUpgradeConfiguration", { json: { retryCount, retryInterval } }),
      );
      (await admin.call("updateUpgradeConfiguration", { json: { retryCount: 20, retryInterval: 1 } })).data();
      await using server = await startUpgradeServer({
        clock,
        outside: context.outside,
        host: gateway.host,
        sizeBytes: fileBytes,
        chunkPauseMs: 60,
        failures: 0,
      });
      const created = (
        await admin.call("createUpgradeJob", { json: { url: server.url, download: true, install: false } })
      ).data();
      const path = { id: created.id };
      const query = { deleteFileAfterInstallComplete: true };
      scratch.undo(`upgrade job ${created.id}`, () =>
        admin.call("operateUpgradeJob", { path: { ...path, action: "cancel" }, query }),
      );
      const hasBegun = (): true | undefined => (server.sentBytes > fileBytes / 8 ? true : undefined);
      await waitFor("start of the download", hasBegun, { deadlineMs: 3000 }).catch(async () => {
        await admin.call("operateUpgradeJob", { path: { ...path, action: "start" }, query });
        await waitFor("start of the download after the action start", hasBegun);
      });
      await networkAway(context);
      await answersAgain(context);
      let last = created;
      const isDone = await waitFor(
        "completion of the download",
        async () => {
          last = (await admin.call("getUpgradeJob", { path })).data();
          return last.totalTask > 0 && last.completedTask === last.totalTask ? true : undefined;
        },
        { deadlineMs: 6 * profile.patience.settleMs, everyMs: 200, lastSeen: () => last.state },
      ).catch(() => false);
      verify("CORE-POWER-09").that(isDone, {
        what: `download job after a network loss of ${awayMs / 1000} s`,
        expected: "all tasks completed",
        observed: isDone ? "all tasks completed" : last,
      });
      const resumed = server.requests.filter(({ range }) => range !== undefined).length;
      note(`${server.requests.length} requests for the file, ${resumed} of them with a range`);
    },
  }),
  testCase({
    ...shared,
    id: "resilience/network-cut-during-a-stream",
    title: "The gateway answers and streams again after a network loss",
    requirements: ["CORE-POWER-10"],
    capabilities: ["tags", "virtual-tags", "tag-stream"],
    async run(context) {
      const { gateway, verify, scratch } = context;
      const tag = await scratch.virtualTag({ dataType: "int32", access: "rw" });
      const { provider, source } = tag.path;
      const query = { tags: tag.tagName, streamInterval: 200 };
      const write = (value: number) =>
        gateway.admin.call("writeTag", {
          path: tag.path,
          json: { dataType: "int32", dataValue: value },
        });
      (await write(1)).data();
      await using before = await gateway.admin.openTagStream({ provider, source }, query);
      await before.next("value before the network loss", () => true);
      await networkAway(context);
      await answersAgain(context);
      (await write(2)).data();
      await using after = await gateway.admin.openTagStream({ provider, source }, query);
      const next = await after
        .next("new value on a new stream", ({ value }) => Number(value.dataValue) === 2)
        .catch(() => undefined);
      verify("CORE-POWER-10").that(next !== undefined, {
        what: `value 2 on a stream opened after a network loss of ${awayMs / 1000} s`,
        expected: "received",
        observed: next === undefined ? `not among ${after.received.length} values received` : "received",
        evidence: after,
      });
    },
  }),
];
