// Power cuts in each step of an upgrade, at instants that the seed chooses.
import { type CaseContext, type TestCase, testCase, timeOf } from "../../harness/index.ts";
import { Unmet } from "../../record/index.ts";
import { answersAgain } from "../support/restart.ts";
import { onlyForCertification } from "../support/smoke.ts";
import {
  endOf,
  install,
  keepThings,
  sharedByInstallations,
  type System,
  systemsOf,
  versionAfter,
} from "./systems.ts";

const cutsByDefault = 10;
const steps = ["write", "first boot", "download", "switch"] as const;
type Step = (typeof steps)[number];
/**
 * A step's first millisecond and its last: of the download after its start, of the others after its end, which is seen at
 * every upgrade.
 */
type Steps = Readonly<Record<Step, readonly [number, number]>>;
const aroundSwitchMs = 150;

/** Installs the system without a cut; answers when each step began and ended. */
async function timeSteps(context: CaseContext, system: System): Promise<Steps> {
  const { gateway, waitFor, clock, profile, outside } = context;
  const now = (): number => outside.read(timeOf("an upgrade"), () => clock.nowMs());
  const { bootMs } = profile.patience;
  await using watch = await gateway.watchForRestart();
  await using installation = await install(context, system);
  const startMs = now();
  const isSent = (): true | undefined => installation.server.completed > 0 || undefined;
  await waitFor("the download", isSent, { deadlineMs: bootMs, everyMs: 5 });
  const sentMs = now() - startMs;
  const seen = await watch
    .restarted({ downWithinMs: bootMs, upWithinMs: bootMs })
    .catch((thrown: unknown) => {
      if (!(thrown instanceof Unmet)) throw thrown;
      return undefined;
    });
  await endOf(context, installation.job.id);
  const endMs = Math.max(sentMs + 1, Math.round(now() - startMs));
  const after = (instantMs: number | undefined): number =>
    Math.max(0, Math.round((instantMs ?? startMs + endMs) - startMs - sentMs));
  const downMs = after(seen?.down.high);
  return {
    download: [0, Math.round(sentMs)],
    write: [0, Math.max(0, downMs - aroundSwitchMs)],
    switch: [Math.max(0, downMs - aroundSwitchMs), downMs + aroundSwitchMs],
    "first boot": [downMs, after(seen?.up.high)],
  };
}

/** Cuts and restores the power; whether the gateway is available then. */
async function cutPower(context: CaseContext, when: string): Promise<void> {
  const { power, scratch, verify, profile, unmet } = context;
  let isOff = true;
  scratch.undo("power", async () => void (isOff && (await power.restore())));
  await power.cut();
  await power.restore();
  isOff = false;
  const isUp = await answersAgain(context).then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof Unmet) return false;
      throw thrown;
    },
  );
  verify("CORE-UPGRADE-84").that(isUp, {
    what: `availability after a power cut ${when}`,
    expected: `available within ${profile.patience.bootMs / 1000} s`,
    observed: isUp ? "available" : "unavailable",
  });
  if (!isUp) unmet(`the gateway did not become available after a power cut ${when}`);
}

export const powerCutCases: readonly TestCase[] = [
  testCase({
    ...sharedByInstallations,
    id: "upgrade/power-cut-amid-upgrade",
    title: "A power cut during an upgrade leaves one of both versions and all data",
    requirements: ["CORE-UPGRADE-75", "CORE-UPGRADE-84", "CORE-UPGRADE-85"],
    equipment: ["power"],
    tags: ["firmware", "power"],
    // Two hundred cuts take a quarter of an hour on an idle machine.
    deadlineMs: 7_200_000,
    async run(context) {
      const { verify, random, clock, signal, profile, note, waitFor } = context;
      const cuts = profile.upgrade.powerCuts ?? cutsByDefault;
      if (profile.upgrade.powerCuts === undefined) onlyForCertification(context);
      let { present, other } = await systemsOf(context);
      const verifyKept = await keepThings(context, {
        users: "CORE-UPGRADE-85",
        settings: "CORE-UPGRADE-85",
        tags: "CORE-UPGRADE-85",
      });
      const times = await timeSteps(context, other);
      await cutPower(context, "after an upgrade");
      verify("CORE-UPGRADE-75").equal(
        await versionAfter(context, other.version),
        other.version,
        "version after an upgrade and a power cut",
      );
      [present, other] = [other, present];
      const ends: string[] = [];
      for (let cut = 0; cut < cuts; cut++) {
        const step = steps[cut % steps.length] ?? "write";
        const [firstMs, lastMs] = times[step];
        await using installation = await install(context, other);
        const afterMs = random.integer(firstMs, lastMs);
        const isSent = (): true | undefined => installation.server.completed > 0 || undefined;
        if (step !== "download")
          await waitFor("the download", isSent, { deadlineMs: profile.patience.bootMs, everyMs: 5 });
        await clock.delay(afterMs, signal);
        const from = step === "download" ? "start" : "end";
        const when = `${afterMs} ms after the ${from} of an upgrade's download (${step})`;
        await cutPower(context, when);
        const job = await endOf(context, installation.job.id);
        const isDone = job?.state === "succeed";
        const version = await versionAfter(context, (isDone ? other : present).version);
        verify("CORE-UPGRADE-84").that(
          version === other.version || (version === present.version && !isDone),
          {
            what: `version after a power cut ${when}, with the job ${job?.state ?? "unknown"}`,
            expected: isDone ? other.version : `${present.version} or ${other.version}`,
            observed: version ?? "no answer",
          },
        );
        await verifyKept(`after a power cut ${when}`);
        ends.push(version === other.version ? "new" : "former");
        if (version === other.version) [present, other] = [other, present];
      }
      const former = ends.filter((one) => one === "former").length;
      note(
        `${cuts} power cuts during upgrades: ${former} ended with the former version, ${ends.length - former} with the new one`,
      );
    },
  }),
];
