import { sameValue, type TestCase, testCase } from "../../harness/index.ts";
import { appMembers, verifyAppViews } from "./appFacts.ts";
import { presence } from "../users/accounts.ts";
import { inParallel } from "../users/inParallel.ts";

const mostCompared = 20;
const readsAtOnce = 4;

/** Apps whose names are also asked for with a letter less and one more. */
const mostNear = 3;

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
      const names = new Set(apps.flatMap(({ id, name }) => [id, name]));
      for (const { name } of apps.slice(0, mostNear))
        for (const appname of [name.slice(0, -1), `${name}x`].filter((one) => one !== "" && !names.has(one)))
          verify("CORE-APP-36").refused(await gateway.admin.call("getApp", { path: { appname } }));
      await inParallel(apps.slice(0, mostCompared), readsAtOnce, async (listed) => {
        const one = await gateway.admin.call("getApp", { path: { appname: listed.name } });
        const app = one.data();
        if (sameValue(appMembers(app), appMembers(listed)))
          verify("CORE-APP-36").equal(
            appMembers(app),
            appMembers(listed),
            `app ${listed.name} by name, compared with List apps`,
            one,
          );
        else await verifyAppViews(context, listed.name, "by name");
        verify("CORE-APP-17").equal(
          presence(one, "menuID"),
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
];
