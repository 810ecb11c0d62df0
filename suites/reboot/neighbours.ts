import { type SettingName, settingNames, type TestCase, testCase } from "../../harness/index.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { type CreatedKind, createThings, laterReading } from "../support/createdThings.ts";
import { markSettings } from "../support/markedSettings.ts";
import { invertOtherServices, watchOtherServices } from "./otherServices.ts";
import { settledAfterReset } from "./resetSign.ts";

/** Scopes that are reset together, and what none of them contains. */
interface Elsewhere {
  readonly scopes: readonly ResetScope[];
  /** Absent: everything compared here. */
  readonly spared?: readonly (CreatedKind | SettingName)[];
  /** What the scopes contain. Settings are marked anew afterwards, created things are no longer compared. */
  readonly owns?: readonly (CreatedKind | SettingName)[];
  /** Whether the reset removes what the gateway's user may need. */
  readonly isThorough?: boolean;
}

const elsewhere: readonly Elsewhere[] = [
  { scopes: ["discovery", "serialconsole"] },
  // Whether the settings of the log belong to it is not stated; that they belong to no other scope is.
  { scopes: ["journald"], owns: ["log"] },
  // Beside the resets of `scopeReset.ts`: of any two of these scopes, each is reset once without the other.
  { scopes: ["provision", "reboot"], owns: ["provision", "reboot-schedule"] },
  // A reboot that is scheduled may count as a job.
  { scopes: ["job"], owns: ["upgrade job", "reboot-schedule"] },
  {
    scopes: ["eventlog", "upgrade"],
    owns: ["event-configuration", "event", "upgrade-configuration", "upgrade job"],
    isThorough: true,
  },
  // An app may own tags, files of the web server, or events.
  { scopes: ["appdata"], spared: ["role", "user", "ssh", "provision", "reboot-schedule"], isThorough: true },
];

export const neighbourCases: readonly TestCase[] = [
  testCase({
    id: "reset/other-scopes-leave-it-alone",
    title: "Resets of other scopes leave settings, services, roles and events unchanged",
    group: "reboot",
    effect: "resets",
    touches: ["everything"],
    capabilities: ["reset", "disruptive-reset"],
    deadlineMs: 240_000,
    requirements: ["CORE-REBOOT-32"],
    async run(context) {
      const { gateway, verify, notApplicable } = context;
      const { system } = (await gateway.admin.call("getResetCapabilities")).data();
      const resets = elsewhere
        .filter(({ isThorough = false }) => !isThorough || context.declares("factory-reset"))
        .map((one) => ({ ...one, scopes: one.scopes.filter((scope) => system.scopes.includes(scope)) }))
        .filter(({ scopes }) => scopes.length > 0);
      if (!system.isSupported || resets.length === 0)
        return notApplicable(
          `the reset capabilities offer none of the scopes ${elsewhere.flatMap(({ scopes }) => scopes).join(", ")}`,
        );
      // Before the settings: the event log may be off then.
      let created = await createThings(context, [
        "role",
        "user",
        "signed-in user",
        "virtual tag",
        "event",
        "upgrade job",
      ]);
      await invertOtherServices(context);
      let marked = await markSettings(context, [
        "ssh",
        "provision",
        "log",
        "reboot-schedule",
        "upgrade-configuration",
        "event-configuration",
        "http-server",
      ]);
      if (marked.length === 0 && created.length === 0)
        return notApplicable("the profile declares no setting, role or event to compare");
      for (const { scopes, spared, owns = [] } of resets) {
        const isOwned = (name: CreatedKind | SettingName): boolean => owns.includes(name);
        const isSpared = (name: CreatedKind | SettingName): boolean =>
          !isOwned(name) && (spared?.includes(name) ?? true);
        const verifyOtherServices = await watchOtherServices(context, scopes);
        await using watch = await gateway.watchForRestart();
        const query = { mode: "system", sync: true, scopes } as const;
        const answer = await gateway.admin.call("resetToDefault", { query });
        if (answer.status !== 0 && !answer.accepted)
          context.unmet(`reset of the offered scopes ${scopes.join(", ")} failed: ${answer.summary()}`);
        await settledAfterReset(context, watch, scopes);
        const after = `after a reset of the scopes ${scopes.join(", ")}`;
        for (const setting of marked.filter(({ name }) => isSpared(name)))
          verify("CORE-REBOOT-32").equal(
            await setting.read(),
            setting.value,
            `${setting.what} ${after}`,
            answer,
          );
        await verifyOtherServices(answer);
        for (const thing of created.filter(({ kind }) => isSpared(kind)))
          verify("CORE-REBOOT-32").equal(
            await laterReading(context, thing),
            thing.expected,
            `${thing.what} ${after}`,
            answer,
          );
        created = created.filter(({ kind }) => !isOwned(kind));
        const reset = settingNames.filter(isOwned);
        marked = [...marked.filter(({ name }) => !isOwned(name)), ...(await markSettings(context, reset))];
      }
    },
  }),
];
