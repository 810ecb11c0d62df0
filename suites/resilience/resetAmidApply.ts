import { type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { download, shownIn, upload } from "../configuration/support.ts";
import { type MarkedSetting, markSettings } from "../support/markedSettings.ts";
import { notOnSmoke } from "../support/smoke.ts";
import { answersAgain } from "../support/restart.ts";

const pressesByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 0, nightly: 1, certification: 5 };
/** The gateway applies and reboots within this time; the button is pressed at a random instant of it. */
const applyLastsMs = 5000;

export const resetAmidApplyCases: readonly TestCase[] = [
  testCase({
    id: "resilience/reset-button-during-apply",
    title: "A hardware reset during apply leaves the old or the new configuration completely",
    group: "general",
    requirements: ["CORE-POWER-08"],
    effect: "reboots",
    touches: ["everything"],
    equipment: ["reset-button"],
    capabilities: ["configuration", "disruptive-reboot"],
    tags: ["power"],
    deadlineMs: 900_000,
    async run(context) {
      const { gateway, verify, power, random, clock, signal, level, unmet, notApplicable } = context;
      notOnSmoke(context);
      for (let press = 1; press <= pressesByLevel[level]; press++) {
        const all = await markSettings(context, [
          "ssh",
          "provision",
          "log",
          "upgrade-configuration",
          "reboot-schedule",
        ]);
        const file = await download(gateway, false);
        if (!file.accepted) unmet(`export of the configuration failed: ${file.summary()}`);
        const marked = await shownIn(file.bytes, all);
        if (marked.length === 0)
          notApplicable("the exported file contains no changed setting in readable form");
        const changed: MarkedSetting[] = [];
        for (const setting of marked) changed.push(await setting.change());
        const { fileName } = (await upload(gateway, file.bytes, { encryption: false })).data();
        (await gateway.admin.call("applyConfiguration", { path: { filename: fileName } })).data();
        const afterMs = random.integer(0, applyLastsMs);
        await clock.delay(afterMs, signal);
        await power.reset?.();
        await answersAgain(context);
        const states: string[] = [];
        for (const [index, setting] of marked.entries()) {
          const now = JSON.stringify(await setting.read());
          if (now === JSON.stringify(setting.value)) states.push("imported");
          else if (now === JSON.stringify(changed[index]?.value)) states.push("unchanged");
          else states.push(`neither, ${now}`);
        }
        verify("CORE-POWER-08").that(
          new Set(states).size === 1 && !states.some((state) => state.startsWith("neither")),
          {
            what: `settings after a hardware reset ${afterMs} ms after the apply request`,
            expected: "all imported, or all unchanged",
            observed: marked.map(({ what }, index) => `${what}: ${states[index]}`).join("; "),
          },
        );
      }
    },
  }),
];
