// What a gateway does with clients and servers that its line has lost.
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { anyReading } from "../support/anyReading.ts";
import { entryMarks } from "../support/entryCategories.ts";
import { notOnSmoke } from "../support/smoke.ts";
import { startUpgradeServer } from "../support/upgradeServer.ts";
import { vanishingStreams } from "../support/vanishingStreams.ts";

const shared = {
  group: "general",
  // No lasting effect, but no other case can use the line in the meantime.
  effect: "reboots",
  touches: ["everything"],
  equipment: ["impaired-line"],
  deadlineMs: 600_000,
} as const;

const clients = 16;
/** Together more clients than a gateway has places. */
const roundsByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 0, nightly: 4, certification: 16 };
/** A gateway notices a lost client when it sends to it. */
const placesFreeWithinMs = 30_000;
const entries = 80;
const entryCharacters = 4000;
const smallPackets = 1000;
/** What the small answer may have, its head included. */
const smallAnswer = 700;
const smallRequests = 8;
const fileBytes = 512 * 1024;
const quietMs = 1500;
/** What ends a connection has reached the line by then, and is lost. */
const lostAfterMs = 500;
/** A gateway waits for some time for a byte before it gives a connection up. */
const resumedWithinMs = 120_000;

/** Until `restore`, and until the end of the case at the latest, the line loses everything. */
async function cut({ network, scratch }: CaseContext): Promise<void> {
  scratch.undo("line", () => network.restore());
  await network.cut();
}

