import { testCase, type TestCase } from "../../harness/suite/case.ts";
import { appFacts } from "./appFacts.ts";

const mostCompared = 20;

export const readingCases: readonly TestCase[] = [
  testCase({
    id: "apps/list-and-get-agree",
    title: "Get app answers every listed app as the list shows it, without menuID, and none for another name",
    group: "apps",
    requirements: ["CORE-APP-17", "CORE-APP-34", "CORE-APP-36"],
    effect: "read-only",
    touches: [],
    capabilities: ["apps"],
    tags: ["smoke"],
    async run({ gateway, scratch, verify, unmet }) {
      const answer = await gateway.admin.call("listApps");
      const { count, data: apps } = answer.body();
      verify("CORE-APP-34").equal(count, apps.length, "count of List apps", answer);
      const unknown = await gateway.admin.call("getApp", { path: { appname: scratch.name("app") } });
      verify("CORE-APP-36").refused(unknown);
      if (apps.length === 0) unmet("the gateway lists no app");
      for (const listed of apps.slice(0, mostCompared)) {
        const one = await gateway.admin.call("getApp", { path: { appname: listed.name } });
        const app = one.data();
        verify("CORE-APP-36").equal(appFacts(app), appFacts(listed), `app ${listed.name} as listed`, one);
        verify("CORE-APP-17").equal(
          "menuID" in app,
          false,
          `whether app ${listed.name} by itself has menuID`,
          one,
        );
      }
    },
  }),

  testCase({
    id: "apps/jobs-are-counted",
    title: "List jobs answers the jobs and their number",
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
      verify("CORE-APP-46").equal(count, data.length, "count of List jobs", answer);
    },
  }),
];
