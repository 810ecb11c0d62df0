import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { Unmet } from "../../record/index.ts";
import { markSettings } from "../support/markedSettings.ts";
import { answersAgain } from "../support/restart.ts";
import {
  eventWriter,
  jobWriter,
  settingWriter,
  userWriter,
  virtualTagWriter,
  type Writer,
} from "./writers.ts";

const cutsByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 1, nightly: 2, certification: 10 };
const earliestCutMs = 150;
const latestCutMs = 900;

/** What a writer knows when the power is gone. */
interface Work {
  readonly writer: Writer;
  readonly acknowledged: Set<number>;
  /** The write whose answer never came. */
  pending: number | undefined;
}

/** Writes one after another until it is told to stop or an answer does not come. */
async function writeOn(work: Work, from: number, isOver: () => boolean): Promise<number> {
  let number = from;
  while (!isOver()) {
    work.pending = number;
    const answer = await work.writer.write(number).catch(() => undefined);
    if (answer?.accepted === true) work.acknowledged.add(number);
    // An answer that says no leaves nothing open; none at all does.
    if (answer === undefined || answer.status === 0) return number + 1;
    work.pending = undefined;
    number += 1;
  }
  return number;
}

/** Takes the power away in the middle of the work, and gives it back. */
async function cutAmid(context: CaseContext, works: readonly Work[], from: number): Promise<number> {
  const { power, random, clock, signal, scratch } = context;
  let isOver = false;
  let isOff = false;
  scratch.undo("the power", async () => void (isOff && (await power.restore())));
  const writing = works.map((work) => writeOn(work, from, () => isOver));
  await clock.delay(random.integer(earliestCutMs, latestCutMs), signal);
  isOff = true;
  await power.cut();
  isOver = true;
  const next = Math.max(...(await Promise.all(writing)));
  const restored = await power.restore();
  isOff = false;
  const isUp = await answersAgain(context).then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof Unmet) return false;
      throw thrown;
    },
  );
  const tookSec = (clock.nowMs() - restored.high) / 1000;
  context.verify("CORE-POWER-01").that(isUp, {
    what: "the gateway after the power was back",
    expected: `up by itself within ${context.profile.patience.bootMs / 1000} s`,
    observed: isUp ? `up after ${tookSec.toFixed(2)} s` : `not up after ${tookSec.toFixed(0)} s`,
  });
  if (!isUp) context.unmet("the gateway did not come up after a power cut");
  return next;
}

function compare({ verify }: CaseContext, work: Work, held: Awaited<ReturnType<Writer["read"]>>): void {
  const { writer, acknowledged, pending } = work;
  const last = Math.max(0, ...acknowledged);
  const expected = writer.keepsLastOnly === true ? [last] : [...acknowledged];
  // The write that was under way may have taken the place of the last one that was acknowledged.
  const isReplaced = writer.keepsLastOnly === true && pending !== undefined && held.numbers.has(pending);
  const lost = isReplaced ? [] : expected.filter((number) => !held.numbers.has(number));
  verify(writer.requirement).that(lost.length === 0, {
    what: `${writer.what} after a power cut: ${acknowledged.size} were acknowledged before it`,
    expected: "all that were acknowledged",
    observed:
      lost.length === 0 ? "all" : `without number ${lost.slice(0, 10).join(", ")} (${lost.length} in all)`,
  });
  const foreign = [...held.numbers].filter(
    (number) => number > 0 && !acknowledged.has(number) && number !== pending,
  );
  verify("CORE-POWER-05").that(held.broken.length === 0 && foreign.length === 0, {
    what: `${writer.what} that were not acknowledged, after a power cut`,
    expected: "absent or whole",
    observed:
      held.broken.length > 0 ? held.broken : foreign.length > 0 ? `numbers ${foreign.join(", ")}` : "so",
  });
}

export const powerCutCases: readonly TestCase[] = [
  testCase({
    id: "resilience/power-cut-amid-writes",
    title:
      "What was acknowledged before the power was cut is there afterwards, and the gateway comes up by itself",
    group: "general",
    effect: "reboots",
    touches: ["everything"],
    equipment: ["power"],
    capabilities: ["events", "ssh", "virtual-tags", "users", "roles", "upgrade", "upgrade-jobs"],
    requirements: [
      "CORE-POWER-01",
      "CORE-POWER-02",
      "CORE-POWER-03",
      "CORE-POWER-04",
      "CORE-POWER-05",
      "CORE-POWER-06",
      "CORE-POWER-07",
    ],
    tags: ["power"],
    deadlineMs: 900_000,
    async run(context) {
      const { gateway, scratch, level, note, verify } = context;
      const ssh = (await gateway.admin.call("getSsh")).data();
      scratch.undo("the port of SSH", () => gateway.admin.call("setSsh", { json: ssh }));
      const works = [
        eventWriter(context),
        settingWriter(context, ssh),
        virtualTagWriter(context),
        await userWriter(context),
        jobWriter(context),
      ].map((writer): Work => ({ writer, acknowledged: new Set(), pending: undefined }));
      for (const { writer } of works)
        scratch.undo(writer.what, async () => writer.clean?.((await writer.read()).numbers));
      const marked = await markSettings(context, ["provision", "log", "upgrade", "events"]);
      let next = 1;
      for (let cut = 1; cut <= cutsByLevel[level]; cut++) {
        next = await cutAmid(context, works, next);
        for (const work of works) compare(context, work, await work.writer.read());
        for (const { what, value, read } of marked)
          verify("CORE-POWER-03").equal(await read(), value, `${what} after a power cut`);
        // What had no answer is settled now: it counts from here on as what it turned out to be.
        for (const work of works) {
          const { pending, writer } = work;
          if (pending !== undefined && (await writer.read()).numbers.has(pending))
            work.acknowledged.add(pending);
          work.pending = undefined;
        }
      }
      note(works.map(({ writer, acknowledged }) => `${acknowledged.size} ${writer.what}`).join(", "));
    },
  }),
];
