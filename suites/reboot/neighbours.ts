import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { page } from "../events/support.ts";
import { markSettings } from "../support/markedSettings.ts";
import { settledAfterReset } from "./resetSign.ts";

/** Scopes without any of the state compared here. */
const elsewhere: readonly ResetScope[] = ["journald", "discovery", "serialconsole", "job"];

/** Creates an event and returns its unique category. */
async function recorded({ gateway, random }: CaseContext): Promise<string> {
  const own = `rp${random.word(8)}`;
  const json = { category: own, event: own, origin: own };
  (await gateway.admin.call("createEvent", { json })).body();
  return own;
}

export const neighbourCases: readonly TestCase[] = [
  testCase({
    id: "reset/other-scopes-leave-it-alone",
    title: "Resets of other scopes leave settings, roles and events unchanged",
    group: "reboot",
    effect: "resets",
    touches: ["everything"],
    capabilities: ["reset", "disruptive-reset"],
    deadlineMs: 240_000,
    requirements: ["CORE-REBOOT-32"],
    async run(context) {
      const { gateway, verify, scratch, declares, notApplicable } = context;
      const { system } = (await gateway.admin.call("getResetCapabilities")).data();
      const scopes = elsewhere.filter((scope) => system.scopes.includes(scope));
      if (!system.isSupported || scopes.length === 0)
        return notApplicable(`the reset capabilities offer none of the scopes ${elsewhere.join(", ")}`);
      const marked = await markSettings(context, ["ssh", "provision", "reboot", "upgrade", "events"]);
      const role = declares("roles") ? await scratch.role([]) : undefined;
      const category = declares("events") ? await recorded(context) : undefined;
      if (marked.length === 0 && role === undefined && category === undefined)
        return notApplicable("the profile declares no setting, role or event to compare");
      await using watch = await gateway.watchForRestart();
      const query = { mode: "system", sync: true, scopes } as const;
      const answer = await gateway.admin.call("resetToDefault", { query });
      if (answer.status !== 0 && !answer.accepted)
        context.unmet(`reset of the offered scopes ${scopes.join(", ")} failed: ${answer.summary()}`);
      await settledAfterReset(context, watch);
      const after = `after a reset of the scopes ${scopes.join(", ")}`;
      for (const setting of marked)
        verify("CORE-REBOOT-32").equal(
          await setting.read(),
          setting.value,
          `${setting.what} ${after}`,
          answer,
        );
      if (role !== undefined) {
        const roles = (await gateway.admin.call("listRoles")).data().map(({ name }) => name);
        verify("CORE-REBOOT-32").equal(roles.includes(role.name), true, `presence of a role ${after}`);
      }
      if (category !== undefined) {
        const { total } = await page(gateway, { categories: category });
        verify("CORE-REBOOT-32").equal(
          total,
          1,
          `\`total\` of events of the category of one created event ${after}`,
        );
      }
    },
  }),
];
