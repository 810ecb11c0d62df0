// The static review of a conformance test: the profile's capabilities against what the gateway serves, both ways.
import type { Answer } from "../../harness/client/answer.ts";
import type { GatewayUnderTest } from "../../harness/client/gatewayUnderTest.ts";
import type { CapabilityId } from "../../harness/profile/capabilities.ts";
import { testCase, type TestCase } from "../../harness/suite/case.ts";

/** A harmless call for each capability that tells whether its operations are served at all. */
const probes: Partial<Record<CapabilityId, (gateway: GatewayUnderTest) => Promise<Answer>>> = {
  configuration: ({ admin }) => admin.call("exportConfiguration", { query: { action: "get-profile" } }),
  httpserver: ({ admin }) => admin.call("getHttpServer"),
  provision: ({ admin }) => admin.call("getProvision"),
  log: ({ admin }) => admin.call("getLog"),
  reboot: ({ admin }) => admin.call("getReboot"),
  reset: ({ admin }) => admin.call("getResetCapabilities"),
  services: ({ admin }) => admin.call("listServices"),
  ssh: ({ admin }) => admin.call("getSsh"),
  roles: ({ admin }) => admin.call("listRoles"),
  users: ({ admin }) => admin.call("listUsers"),
  events: ({ admin }) => admin.call("getEvents", { query: { limit: 1 } }),
  apps: ({ admin }) => admin.call("listApps"),
  upgrade: ({ admin }) => admin.call("getUpgradeConfiguration"),
  tags: ({ admin }) => admin.call("listTags"),
};

const notServed = new Set([404, 405, 501]);

export const declarationSuite: readonly TestCase[] = [
  testCase({
    id: "declaration/declared-and-served",
    title: "What the profile declares is served, and what it does not declare is not",
    group: "general",
    requirements: ["CORE-PROFILE-01", "CORE-PROFILE-02"],
    effect: "read-only",
    touches: [],
    tags: ["smoke"],
    async run({ gateway, verify, declares, note }) {
      let undeclared = 0;
      for (const [id, probe] of Object.entries(probes) as [CapabilityId, (typeof probes)["ssh"] & object][]) {
        const answer = await probe(gateway);
        const isServed = answer.status !== 0 && !notServed.has(answer.status);
        if (declares(id)) {
          verify("CORE-PROFILE-01").that(isServed, {
            what: `the capability ${id}, which the profile declares`,
            expected: `${answer.operation} is served`,
            observed: answer.summary(),
            evidence: answer,
          });
        } else {
          undeclared += 1;
          verify("CORE-PROFILE-02").that(!answer.accepted, {
            what: `the capability ${id}, which the profile does not declare`,
            expected: `${answer.operation} is not served`,
            observed: answer.summary(),
            evidence: answer,
          });
        }
      }
      note(`${undeclared} groups of operations are not declared`);
      if (undeclared === 0) {
        verify("CORE-PROFILE-02").equal(
          undeclared,
          0,
          "number of groups of operations that the profile does not declare",
        );
      }
    },
  }),
];
