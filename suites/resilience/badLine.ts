// Cases on a bad line to the gateway. How long anything may take on such a line is not stated, and not judged.
import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import type { Impairment } from "../../rigs/index.ts";
import { notOnSmoke } from "../support/smoke.ts";
import { SequenceClient, whyNotDelivering } from "../support/sequenceClients.ts";
import { SequenceLoad } from "../support/sequenceLoad.ts";
import { someLoad } from "../support/someLoad.ts";

const badLine: Impairment = { delayMs: 100, lossPercent: 2 };
/** Carries a fraction of the changes: the others wait in the gateway. */
const narrowLine: Impairment = { ...badLine, rateKbit: 32 };
const tagsOnTheLine = 64;
/** So many bytes of changes fill the buffers of any kernel on the way and begin to wait in the gateway itself. */
const changesByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 0, nightly: 50, certification: 150 };
/** Retransmissions on such a line are closer together than this. */
const stillForMs = 10_000;

const shared = {
  group: "general",
  // No lasting effect, but no other case can use the line in the meantime.
  effect: "reboots",
  touches: ["everything"],
  equipment: ["impaired-line"],
  load: true,
  deadlineMs: 300_000,
} as const;

/** Impairs the line until `restore`, and until the end of the case at the latest. */
async function impair({ network, scratch }: CaseContext, impairment: Impairment): Promise<void> {
  scratch.undo("line", () => network.restore());
  await network.impair?.(impairment);
}

type Reading = SequenceClient["readings"][number];

/** Waits until all streams are done, or none has received anything for a while. */
async function untilStill(
  { clock, signal }: CaseContext,
  readings: readonly Reading[],
  isDone: (reading: Reading) => boolean,
): Promise<void> {
  let count = -1;
  let movedMs = clock.nowMs();
  while (!readings.every(isDone) && clock.nowMs() - movedMs < stillForMs) {
    const now = readings.reduce((sum, { stream }) => sum + stream.count, 0);
    if (now !== count) movedMs = clock.nowMs();
    count = now;
    await clock.delay(50, signal);
  }
}

const nothingMissing = "none lost, repeated or out of order";

/** What is wrong on each stream. One that the gateway has ended announces the loss of what comes after it. */
function deviations(clients: readonly SequenceClient[], last: number): string[] {
  return clients.flatMap(({ readings }, index) =>
    readings.flatMap(({ stream, ledger }) => {
      const { lost, repeated, disordered } = stream.ended ? ledger : ledger.close(last);
      return lost + repeated + disordered === 0
        ? []
        : [`client ${index + 1}: ${lost} lost, ${repeated} repeated, ${disordered} out of order`];
    }),
  );
}

export const badLineCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "resilience/streams-on-a-bad-line",
    title: "A stream on a slow line with loss delivers every change, or ends",
    group: "tags",
    requirements: ["CORE-FIELD-03", "CORE-FIELD-20"],
    equipment: ["field-devices", "impaired-line"],
    capabilities: ["tags", "tag-stream"],
    async run(context) {
      const { verify, network, signal, level, note, profile } = context;
      notOnSmoke(context);
      const { sources, everyMs } = someLoad(context, tagsOnTheLine);
      await using stack = new AsyncDisposableStack();
      const load = await SequenceLoad.begin(sources, context);
      const clients = [
        stack.use(await SequenceClient.open(context, sources, load)),
        stack.use(await SequenceClient.open(context, sources, load)),
      ];
      const settleMs = profile.patience.settleMs + 2000;
      const problem = await whyNotDelivering(context, load, clients, settleMs);
      if (problem !== undefined) context.unmet(`precondition failed: ${problem.reason}`);
      await impair(context, narrowLine);
      await load.runPolled(everyMs, changesByLevel[level], signal, settleMs);
      await network.impair?.(badLine);
      const streams = clients.flatMap(({ readings }) => readings);
      await untilStill(context, streams, ({ stream, ledger }) => stream.ended || ledger.hasAll(load.last));
      const wrong = deviations(clients, load.last);
      const [evidence] = clients.flatMap((client) => client.evidence(load.last) ?? []);
      const facts = {
        what: `${load.last - load.first} changes of ${tagsOnTheLine} tags on 2 streams, over a line with 100 ms delay, 2 % loss and 32 kbit/s`,
        expected: nothingMissing,
        observed: wrong.length === 0 ? nothingMissing : wrong,
        ...(wrong.length === 0 || evidence === undefined ? {} : { evidence }),
      };
      verify("CORE-FIELD-03").that(wrong.length === 0, facts);
      verify("CORE-FIELD-20").that(wrong.length === 0, facts);
      const ended = streams.filter(({ stream }) => stream.ended).length;
      if (ended > 0)
        note(`the gateway ended ${ended} of ${streams.length} streams; changes after that are not counted`);
    },
  }),
];
