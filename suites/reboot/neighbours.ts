import { type TestCase, testCase } from "../../harness/index.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { createThings, laterReading } from "../support/createdThings.ts";
import { markSettings } from "../support/markedSettings.ts";
import { invertOtherServices, watchOtherServices } from "./otherServices.ts";
import { settledAfterReset } from "./resetSign.ts";

/** Scopes without any of the state compared here. */
const elsewhere: readonly ResetScope[] = ["journald", "discovery", "serialconsole", "job"];

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
      const scopes = elsewhere.filter((scope) => system.scopes.includes(scope));
      if (!system.isSupported || scopes.length === 0)
        return notApplicable(`the reset capabilities offer none of the scopes ${elsewhere.join(", ")}`);
      // Before the settings: the event log may be off then.
      const created = await createThings(context, ["role", "user", "signed-in user", "virtual tag", "event"]);
      await invertOtherServices(context);
      const marked = await markSettings(context, [
        "ssh",
        "provision",
        "reboot-schedule",
        "upgrade-configuration",
        "event-configuration",
        "http-server",
      ]);
      if (marked.length === 0 && created.length === 0)
        return notApplicable("the profile declares no setting, role or event to compare");
      const verifyOtherServices = await watchOtherServices(context, scopes);
      await using watch = await gateway.watchForRestart();
      const query = { mode: "system", sync: true, scopes } as const;
      const answer = await gateway.admin.call("resetToDefault", { query });
      if (answer.status !== 0 && !answer.accepted)
        context.unmet(`reset of the offered scopes ${scopes.join(", ")} failed: ${answer.summary()}`);
      await settledAfterReset(context, watch, scopes);
      const after = `after a reset of the scopes ${scopes.join(", ")}`;
      for (const setting of marked)
        verify("CORE-REBOOT-32").equal(
          await setting.read(),
          setting.value,
          `${setting.what} ${after}`,
          answer,
        );
      await verifyOtherServices(answer);
      for (const thing of created)
        verify("CORE-REBOOT-32").equal(
          await laterReading(context, thing),
          thing.expected,
          `${thing.what} ${after}`,
          answer,
        );
    },
  }),
];
