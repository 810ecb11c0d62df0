import { type TestCase, testCase } from "../../harness/index.ts";
import { answersAgain } from "../support/restart.ts";
import { notOnSmoke } from "../support/smoke.ts";
import { eventWriter } from "./writers.ts";

const mostWrites = 400;
const yearSec = 365 * 86_400;

const shared = {
  group: "general",
  effect: "reboots",
  touches: ["everything"],
  tags: ["power"],
  deadlineMs: 600_000,
} as const;

export const storageAndClockCases: readonly TestCase[] = [
  testCase({
    ...shared,
    id: "resilience/disk-full",
    title: "A full disk loses no acknowledged write and blocks no later one",
    requirements: ["CORE-POWER-11"],
    equipment: ["storage"],
    capabilities: ["events"],
    async run(context) {
      const { verify, storage, scratch, note } = context;
      notOnSmoke(context);
      const writer = await eventWriter(context);
      const acknowledged = new Set<number>();
      let isFull = false;
      scratch.undo("free disk space", async () => void (isFull && (await storage.free())));
      isFull = true;
      await storage.fill();
      await answersAgain(context);
      for (let number = 1; number <= mostWrites; number++) {
        const answer = await writer.write(number);
        if (answer.accepted) acknowledged.add(number);
        else if (answer.status !== 0) break;
      }
      await storage.free();
      isFull = false;
      await answersAgain(context);
      const { numbers } = await writer.read();
      const lost = [...acknowledged].filter((number) => !numbers.has(number));
      verify("CORE-POWER-11").that(lost.length === 0, {
        what: `log entries acknowledged while the disk was full (${acknowledged.size})`,
        expected: "all stored",
        observed:
          lost.length === 0 ? "all stored" : `${lost.length} lost: number ${lost.slice(0, 10).join(", ")}`,
      });
      const again = await writer.write(mostWrites + 1);
      verify("CORE-POWER-11").accepted(again);
      note(`${acknowledged.size} log entries acknowledged while the disk was full`);
    },
  }),
  testCase({
    ...shared,
    id: "resilience/clock-jump",
    title: "The gateway restarts and accepts sign-ins after its clock jumps",
    requirements: ["CORE-POWER-12"],
    equipment: ["clock"],
    capabilities: ["auth"],
    async run(context) {
      const { gateway, verify, gatewayClock, profile, scratch } = context;
      notOnSmoke(context);
      let isWrong = false;
      scratch.undo("clock", async () => void (isWrong && (await gatewayClock.jump(0))));
      for (const [offsetSec, what] of [
        [yearSec, "one year ahead"],
        [0, "correct again"],
      ] as const) {
        isWrong = true;
        await gatewayClock.jump(offsetSec);
        isWrong = offsetSec !== 0;
        const isUp = await answersAgain(context).then(
          () => true,
          () => false,
        );
        const answer = isUp
          ? await gateway.anonymous.call("signIn", {
              json: {
                name: profile.credentials.name,
                password: profile.credentials.password,
                acceptEULA: true,
              },
            })
          : undefined;
        verify("CORE-POWER-12").that(answer?.accepted === true, {
          what: `sign-in with the clock ${what}`,
          expected: "2xx",
          observed: answer === undefined ? "gateway unavailable" : answer.summary(),
        });
      }
    },
  }),
];
