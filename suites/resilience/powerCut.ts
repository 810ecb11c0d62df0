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
/** A cut by hand takes a minute; a gateway must not collect thousands of entries meanwhile. */
const fastWrites = 100;
const slowEveryMs = 250;

/** State of a writer at the power cut. */
interface Work {
  readonly writer: Writer;
  readonly acknowledged: Set<number>;
  /** The write without an answer. */
  pending: number | undefined;
}

/** Writes in sequence until stopped or until an answer is missing. */
async function writeOn(
  { clock, signal }: CaseContext,
  work: Work,
  from: number,
  isOver: () => boolean,
): Promise<number> {
  let number = from;
  while (!isOver()) {
    if (number - from >= fastWrites) await clock.delay(slowEveryMs, signal).catch(() => undefined);
    work.pending = number;
    const answer = await work.writer.write(number).catch(() => undefined);
    if (answer?.accepted === true) work.acknowledged.add(number);
    // A rejected write is settled; one without an answer is not.
    if (answer === undefined || answer.status === 0) return number + 1;
    work.pending = undefined;
    number += 1;
  }
  return number;
}

/** Cuts the power during the writes and restores it. */
async function cutAmid(context: CaseContext, works: readonly Work[], from: number): Promise<number> {
  const { power, random, clock, signal, scratch } = context;
  let isOver = false;
  let isOff = false;
  scratch.undo("power", async () => void (isOff && (await power.restore())));
  const writing = works.map((work) => writeOn(context, work, from, () => isOver || signal.aborted));
  await clock.delay(random.integer(earliestCutMs, latestCutMs), signal);
  isOff = true;
  let ends: readonly number[] = [];
  try {
    await power.cut();
  } finally {
    // Without a cut the gateway would take writes for ever.
    isOver = true;
    ends = await Promise.all(writing);
  }
  const next = Math.max(...ends);
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
    what: "availability after the power was restored",
    expected: `available within ${context.profile.patience.bootMs / 1000} s`,
    observed: isUp ? `available after ${tookSec.toFixed(2)} s` : `unavailable for ${tookSec.toFixed(0)} s`,
  });
  if (!isUp) context.unmet("the gateway did not become available after a power cut");
  return next;
}

function compare({ verify }: CaseContext, work: Work, stored: Awaited<ReturnType<Writer["read"]>>): void {
  const { writer, acknowledged, pending } = work;
  if (acknowledged.size === 0)
    return verify(writer.requirement).notApplicable(
      `${writer.what} acknowledged before a power cut`,
      "the gateway accepted none until then",
    );
  const last = Math.max(0, ...acknowledged);
  const expected = writer.keepsLastOnly === true ? [last] : [...acknowledged];
  // The write in progress may have replaced the last acknowledged one.
  const isReplaced = writer.keepsLastOnly === true && pending !== undefined && stored.numbers.has(pending);
  const lost = isReplaced ? [] : expected.filter((number) => !stored.numbers.has(number));
  verify(writer.requirement).that(lost.length === 0, {
    what: `${writer.what} acknowledged before a power cut (${acknowledged.size})`,
    expected: "all stored",
    observed:
      lost.length === 0 ? "all stored" : `${lost.length} lost: number ${lost.slice(0, 10).join(", ")}`,
  });
  const foreign = [...stored.numbers].filter(
    (number) => number > 0 && !acknowledged.has(number) && number !== pending,
  );
  verify("CORE-POWER-05").that(stored.broken.length === 0 && foreign.length === 0, {
    what: `${writer.what} not acknowledged before a power cut`,
    expected: "absent or complete",
    observed:
      stored.broken.length > 0
        ? `incomplete: ${stored.broken.join(", ")}`
        : foreign.length > 0
          ? `never sent: number ${foreign.join(", ")}`
          : "absent or complete",
  });
}

export const powerCutCases: readonly TestCase[] = [
  testCase({
    id: "resilience/power-cut-amid-writes",
    title: "Acknowledged changes survive a power cut; the gateway becomes available by itself",
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
      scratch.undo("SSH port", () => gateway.admin.call("setSsh", { json: ssh }));
      const works = [
        await eventWriter(context),
        settingWriter(context, ssh),
        virtualTagWriter(context),
        await userWriter(context),
        jobWriter(context),
      ].map((writer): Work => ({ writer, acknowledged: new Set(), pending: undefined }));
      for (const { writer } of works)
        scratch.undo(writer.what, async () => writer.clean?.((await writer.read()).numbers));
      // True for every flag: a gateway whose event log is off records no entry.
      const marked = await markSettings(
        context,
        [
          "provision",
          "log",
          "upgrade-configuration",
          "event-configuration",
          "reboot-schedule",
          "http-server",
        ],
        { flags: true },
      );
      let next = 1;
      for (let cut = 1; cut <= cutsByLevel[level]; cut++) {
        next = await cutAmid(context, works, next);
        for (const work of works) compare(context, work, await work.writer.read());
        for (const { what, value, read } of marked)
          verify("CORE-POWER-03").equal(await read(), value, `${what} after a power cut`);
        // The write without an answer is settled: it counts as stored from here on if it was.
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
