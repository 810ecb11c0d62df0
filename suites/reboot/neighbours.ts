import { type CaseContext, type TestCase, testCase } from "../../harness/index.ts";
import type { ResetScope } from "../../interface/resources/reboot.ts";
import { page } from "../events/support.ts";
import { markSettings } from "../support/markedSettings.ts";
import { settledAfterReset } from "./resetSign.ts";

/** Scopes that hold nothing of what this case looks at. */
const elsewhere: readonly ResetScope[] = ["journald", "discovery", "serialconsole", "job"];

/** An event of the case's own: its category, by which it is found again. */
async function recorded({ gateway, random }: CaseContext): Promise<string> {
  const own = `rp${random.word(8)}`;
  const json = { category: own, event: own, origin: own };
  (await gateway.admin.call("createEvent", { json })).body();
  return own;
}

export const neighbourCases: readonly TestCase[] = [
  testCase({
    id: "reset/other-scopes-leave-it-alone",
    title:
      "A reset of the log, of discovery, of the serial console and of jobs leaves settings, roles and events alone",
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
        return notApplicable(`the gateway offers none of the scopes ${elsewhere.join(", ")}`);
      const marked = await markSettings(context, ["ssh", "provision", "reboot", "upgrade", "events"]);
      const role = declares("roles") ? await scratch.role([]) : undefined;
      const category = declares("events") ? await recorded(context) : undefined;
      if (marked.length === 0 && role === undefined && category === undefined)
        return notApplicable("the gateway has nothing that the suite could look at");
      await using watch = await gateway.watchForRestart();
      const query = { mode: "system", sync: true, scopes } as const;
      const answer = await gateway.admin.call("resetToDefault", { query });
      if (answer.status !== 0 && !answer.accepted)
        context.unmet(`a reset of ${scopes.join(", ")} was refused: ${answer.summary()}`);
      await settledAfterReset(context, watch);
      const after = `after a reset of ${scopes.join(", ")}`;
      for (const setting of marked)
        verify("CORE-REBOOT-32").equal(
          await setting.read(),
          setting.value,
          `${setting.what} ${after}`,
          answer,
        );
      if (role !== undefined) {
        const roles = (await gateway.admin.call("listRoles")).data().map(({ name }) => name);
        verify("CORE-REBOOT-32").equal(roles.includes(role.name), true, `whether a role is there ${after}`);
      }
      if (category !== undefined) {
        const { total } = await page(gateway, { categories: category });
        verify("CORE-REBOOT-32").equal(total, 1, `number of events created before that are there ${after}`);
      }
    },
  }),
];
