import {
  type Answer,
  type CaseContext,
  type Instant,
  type Interval,
  type RestartWatch,
  type TestCase,
  decide,
  settingNames,
  testCase,
} from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { type MarkedSetting, markSettings } from "../support/markedSettings.ts";
import { backAgain, delayAfter, secondsSince } from "../support/restart.ts";
import { download, shownIn, upload } from "./support.ts";

const rebootDelaySec = 5;
const repetitionsByLevel: Readonly<Record<CampaignLevel, number>> = {
  smoke: 1,
  nightly: 1,
  certification: 5,
};

function band({ profile }: CaseContext): Interval {
  const tolerance = profile.tolerances.rebootDelaySec;
  return { low: rebootDelaySec - tolerance, high: rebootDelaySec + tolerance };
}

/** The instant at which the gateway went down after the command; a failed check when it did not. */
async function wentDown(
  { profile, verify }: CaseContext,
  watch: RestartWatch,
  command: Answer,
): Promise<Instant | undefined> {
  const limitSec = rebootDelaySec + profile.tolerances.rebootDelaySec + profile.patience.settleMs / 1000;
  const seen = await watch.wentDown(limitSec * 1000);
  if (seen === undefined) {
    verify("CORE-CONFIG-31").that(false, {
      what: "reboot after a configuration was applied",
      expected: `reboot after ${rebootDelaySec} s`,
      observed: `no reboot within ${limitSec} s`,
      evidence: command,
    });
  }
  return seen;
}

function rebootedInTime(context: CaseContext, command: Answer, down: Instant): void {
  context.verify("CORE-CONFIG-31").within(
    {
      name: "delay from apply to reboot",
      unit: "s",
      ...delayAfter(command, down),
      limits: band(context),
    },
    command,
  );
}

async function verifyRestored({ verify }: CaseContext, exported: readonly MarkedSetting[]): Promise<void> {
  for (const setting of exported) {
    verify("CORE-CONFIG-32").equal(
      await setting.read(),
      setting.value,
      `${setting.what} after export, change and apply of the exported file`,
    );
  }
  if (exported.length === 0) {
    verify("CORE-CONFIG-32").notApplicable(
      "settings restored by an applied configuration",
      "the exported file shows none of the settings that the suite changes",
    );
  }
}

/** Checks that an upload without apply changed no setting. */
async function verifyNotApplied(
  { verify }: CaseContext,
  uploaded: Answer,
  changed: readonly MarkedSetting[],
): Promise<void> {
  for (const setting of changed) {
    verify("CORE-CONFIG-26").equal(
      await setting.read(),
      setting.value,
      `${setting.what} after an upload without \`apply\``,
      uploaded,
    );
  }
}

/** Repeats the measurement of the delay as often as the level asks for; the report shows the spread. */
async function applyAgain(context: CaseContext, file: Buffer): Promise<void> {
  const { gateway, level, verify } = context;
  for (let repetition = 2; repetition <= repetitionsByLevel[level]; repetition++) {
    const { fileName } = (await upload(gateway, file, { encryption: false })).data();
    await using watch = await gateway.watchForRestart();
    const answer = await gateway.admin.call("applyConfiguration", { path: { filename: fileName } });
    if (!verify("CORE-CONFIG-29").accepted(answer)) return;
    const down = await wentDown(context, watch, answer);
    if (down === undefined) return;
    rebootedInTime(context, answer, down);
    await backAgain(context, watch);
  }
}

export const applyCases: readonly TestCase[] = [
  testCase({
    id: "configuration/apply-reboots-after-5s",
    title: "Apply restores the exported settings and reboots 5 s later; upload alone does not",
    group: "configuration",
    requirements: ["CORE-CONFIG-26", "CORE-CONFIG-29", "CORE-CONFIG-31", "CORE-CONFIG-32"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["configuration", "disruptive-reboot"],
    tags: ["timing"],
    deadlineMs: 900_000,
    async run(context) {
      const { gateway, verify, waitFor, clock, unmet } = context;
      const marked = await markSettings(context, settingNames);
      const file = await download(gateway, false);
      if (!file.accepted) unmet(`the export was rejected: ${file.summary()}`);
      const exported = await shownIn(file.bytes, marked);
      const changed: MarkedSetting[] = [];
      for (const setting of marked) changed.push(await setting.change());

      await using watch = await gateway.watchForRestart();
      const uploaded = await upload(gateway, file.bytes, { encryption: false });
      const { fileName } = uploaded.data();
      await verifyNotApplied(context, uploaded, changed);
      // Far enough apart to attribute a reboot to the upload or to the apply.
      const { low, high } = band(context);
      const apartMs = Math.min(high - low + 0.5, high + 0.3) * 1000;
      const uploadedMs = uploaded.exchange.startedMs + uploaded.exchange.durationMs;
      await waitFor(
        "the distance in time between upload and apply",
        () => clock.nowMs() - uploadedMs >= apartMs || undefined,
        {
          deadlineMs: apartMs + 1000,
        },
      );

      const answer = await gateway.admin.call("applyConfiguration", { path: { filename: fileName } });
      if (verify("CORE-CONFIG-29").accepted(answer)) {
        verify("CORE-CONFIG-29").equal(
          answer.data().diff,
          null,
          "`diff` in the answer of Apply configuration",
          answer,
        );
      }
      const down = await wentDown(context, watch, answer);
      const isOfUpload =
        down !== undefined &&
        secondsSince(answer, down).high < low &&
        decide(secondsSince(uploaded, down), { low, high }) !== "fail";
      verify("CORE-CONFIG-26").that(!isOfUpload, {
        what: "reboot 5 s after an upload without `apply`",
        expected: "no reboot",
        observed: isOfUpload ? "a reboot" : "no reboot",
        evidence: uploaded,
      });
      if (down === undefined) return;
      if (!isOfUpload && answer.accepted) rebootedInTime(context, answer, down);
      await backAgain(context, watch);
      await verifyRestored(context, exported);
      await applyAgain(context, file.bytes);
    },
  }),
  testCase({
    id: "configuration/upload-with-apply",
    title: "An upload with `apply` restores the exported settings and reboots 5 s later",
    group: "configuration",
    requirements: ["CORE-CONFIG-31", "CORE-CONFIG-32", "CORE-CONFIG-33"],
    effect: "reboots",
    touches: ["everything"],
    capabilities: ["configuration", "disruptive-reboot"],
    tags: ["timing"],
    deadlineMs: 240_000,
    async run(context) {
      const { gateway, profile, verify, unmet } = context;
      const marked = await markSettings(context, settingNames);
      const [file, plain] = [await download(gateway, undefined), await download(gateway, false)];
      if (!file.accepted || !plain.accepted) unmet(`the export was rejected: ${file.summary()}`);
      const exported = await shownIn(plain.bytes, marked);
      for (const setting of marked) await setting.change();
      await using watch = await gateway.watchForRestart();
      const { serialNumber } = profile;
      const answer = await upload(gateway, file.bytes, {
        apply: true,
        ...(serialNumber === undefined ? {} : { password: serialNumber }),
      });
      if (!verify("CORE-CONFIG-33").accepted(answer)) return;
      const down = await wentDown(context, watch, answer);
      if (down === undefined) return;
      rebootedInTime(context, answer, down);
      await backAgain(context, watch);
      await verifyRestored(context, exported);
    },
  }),
];