export const lostPacketCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "resilience/vanished-clients",
    title: "Places of stream clients that vanish are free for other clients",
    requirements: ["CORE-LINE-01"],
    capabilities: ["tags", "virtual-tags", "tag-stream"],
    async run(context) {
      notOnSmoke(context);
      const { gateway, verify, network, scratch, waitFor, level, clock, signal, unmet } = context;
      const { path } = await scratch.virtualTag({ dataType: "int32" });
      (await gateway.admin.call("writeTag", { path, json: { dataType: "int32", dataValue: 1 } })).body();
      using streams = vanishingStreams(context, path);
      await streams.fill(clients);
      const places = streams.open;
      if (places === 0) unmet("the gateway opened no stream");
      for (let round = 1; round <= roundsByLevel[level]; round++) {
        await cut(context);
        await streams.vanish();
        await clock.delay(lostAfterMs, signal);
        await network.restore();
        const isFull = async (): Promise<true | undefined> => {
          await streams.fill(places);
          return streams.open === places || undefined;
        };
        await waitFor("an unchanged number of streams", isFull, {
          deadlineMs: placesFreeWithinMs,
          everyMs: 1000,
        }).catch(() => undefined);
        const isSame = verify("CORE-LINE-01").that(streams.open === places, {
          what: `streams opened after ${round * places} stream clients vanished`,
          expected: String(places),
          observed: streams.open,
        });
        if (!isSame) break;
      }
    },
  }),
  testCase({
    ...shared,
    id: "resilience/large-packets-vanish",
    title: "Small requests are answered while large packets vanish on the line",
    requirements: ["CORE-LINE-02"],
    capabilities: ["auth", "events"],
    async run(context) {
      notOnSmoke(context);
      const { gateway, verify, network, scratch, random, notApplicable } = context;
      const { admin } = gateway;
      if (gateway.currentBaseUrl().startsWith("https:"))
        notApplicable("a certificate takes packets that vanish as well");
      const small = await anyReading(context);
      const head = JSON.stringify(small.headers).length;
      if (small.bytes.length + head > smallAnswer)
        notApplicable(`the smallest reading has ${small.bytes.length + head} bytes`);
      const own = `rp-line-${random.word(8)}`;
      const message = "m".repeat(entryCharacters);
      const category = (await entryMarks(context)).category(own);
      for (let entry = 0; entry < entries; entry++)
        (await admin.call("createEvent", { json: { category, event: own, origin: own, message } })).body();
      const list = () => admin.call("getEvents", { query: { eventNames: own, limit: entries } });
      const whole = (await list()).data().length;
      scratch.undo("line", () => network.restore());
      await network.impair?.({ largestBytes: smallPackets });
      const stalled = [list(), list()];
      let answered = 0;
      for (let request = 0; request < smallRequests; request++) {
        const answer = await anyReading(context, 5000);
        if (!answer.accepted) {
          verify("CORE-LINE-02").that(false, {
            what: `answer ${request + 1} with small packets, while two answers of ${entries * entryCharacters} bytes are not delivered`,
            expected: "2xx",
            observed: answer.summary(),
            evidence: answer,
            isAboutAnswering: true,
          });
          break;
        }
        answered += 1;
      }
      if (answered === smallRequests)
        verify("CORE-LINE-02").equal(
          answered,
          smallRequests,
          "answers with small packets, while large ones are not delivered",
        );
      await network.restore();
      await Promise.all(stalled);
      const after = await list();
      verify("CORE-LINE-02").that(after.accepted && after.data().length === whole, {
        what: "entries in a list after large packets passed again",
        expected: String(whole),
        observed: after.accepted ? after.data().length : after.summary(),
        evidence: after,
        isAboutAnswering: true,
      });
    },
  }),
  testCase({
    ...shared,
    id: "resilience/download-from-a-vanished-server",
    title: "A download continues after its server vanished without closing the connection",
    requirements: ["CORE-LINE-03", "CORE-LINE-04"],
    capabilities: ["upgrade", "upgrade-jobs"],
    async run(context) {
      notOnSmoke(context);
      const { gateway, verify, waitFor, network, scratch, clock, signal, outside } = context;
      const { admin } = gateway;
      const { retryCount, retryInterval } = (await admin.call("getUpgradeConfiguration")).data();
      scratch.undo("retry settings", () =>
        admin.call("updateUpgradeConfiguration", { json: { retryCount, retryInterval } }),
      );
      (await admin.call("updateUpgradeConfiguration", { json: { retryCount: 20, retryInterval: 1 } })).data();
      await using server = await startUpgradeServer({
        clock,
        outside,
        host: gateway.host,
        sizeBytes: fileBytes,
        chunkPauseMs: 60,
        failures: 0,
      });
      const json = { url: server.url, download: true, install: false };
      const { id } = (await admin.call("createUpgradeJob", { json })).data();
      const query = { deleteFileAfterInstallComplete: true };
      scratch.undo(`upgrade job ${id}`, () =>
        admin.call("operateUpgradeJob", { path: { id, action: "cancel" }, query }),
      );
      const hasBegun = (): true | undefined => server.sentBytes > fileBytes / 8 || undefined;
      await waitFor("start of the download", hasBegun, { deadlineMs: 3000 }).catch(async () => {
        await admin.call("operateUpgradeJob", { path: { id, action: "start" }, query });
        await waitFor("start of the download after the action start", hasBegun);
      });
      await cut(context);
      // Nothing is on its way any more: no late acknowledgement tells the gateway afterwards.
      await clock.delay(quietMs, signal);
      await server.forget();
      await clock.delay(lostAfterMs, signal);
      const before = server.requests.length;
      await network.restore();
      let last: unknown;
      const isDone = await waitFor(
        "completion of the download",
        async () => {
          const job = (await admin.call("getUpgradeJob", { path: { id } })).data();
          last = job.state;
          return (job.totalTask > 0 && job.completedTask === job.totalTask) || undefined;
        },
        { deadlineMs: resumedWithinMs, everyMs: 500, lastSeen: () => last },
      ).catch(() => false);
      verify("CORE-LINE-03").that(isDone, {
        what: "download job after its server vanished and was available again",
        expected: `all tasks completed within ${resumedWithinMs / 1000} s`,
        observed: isDone ? `all tasks completed within ${resumedWithinMs / 1000} s` : last,
      });
      const again = server.requests.slice(before);
      if (again.length === 0)
        return verify("CORE-LINE-04").notApplicable("range of the next request", "no further request");
      const ranges = again.map(({ range = "the whole file" }) => range);
      verify("CORE-LINE-04").that(
        again.every(({ range }) => range !== undefined),
        { what: "range of the requests after the loss", expected: "the missing bytes", observed: ranges },
      );
    },
  }),
];
