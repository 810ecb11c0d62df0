import { type TestCase, testCase } from "../../harness/index.ts";
import type { CampaignLevel } from "../../interface/vocabulary/levels.ts";
import { download, shownIn, upload } from "../configuration/support.ts";
import { type MarkedSetting, markSettings } from "../support/markedSettings.ts";
import { notOnSmoke } from "../support/smoke.ts";
import { answersAgain } from "../support/restart.ts";

const pressesByLevel: Readonly<Record<CampaignLevel, number>> = { smoke: 0, nightly: 1, certification: 5 };
/** The gateway applies and reboots within these; the button is pressed at a random instant of them. */
const applyLastsMs = 5000;

export const resetAmidApplyCases: readonly TestCase[] = [
  testCase({
    id: "resilience/reset-button-during-apply",
    title:
      "A gateway that is reset while it applies a configuration has the old one afterwards, or the new one, whole",
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
        const all = await markSettings(context, ["ssh", "provision", "log", "upgrade", "reboot"]);
        const file = await download(gateway, false);
        if (!file.accepted) unmet(`the export was refused: ${file.summary()}`);
        const marked = await shownIn(file.bytes, all);
        if (marked.length === 0)
          notApplicable("the exported file shows none of the settings that the suite changes");
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
          if (now === JSON.stringify(setting.value)) states.push("applied");
          else if (now === JSON.stringify(changed[index]?.value)) states.push("as before");
          else states.push(`neither: ${now}`);
        }
        verify("CORE-POWER-08").that(
          new Set(states).size === 1 && !states.some((s) => s.startsWith("neither")),
          {
            what: `the settings after a reset ${afterMs} ms after the configuration was applied`,
            expected: "all applied, or all as before",
            observed: marked.map(({ what }, index) => `${what}: ${states[index]}`).join("; "),
          },
        );
      }
    },
  }),
];
