import { isDeepStrictEqual } from "node:util";
import { type TestCase, testCase } from "../../harness/index.ts";
import { appMembers, verifyAppViews } from "./appFacts.ts";
import { presence } from "../users/accounts.ts";
import { inParallel } from "../users/inParallel.ts";

const mostCompared = 20;
const readsAtOnce = 4;
/** Instants before this are placeholders for unset ones. */
const earliestMs = Date.UTC(2000, 0, 1);

export const readingCases: readonly TestCase[] = [
  testCase({
    id: "apps/list-and-get-agree",
    title: "List apps and Get app agree; unknown names are rejected",
    group: "apps",
    requirements: ["CORE-APP-17", "CORE-APP-34", "CORE-APP-36"],
    effect: "read-only",
    touches: [],
    capabilities: ["apps"],
    tags: ["smoke"],
    async run(context) {
      const { gateway, scratch, verify, unmet } = context;
      const answer = await gateway.admin.call("listApps");
      const { count, data: apps } = answer.body();
      verify("CORE-APP-34").equal(count, apps.length, "`count` of List apps", answer);
      const unknown = await gateway.admin.call("getApp", { path: { appname: scratch.name("app") } });
      verify("CORE-APP-36").refused(unknown);
      if (apps.length === 0) unmet("List apps is empty");
      await inParallel(apps.slice(0, mostCompared), readsAtOnce, async (listed) => {
        const one = await gateway.admin.call("getApp", { path: { appname: listed.name } });
        const app = one.data();
        if (isDeepStrictEqual(appMembers(app), appMembers(listed)))
          verify("CORE-APP-36").equal(
            appMembers(app),
            appMembers(listed),
            `app ${listed.name} by name, compared with List apps`,
            one,
          );
        else await verifyAppViews(context, listed.name, "by name");
        verify("CORE-APP-17").equal(
          presence(app, "menuID"),
          "absent",
          `\`menuID\` in the answer of Get app ${listed.name}`,
          one,
        );
      });
    },
  }),

  testCase({
    id: "apps/jobs-are-counted",
    title: "List jobs returns the jobs and their number",
    group: "apps",
    requirements: ["CORE-APP-45", "CORE-APP-46"],
    effect: "read-only",
    touches: [],
    capabilities: ["apps"],
    tags: ["smoke"],
    async run({ gateway, verify }) {
      const answer = await gateway.admin.call("listJobs");
      verify("CORE-APP-45").shape(answer);
      const { count, data } = answer.body();
      verify("CORE-APP-46").equal(count, data.length, "`count` of List jobs", answer);
    },
  }),

  testCase({
    id: "apps/jobs-while-one-exists",
    title: "List jobs returns jobs of the stated shape while an upgrade job exists",
    group: "apps",
    requirements: ["CORE-APP-32", "CORE-APP-45", "CORE-APP-46"],
    effect: "reversible",
    touches: ["upgrade-jobs"],
    capabilities: ["apps", "upgrade", "upgrade-jobs"],
    async run({ gateway, note, profile, random, scratch, verify }) {
      const { admin } = gateway;
      // Port 9 (discard) sends no data: the download never completes, and install is false.
      const url = `http://${gateway.host.address}:9/rp-${random.word(10)}.bin`;
      const job = (
        await admin.call("createUpgradeJob", { json: { url, download: true, install: false } })
      ).data();
      const path = { id: job.id };
      scratch.undo(`upgrade job ${job.id}`, async () => {
        const query = { deleteFileAfterInstallComplete: true };
        await admin.call("operateUpgradeJob", { path: { ...path, action: "cancel" }, query });
        if (profile.extensions.has("deleteUpgradeJob"))
          await admin.callExtension("deleteUpgradeJob", { path });
      });
      const answer = await admin.call("listJobs");
      verify("CORE-APP-45").shape(answer);
      const { count, data } = answer.body();
      verify("CORE-APP-46").equal(count, data.length, "`count` of List jobs", answer);
      const isPlaceholder = (text: string | null): boolean => text !== null && Date.parse(text) < earliestMs;
      verify("CORE-APP-32").equal(
        data.map(({ nextTriggerAt }) => nextTriggerAt).filter(isPlaceholder),
        [],
        `\`nextTriggerAt\` of listed jobs before ${new Date(earliestMs).toISOString()}, instead of null`,
        answer,
      );
      if (data.length === 0) note("List jobs is empty while an upgrade job exists");
    },
  }),
];
